/**
 * Loads `route-code.ts`: the routes, records and events that a redirect to a known image does not need. They are
 * in one file, because each further `import()` would slow every start.
 */
export const loadRouteCode = () => import('./route-code');

export type RouteCode = Awaited<ReturnType<typeof loadRouteCode>>;
