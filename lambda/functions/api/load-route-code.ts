/** Loads the routes, records and events of `route-code.ts` with the first request that needs one. */

export type RouteCode = typeof import('./route-code');

/** Loads the one file that the bundle has for them, as each `import()` of a file slows every start. */
export const loadRouteCode = (): Promise<RouteCode> => import('./route-code');
