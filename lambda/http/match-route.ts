/** Matches a path to a route. API Gateway has only a few greedy resources, so the function routes by itself. */

export type MatchRoute = ReturnType<typeof createRouteMatcher>;

/**
 * Creates a function that finds the template of a path (`''` if none fits), and the values of the template's
 * variables. The first template that fits wins; `{name+}` stands for the rest of the path.
 */
export function createRouteMatcher(templates: readonly string[]) {
  const table = templates.map((resource) => {
    const pattern = resource
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)(\+?)\}/g, (_, name, greedy) => `(?<${name}>${greedy ? '.+?' : '[^/]*'})`);
    return { resource, pattern: new RegExp(`^${pattern}/?$`, 's') };
  });
  return (path: string) => {
    const fit = table.find(({ pattern }) => pattern.test(path));
    return { resource: fit?.resource ?? '', pathParameters: { ...fit?.pattern.exec(path)?.groups } };
  };
}
