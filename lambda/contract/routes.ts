/** The paths of the API, and the resources of API Gateway. */

/** The paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec+}',
  images: '/api/images',
  pages: '/api/pages',
  mcp: '/mcp',
  models: '/v1/models',
  model: '/v1/models/{name}',
  generations: '/v1/images/generations',
  /** Any other path below `/v1`. It is refused in the shape that OpenAI's clients read. */
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
  /** Every other path. The function responds, because API Gateway cannot draw a card for an image tag. */
  otherPath: '/{path+}',
} as const;

/** The package that connects a model's host to `/mcp` if the host can only start programs. */
export const mcpRemote = 'mcp-remote@0.15.1';

/** The metadata of RFC 9728, which say how the API takes credentials. Served as an `otherPath`. */
export const protectedResource = '/.well-known/oauth-protected-resource';

/** The client package, as an `otherPath`. */
export const clientPackage = '/client.tgz';

/** The skill for agents that write pages, as an `otherPath`. */
export const skillPath = '/skill.md';

/** The certificates that AI images are checked with, as an `otherPath`. */
export const contentCertificates = '/.well-known/content-credentials.pem';

/**
 * The resources of API Gateway. Each hands every method to the function, even preflights, 404 and 405. With
 * `isAuthorized`, the authorizer and a usage plan come first.
 */
export const gatewayResources = [
  { path: '/', isAuthorized: false },
  { path: '/{proxy+}', isAuthorized: false },
  { path: '/api/{proxy+}', isAuthorized: true },
  { path: '/mcp', isAuthorized: true },
  { path: '/v1/{proxy+}', isAuthorized: true },
] as const;
