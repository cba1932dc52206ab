/** The docs function: serves the documentation page, openapi.json and llms.txt, and 404 on paths that the API does not have. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { protectedResource, routes } from '../../contract/routes';
import type { Content } from '../../docs/content';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import { cacheableResponse, type HttpResult } from '../../http/http-response';
import { sizeOf } from '../../requests/parse-request';
import type { Size } from '../../requests/rendition';

/** Longest time that a copy of a page may be kept, in seconds. */
const maxAgeS = 300;

export interface DocsDeps {
  readonly content: Content;
  readonly edge?: Edge | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createHandler({ content, edge, clock, telemetry }: DocsDeps): HttpHandler {
  const getPage = (request: HttpRequest): HttpResult => {
    const page = content(request.resource, request.rootUrl);
    return page ? cacheableResponse(page, request.header, maxAgeS) : { refusal: { code: 'not_found' } };
  };
  const page = { GET: getPage };
  return createHttpHandler({
    routes: {
      [routes.docs]: page,
      [routes.openApi]: page,
      [routes.llms]: page,
      [routes.elsewhere]: { GET: getElsewhere },
    },
    cardSizeOf,
    edge,
    clock,
    telemetry,
  });
}

/** Answers the metadata of RFC 9728, which names no authorization server: the operator issues the keys. Below it stands the path of a resource. */
function getElsewhere({ pathParameters, rootUrl }: HttpRequest): HttpResult {
  const path = `/${pathParameters['path'] ?? ''}`;
  const resource = [protectedResource, `${protectedResource}${routes.mcp}`].indexOf(path);
  if (resource < 0) return { refusal: { code: 'not_found' } };
  const metadata = {
    resource: resource === 0 ? rootUrl : `${rootUrl}${routes.mcp}`,
    resource_name: 'Image Redirect',
    resource_documentation: `${rootUrl}/`,
    bearer_methods_supported: ['header'],
  };
  return {
    status: 200,
    headers: {
      'Cache-Control': `public, max-age=${maxAgeS}`,
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(metadata),
  };
}

/** The size that a mistyped image URL asks for, such as `/API/image/300x200-sea`, so that the page keeps its layout. */
function cardSizeOf({ pathParameters, query }: HttpRequest): Size {
  const spec = /(?:^|\/)(\d.*)$/s.exec(pathParameters['path'] ?? '')?.[1];
  return sizeOf({ values: query, ...(spec === undefined ? {} : { segment: spec }) });
}
