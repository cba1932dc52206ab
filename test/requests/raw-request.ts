/** Use these functions to turn a form such as `800x600-sea` into a request of API Gateway. */

import type { IncomingMessage } from 'node:http';
import { routes } from '../../lambda/contract/routes';
import { createRouteMatcher, type HttpRequest, readHttpRequest } from '../../lambda/http/http-request';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { parseRequest, type RequestTexts, readParameters } from '../../lambda/requests/parse-request';
import { findRoute, makeProxyEvent } from '../../local/gateway';

/** A request by a path segment, a query string with its `?`, or both; all still encoded. */
export function makeRawRequest(form: string): HttpRequest {
  const [segment = '', search = ''] = form.split(/\?(.*)/s);
  const isQueryForm = segment === '' && (form === '' || form.startsWith('?'));
  const url = isQueryForm ? `${routes.image}?${search}` : `${routes.image}/${segment}?${search}`;
  const request = { url, method: 'GET', headers: {}, rawHeaders: [], socket: {} };
  const matched = findRoute(routes.image);
  if (!matched) throw new Error('The gateway knows no images');
  const eventFacts = { requestId: 'r', nowMs: 0, rootUrl: 'https://img.example' };
  const event = makeProxyEvent(request as unknown as IncomingMessage, matched, Buffer.alloc(0), eventFacts);
  return readHttpRequest(event, createRouteMatcher([routes.image, routes.imagePath]), 0);
}

/** Reads and judges a request. @param isSigned as of `parseRequest` */
export const parseRaw = (raw: RequestTexts, isSigned = false) => parseRequest(readParameters(raw), isSigned);

/** The request that is read. @throws for one that is refused */
export function parseImageRequest(texts: RequestTexts): ImageRequest {
  const parsed = parseRaw(texts);
  if ('refusal' in parsed) throw new Error(`Refused: ${JSON.stringify(parsed.refusal)}`);
  return parsed.request;
}

/** The request that is read from the URL of an image. @throws for one that is refused */
export function parseAtSize(url: string): ImageRequest {
  const form = url.slice(url.indexOf(routes.image) + routes.image.length);
  return parseImageRequest(makeRawRequest(form.replace(/^\//, '')));
}
