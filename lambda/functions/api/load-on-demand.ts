/** Loads the routes, records and events of `on-demand.ts` with the first request that needs one. */

export type OnDemand = typeof import('./on-demand');

/** Loads the one file that the bundle has for them, as each `import()` of a file slows every start. */
export const loadOnDemand = (): Promise<OnDemand> => import('./on-demand');
