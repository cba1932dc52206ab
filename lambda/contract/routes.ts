/** The paths of the API, and what API Gateway knows of them. */

/** Paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec+}',
  /** The images of a page in one call. */
  images: '/api/images',
  /** An HTML page whose images are filled. */
  pages: '/api/pages',
  /** Model Context Protocol. */
  mcp: '/mcp',
  /** What OpenAI's clients call, below one base URL. */
  models: '/v1/models',
  model: '/v1/models/{name}',
  generations: '/v1/images/generations',
  /** What else is below it: refused in the shape that these clients read. */
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
  otherPath: '/{path+}',
} as const;

/** The package by which a host that starts programs reaches `/mcp`, in the version that was tried. */
export const mcpRemote = 'mcp-remote@0.15.1';

/** Where programs learn how the API takes credentials (RFC 9728); one of `otherPath`. */
export const protectedResource = '/.well-known/oauth-protected-resource';

/** Where the service hands out its own client package; another one of these paths. */
export const clientPackage = '/client.tgz';

/** What an agent that writes pages has to know of the service, as a skill; one of these paths, too. */
export const skill = '/skill.md';

/** Where the certificates stand by which AI images are checked; one more of these paths. */
export const contentCertificates = '/.well-known/content-credentials.pem';

/**
 * What API Gateway knows of the API: it hands every method of a resource to the function, which answers preflights, 404 and
 * 405 as well. The others pass the authorizer and a usage plan first.
 */
export const gatewayResources = [
  { path: '/', isAuthorized: false },
  { path: '/{proxy+}', isAuthorized: false },
  { path: '/api/{proxy+}', isAuthorized: true },
  { path: '/mcp', isAuthorized: true },
  { path: '/v1/{proxy+}', isAuthorized: true },
] as const;
