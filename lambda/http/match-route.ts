/** Finds the route of a path in a table of templates, as API Gateway would: the gateway itself knows a few greedy ones. */

/** A path by its template, with the values of the template's variables, percent-encoded as they came. */
export interface MatchedRoute {
  /** Such as `/api/image/{spec+}`; empty where no template fits. */
  readonly resource: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The route of a path. A slash at the end means nothing. */
export type MatchRoute = (path: string) => MatchedRoute;

/** @param templates in their order: the first that fits is taken; `{name}` is one segment, `{name+}` all that follow */
export function routesOf(templates: readonly string[]): MatchRoute {
  const table = templates.map((resource) => ({ resource, wanted: segmentsOf(resource) }));
  return (path) => {
    const given = segmentsOf(path);
    for (const { resource, wanted } of table) {
      const pathParameters = matchSegments(wanted, given);
      if (pathParameters) return { resource, pathParameters };
    }
    return { resource: '', pathParameters: {} };
  };
}

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/').slice(1);

function matchSegments(
  wanted: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const isGreedy = wanted.at(-1)?.endsWith('+}') === true;
  if (isGreedy ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] as string;
    if (segment.endsWith('+}')) parameters[segment.slice(1, -2)] = given.slice(i).join('/');
    else if (segment.startsWith('{')) parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}
