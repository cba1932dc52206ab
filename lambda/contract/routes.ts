/** The routes of the API: what the stack makes in API Gateway and the local gateway serves. */

/** Paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec}',
  /**
   * The path form with slashes between its words. It is a second route and does not replace `imagePath`, because API
   * Gateway takes no second variable beside one that an update has not removed yet.
   */
  imagePathWithSlashes: '/api/image/{spec}/{rest+}',
  /** The images of a page in one call. */
  images: '/api/images',
  /** An HTML page whose images are filled. */
  pages: '/api/pages',
  /** Model Context Protocol. */
  mcp: '/mcp',
  /** What OpenAI's clients call, below one base URL. */
  openAi: '/v1/{call+}',
  /** The lasting URL of one AI image. */
  permalink: '/api/image/id/{id}',
  usage: '/api/usage',
  /** The credentials of an account, for its owner. */
  keys: '/api/keys',
  key: '/api/keys/{id}',
  keySuccessor: '/api/keys/{id}/rotate',
  /** The page on which an account's owner sees its usage. */
  accountPage: '/account',
  docs: '/',
  openApi: '/openapi.json',
  llms: '/llms.txt',
  /** Every other path: an image tag gets a card that says so, which API Gateway's own 404 cannot be. */
  elsewhere: '/{path+}',
} as const;

/** The package by which a host that starts programs reaches `/mcp`, in the version that was tried. */
export const mcpRemote = 'mcp-remote@0.15.1';

/** Where programs learn how the API takes credentials (RFC 9728); one of the paths of `elsewhere`. */
export const protectedResource = '/.well-known/oauth-protected-resource';

/** Where the service hands out its own client package; another one of these paths. */
export const clientPackage = '/client.tgz';

/** What an agent that writes pages has to know of the service, as a skill; one of these paths, too. */
export const skill = '/skill.md';

/** Where the certificates stand by which AI images are checked; one more of these paths. */
export const contentCertificates = '/.well-known/content-credentials.pem';

/** Methods that the functions answer on most routes; the gateway itself answers the others. */
export const functionMethods = ['GET', 'HEAD'] as const;

/** Methods of most routes; any other gets 405 with this list in `Allow`. */
export const routeMethods = [...functionMethods, 'OPTIONS'] as const;

/**
 * One resource of the API: the function behind its methods. The gateway itself answers OPTIONS with a preflight and
 * every other method with 405, so that neither starts a function.
 */
export interface ApiRoute {
  readonly path: (typeof routes)[keyof typeof routes];
  readonly function: 'redirect' | 'usage' | 'docs';
  /** Methods that the function answers. */
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE')[];
  /** Methods that the function refuses with 405: an image tag gets a card, which API Gateway cannot draw. */
  readonly refused?: readonly 'GET'[];
  /** Whether all these methods pass the authorizer and a usage plan first. */
  readonly isAuthorized: boolean;
  /** Whether the gateway answers other methods as on a path that exists; where it does not, they are 404 as well. */
  readonly hasOtherMethods: boolean;
}

const keyed = { isAuthorized: true, methods: functionMethods, hasOtherMethods: true } as const;
const posted = { isAuthorized: true, methods: ['POST'], hasOtherMethods: true } as const;
const unkeyed = { isAuthorized: false, methods: functionMethods, hasOtherMethods: true } as const;

/** The whole API, literal segments before variables: what the stack makes of it in API Gateway, the local gateway serves. */
export const apiRoutes: readonly ApiRoute[] = /* @__PURE__ */ listRoutes();

/** In a function, so that bundles that read single paths alone leave the list out. */
function listRoutes(): readonly ApiRoute[] {
  return [
    { path: routes.image, function: 'redirect', ...keyed },
    { path: routes.permalink, function: 'redirect', ...keyed },
    { path: routes.imagePath, function: 'redirect', ...keyed },
    { path: routes.imagePathWithSlashes, function: 'redirect', ...keyed },
    { path: routes.images, function: 'redirect', ...posted, refused: ['GET'] },
    { path: routes.pages, function: 'redirect', ...posted, refused: ['GET'] },
    { path: routes.mcp, function: 'redirect', ...posted },
    { path: routes.openAi, function: 'redirect', ...keyed, methods: ['GET', 'HEAD', 'POST'] },
    { path: routes.usage, function: 'usage', ...keyed },
    { path: routes.keys, function: 'redirect', ...keyed, methods: ['GET', 'HEAD', 'POST'] },
    { path: routes.key, function: 'redirect', ...keyed, methods: ['PATCH', 'DELETE'] },
    { path: routes.keySuccessor, function: 'redirect', ...posted },
    { path: routes.docs, function: 'docs', ...unkeyed },
    { path: routes.accountPage, function: 'docs', ...unkeyed },
    { path: routes.openApi, function: 'docs', ...unkeyed },
    { path: routes.llms, function: 'docs', ...unkeyed },
    { path: routes.elsewhere, function: 'docs', ...unkeyed, hasOtherMethods: false },
  ];
}
