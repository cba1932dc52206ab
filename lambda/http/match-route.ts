/** Finds the route of a path in a table of templates, of which the gateway has a few greedy ones only. */

/** Finds the route of a path; a slash at its end has no meaning. */
export type MatchRoute = (path: string) => {
  /** Such as `/api/image/{spec+}`; empty if no template fits. */
  readonly resource: string;
  /** Values of the template's variables, percent-encoded as they came. */
  readonly pathParameters: Readonly<Record<string, string>>;
};

/** Makes a matcher by the first template that fits: `{name}` is a segment, `{name+}` the rest of the path. */
export function createRouteMatcher(templates: readonly string[]): MatchRoute {
  const table = templates.map((resource) => {
    const pattern = resource
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)(\+?)\}/g, (_, name, greedy) => `(?<${name}>${greedy ? '.+?' : '[^/]*'})`);
    return { resource, pattern: new RegExp(`^${pattern}/?$`, 's') };
  });
  return (path) => {
    for (const { resource, pattern } of table) {
      const match = pattern.exec(path);
      if (match) return { resource, pathParameters: { ...match.groups } };
    }
    return { resource: '', pathParameters: {} };
  };
}
