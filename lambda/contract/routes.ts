/** The paths of the API, and the resources of API Gateway. */

/** Paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec+}',
  images: '/api/images',
  pages: '/api/pages',
  mcp: '/mcp',
  models: '/v1/models',
  model: '/v1/models/{name}',
  generations: '/v1/images/generations',
  /** Any other path below `/v1`: refused in the shape that these clients read. */
  openAi: '/v1/{call+}',
  permalink: '/api/image/id/{id}',
  usage: '/api/usage',
  keys: '/api/keys',
  key: '/api/keys/{id}',
  keySuccessor: '/api/keys/{id}/rotate',
  accountPage: '/account',
  docs: '/',
  openApi: '/openapi.json',
  llms: '/llms.txt',
  /** Every other path: an image tag gets a card, which API Gateway cannot make. */
  otherPath: '/{path+}',
} as const;

/** The package with which a host of models that starts programs reaches `/mcp`. */
export const mcpRemote = 'mcp-remote@0.15.1';

/** The metadata of RFC 9728: how the API takes credentials; served as an `otherPath`. */
export const protectedResource = '/.well-known/oauth-protected-resource';

/** The client package, as an `otherPath`. */
export const clientPackage = '/client.tgz';

/** The skill for agents that write pages, as an `otherPath`. */
export const skillPath = '/skill.md';

/** The certificates by which AI images are checked, as an `otherPath`. */
export const contentCertificates = '/.well-known/content-credentials.pem';

/**
 * The resources of API Gateway. Each hands every method to the function, which answers preflights, 404 and
 * 405 too. `isAuthorized`: whether the authorizer and a usage plan come first.
 */
export const gatewayResources = [
  { path: '/', isAuthorized: false },
  { path: '/{proxy+}', isAuthorized: false },
  { path: '/api/{proxy+}', isAuthorized: true },
  { path: '/mcp', isAuthorized: true },
  { path: '/v1/{proxy+}', isAuthorized: true },
] as const;
