/** The docs function: serves the page for people, openapi.json and llms.txt, to anybody and for free. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Refusal } from '../../domain/problem/problem';
import { headerValues } from '../../http/header-values';
import { problemResponse } from '../../http/problem-response';
import { preflight, proxyResult, type Response } from '../../http/response';
import { rootOf } from '../../http/root-url';
import type { Content, Page } from './content';

export interface DocsDeps {
  readonly content: Content;
  readonly nowMs: () => number;
}

export type DocsHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

const docsMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

export function createHandler({ content, nowMs }: DocsDeps): DocsHandler {
  const respond = (event: APIGatewayProxyEvent): Response => {
    const rootUrl = rootOf(event);
    const refuse = (refusal: Refusal, allow?: readonly string[]) =>
      problemResponse(refusal, {
        requestId: event.requestContext.requestId,
        nowMs: nowMs(),
        rootUrl,
        ...(allow ? { allow } : {}),
      });
    if (event.httpMethod === 'OPTIONS') return preflight(docsMethods);
    if (!(docsMethods as readonly string[]).includes(event.httpMethod))
      return refuse({ code: 'method_not_allowed' }, docsMethods);
    const page = content(event.resource, rootUrl);
    if (!page) return refuse({ code: 'not_found' });
    return pageResponse(page, headerValues(event, 'if-none-match'));
  };

  return async (event) => {
    const startedMs = nowMs();
    return proxyResult(respond(event), event.httpMethod, nowMs() - startedMs);
  };
}

function pageResponse({ body, etag, headers }: Page, ifNoneMatch: readonly string[]): Response {
  const caching = { 'Cache-Control': 'public, max-age=300', ETag: etag };
  const known = ifNoneMatch
    .join(',')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*')
    ? { status: 304, headers: caching, body: '' }
    : { status: 200, headers: { ...headers, ...caching }, body };
}
