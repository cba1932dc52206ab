/** The routes of the API: what the stack makes in API Gateway and the local gateway serves. */

/** Paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec}',
  /** The lasting URL of one AI image. */
  permalink: '/api/image/id/{id}',
  usage: '/api/usage',
  docs: '/',
  openApi: '/openapi.json',
  llms: '/llms.txt',
} as const;

/** One resource of the API: the function behind it, and which methods pass the authorizer and a usage plan first. */
export interface ApiRoute {
  readonly path: (typeof routes)[keyof typeof routes];
  readonly function: 'redirect' | 'usage' | 'docs';
  /** Called by the authorizer's leave only, with an API key of a usage plan. */
  readonly authorized: readonly string[];
  /** Open to every caller, never metered. `ANY` is every method not named otherwise, which the function answers with 405. */
  readonly open: readonly string[];
}

const keyed = { authorized: ['GET', 'HEAD'], open: ['OPTIONS', 'ANY'] } as const;
const unkeyed = { authorized: [], open: ['ANY'] } as const;

/** The whole API: what the stack makes of it in API Gateway, the local gateway serves. */
export const apiRoutes: readonly ApiRoute[] = [
  { path: routes.image, function: 'redirect', ...keyed },
  { path: routes.imagePath, function: 'redirect', ...keyed },
  { path: routes.permalink, function: 'redirect', ...keyed },
  { path: routes.usage, function: 'usage', ...keyed },
  { path: routes.docs, function: 'docs', ...unkeyed },
  { path: routes.openApi, function: 'docs', ...unkeyed },
  { path: routes.llms, function: 'docs', ...unkeyed },
];
