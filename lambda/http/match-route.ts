/** Matches a path to a route. API Gateway has only a few greedy resources, so the function routes by itself. */

/** Finds the route of a path. A slash at the end of the path has no meaning. */
export type MatchRoute = (path: string) => {
  /** The template, such as `/api/image/{spec+}`. Empty if no template fits. */
  readonly resource: string;
  /** The values of the template's variables, percent-encoded as the caller sent them. */
  readonly pathParameters: Readonly<Record<string, string>>;
};

/** Creates a matcher. The first template that fits wins; `{name+}` stands for the rest of the path. */
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
