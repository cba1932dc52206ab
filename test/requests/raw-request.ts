/** Parses a request as people write it (`800x600-sea?provider=ai`, `?query=sea`) into what API Gateway passes on. */

import type { IncomingMessage } from 'node:http';
import { functionMethods, routes } from '../../lambda/contract/routes';
import { readHttpRequest } from '../../lambda/http/http-request';
import { type RawRequest, rawRequestOf } from '../../lambda/requests/parse-request';
import { proxyEvent } from '../../local/gateway';

/** @param form a path segment, a query string with its `?`, or both; all still encoded */
export function rawRequest(form: string): RawRequest {
  const [segment = '', search = ''] = form.split(/\?(.*)/s);
  const isQueryForm = segment === '' && (form === '' || form.startsWith('?'));
  const request = {
    url: isQueryForm ? `${routes.image}?${search}` : `${routes.image}/${segment}?${search}`,
    method: 'GET',
    headers: {},
    rawHeaders: [],
    socket: {},
  } as unknown as IncomingMessage;
  const route = { path: isQueryForm ? routes.image : routes.imagePath, function: 'redirect' } as const;
  const matched = {
    route: { ...route, isAuthorized: false, hasOtherMethods: true, methods: functionMethods },
    parameters: isQueryForm ? {} : ({ spec: segment } as Record<string, string>),
  };
  const made = { requestId: '', nowMs: 0, rootUrl: 'https://img.example' };
  return rawRequestOf(readHttpRequest(proxyEvent(request, matched, Buffer.alloc(0), made), 0));
}
