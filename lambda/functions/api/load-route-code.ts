/** Loads the routes, records and events of `route-code.ts` with the first request that needs one. */

export type RouteCode = typeof import('./route-code');

/** Loads the one file that has all of them, because each further `import()` would slow every start. */
export const loadRouteCode = (): Promise<RouteCode> => import('./route-code');
