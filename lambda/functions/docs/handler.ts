/** The docs function: serves the documentation page, openapi.json and llms.txt, without a key and free of charge. */

import { routes } from '../../contract/routes';
import { cacheableResponse } from '../../http/cacheable-response';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { Content } from './content';

/** Longest time that a copy of a page may be kept, in seconds. */
const maxAgeS = 300;

export interface DocsDeps {
  readonly content: Content;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createHandler({ content, clock, telemetry }: DocsDeps): HttpHandler {
  const getPage = (request: HttpRequest): HttpResult => {
    const page = content(request.resource, request.rootUrl);
    return page ? cacheableResponse(page, request, maxAgeS) : { refusal: { code: 'not_found' } };
  };
  const page = { GET: getPage };
  return createHttpHandler({
    routes: { [routes.docs]: page, [routes.openApi]: page, [routes.llms]: page },
    clock,
    telemetry,
  });
}
