/** The docs function: serves the documentation page, openapi.json and llms.txt, and 404 on paths that the API does not have. */

import { clientPackage, contentCertificates, protectedResource, routes, skill } from '../../contract/routes';
import { type Documents, documentAt } from '../../docs/content';
import type { Edge } from '../../http/edge';
import { type HttpHandler, type HttpServices, httpHandler } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import { cacheableResponse, type HttpResult } from '../../http/http-response';
import { sizeOf } from '../../requests/parse-request';
import type { Size } from '../../requests/rendition';

/** Longest time that a copy of a page may be kept, in seconds. */
const maxAgeS = 300;

/** What the docs function is made with: it answers without a table and without a caller. */
export interface DocsServices extends HttpServices {
  readonly documents: Documents;
  /** Where the packed client package is. */
  readonly clientPackageUrl: string;
  /** By which AI images are checked, as PEM; absent where the installation has made none. */
  readonly certificates?: string | undefined;
}

/** @param edge the distribution before the API; absent where callers reach the API itself */
export function docsHandler(services: DocsServices, edge?: Edge): HttpHandler {
  const page = { GET: getPage };
  return httpHandler(services, {
    routes: {
      [routes.docs]: page,
      [routes.accountPage]: page,
      [routes.openApi]: page,
      [routes.llms]: page,
      [routes.elsewhere]: { GET: getElsewhere },
    },
    cardSizeOf,
    edge,
  });
}

function getPage(
  { documents }: DocsServices,
  { resource, rootUrl, header }: Pick<HttpRequest, 'resource' | 'rootUrl' | 'header'>,
): HttpResult {
  const page = documentAt(documents, resource, rootUrl);
  return page ? cacheableResponse(page, header, maxAgeS) : { refusal: { code: 'not_found' } };
}

/**
 * Answers paths that programs know: the skill; the client package; the metadata of RFC 9728, which names no authorization server, as
 * the operator issues the keys; and the certificates of AI images.
 */
function getElsewhere(services: DocsServices, { pathParameters, rootUrl, header }: HttpRequest): HttpResult {
  const { clientPackageUrl, certificates } = services;
  const path = `/${pathParameters['path'] ?? ''}`;
  if (path === skill) return getPage(services, { resource: path, rootUrl, header });
  if (path === clientPackage) {
    const headers = { Location: clientPackageUrl, 'Cache-Control': `public, max-age=${maxAgeS}` };
    return { status: 302, headers, body: '' };
  }
  if (path === contentCertificates && certificates !== undefined)
    return shown('application/x-pem-file', certificates);
  const resource = new Map([
    [protectedResource as string, rootUrl],
    [`${protectedResource}${routes.mcp}`, `${rootUrl}${routes.mcp}`],
  ]).get(path);
  if (resource === undefined) return { refusal: { code: 'not_found' } };
  const metadata = {
    resource,
    resource_name: 'Image Redirect',
    resource_documentation: `${rootUrl}/`,
    bearer_methods_supported: ['header'],
  };
  return shown('application/json; charset=utf-8', JSON.stringify(metadata));
}

function shown(mediaType: string, body: string): HttpResult {
  const headers = { 'Cache-Control': `public, max-age=${maxAgeS}`, 'Content-Type': mediaType };
  return { status: 200, headers, body };
}

/** The size that a mistyped image URL asks for, such as `/API/image/300x200-sea`, so that the page keeps its layout. */
function cardSizeOf({ pathParameters, query }: HttpRequest): Size {
  const spec = /(?:^|\/)(\d.*)$/s.exec(pathParameters['path'] ?? '')?.[1];
  return sizeOf({ values: query, ...(spec === undefined ? {} : { segment: spec }) });
}
