/** Parses a request as people write it (`800x600-sea?provider=ai`, `?query=sea`) into what API Gateway passes on. */

import type { IncomingMessage } from 'node:http';
import { routes } from '../../lambda/contract/routes';
import { readHttpRequest } from '../../lambda/http/http-request';
import { routesOf } from '../../lambda/http/match-route';
import { type RawRequest, rawRequestOf } from '../../lambda/requests/parse-request';
import { matchRoute, proxyEvent } from '../../local/gateway';

/** @param form a path segment, a query string with its `?`, or both; all still encoded */
export function rawRequest(form: string): RawRequest {
  const [segment = '', search = ''] = form.split(/\?(.*)/s);
  const isQueryForm = segment === '' && (form === '' || form.startsWith('?'));
  const url = isQueryForm ? `${routes.image}?${search}` : `${routes.image}/${segment}?${search}`;
  const request = { url, method: 'GET', headers: {}, rawHeaders: [], socket: {} };
  const matched = matchRoute(routes.image);
  if (!matched) throw new Error('The gateway knows no images');
  const about = { requestId: 'r', nowMs: 0, rootUrl: 'https://img.example' };
  const event = proxyEvent(request as unknown as IncomingMessage, matched, Buffer.alloc(0), about);
  return rawRequestOf(readHttpRequest(event, routesOf([routes.image, routes.imagePath]), 0));
}
