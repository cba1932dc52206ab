/** Finds the resource of the API that a path means, as API Gateway does: literal segments before variables. */

import { type ApiRoute, apiRoutes } from '../../lambda/contract/routes';

export interface MatchedRoute {
  readonly route: ApiRoute;
  /** Variables of the path, still percent-encoded as a REST API hands them over. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a path, or `undefined` where API Gateway knows none. */
export function matchRoute(pathname: string): MatchedRoute | undefined {
  for (const route of apiRoutes) {
    const parameters = matchPath(route.path, pathname);
    if (parameters) return { route, parameters };
  }
  return undefined;
}

function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const wanted = segmentsOf(template);
  const given = segmentsOf(pathname);
  const isGreedy = template.endsWith('+}');
  if (isGreedy ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] as string;
    if (segment.endsWith('+}')) parameters[segment.slice(1, -2)] = given.slice(i).join('/');
    else if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
    } else if (value === '') return undefined;
    else parameters[segment.slice(1, -1)] = value;
  }
  return parameters;
}

/** A slash at the end means nothing to a REST API. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}
