/** Answers with documents, and with 404 on all other paths. */

import { examplesFolder } from '../../contract/example-images';
import { publicFiles } from '../../contract/image-paths';
import {
  clientPackage,
  contentCertificates,
  protectedResource,
  routes,
  skillPath,
} from '../../contract/routes';
import { makeDocument } from '../../docs/content';
import type { HttpRequest } from '../../http/http-request';
import { type HttpResponse, type HttpResult, makeCacheableResponse } from '../../http/http-response';
import type { Services } from '../../services/services';

/** Longest time that caches may keep a document, in seconds. */
const maxAgeS = 300;

/** Serves a document of `lambda/docs`. */
export async function getDocument(
  services: Services,
  { resource, rootUrl, getHeader }: Pick<HttpRequest, 'resource' | 'rootUrl' | 'getHeader'>,
): Promise<HttpResult> {
  const assets = globalThis.PAGE_ASSETS;
  if (assets === undefined) throw new Error('PAGE_ASSETS is not defined: the function was loaded unbundled.');
  const { PLANS: plans, SITE: site, DEMO_KEY: demoKey } = services.config;
  const examplesUrl = `${services.config.IMAGE_BASE_URL}/${examplesFolder}`;
  const content = makeDocument(resource, { rootUrl, plans, site, examplesUrl, demoKey, assets });
  return content ? makeCacheableResponse(content, getHeader, maxAgeS) : { refusal: { code: 'not_found' } };
}

/**
 * Serves the other paths that programs know: the skill, the client package, the certificates of AI images,
 * and the metadata of RFC 9728. There is no authorization server, so the metadata name none.
 */
export async function getOtherPath(
  services: Services,
  { pathParameters, rootUrl, getHeader }: HttpRequest,
): Promise<HttpResult> {
  const { IMAGE_BASE_URL: imageBaseUrl, CONTENT_CERTIFICATES: certificates } = services.config;
  const path = `/${pathParameters['path'] ?? ''}`;
  const respond = (status: number, headers: HttpResponse['headers'], body = '') => {
    return { status, headers: { 'Cache-Control': `public, max-age=${maxAgeS}`, ...headers }, body };
  };
  switch (path) {
    case skillPath:
      return getDocument(services, { resource: path, rootUrl, getHeader });
    case clientPackage:
      return respond(302, { Location: `${imageBaseUrl}/${publicFiles.clientPackage}` });
    case contentCertificates:
      if (certificates !== undefined)
        return respond(200, { 'Content-Type': 'application/x-pem-file' }, certificates);
      break;
    case protectedResource:
    case `${protectedResource}${routes.mcp}`: {
      const metadata = {
        resource: `${rootUrl}${path.slice(protectedResource.length)}`,
        resource_name: 'Image Redirect',
        resource_documentation: `${rootUrl}/`,
        bearer_methods_supported: ['header'],
      };
      return respond(200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(metadata));
    }
  }
  return { refusal: { code: 'not_found' } };
}
