/** What a route answers with, and its final form for API Gateway. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { exposedHeaders } from '../contract/headers';
import type { Refusal } from '../domain/problem/problem';
import type { RateLimitStatus } from '../domain/quota/quota';

/** A response before the headers that all share are added. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is binary, in base64. */
  readonly isBase64?: boolean;
}

/** A refusal before it is put into the form that the caller can show. */
export interface HttpRefusal {
  readonly refusal: Refusal;
  /** Present when the caller was metered. */
  readonly rateLimit?: RateLimitStatus;
  /** Methods of the resource, for 405. */
  readonly allow?: readonly string[];
}

export type HttpResult = HttpResponse | HttpRefusal;

const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Puts a response into the shape API Gateway expects.
 * @param tookMs time the service spent on it, in milliseconds
 */
export function proxyResult(
  { status, headers, body, isBase64 = false }: HttpResponse,
  method: string,
  tookMs: number,
): APIGatewayProxyResult {
  const isEmpty = status === 204 || status === 304;
  return {
    statusCode: status,
    headers: {
      ...openToAll,
      'X-Response-Time': `${Math.max(0, Math.round(tookMs))}ms`,
      // Stated for HEAD's sake, whose response has the length of GET's and no body.
      ...(isEmpty ? {} : { 'Content-Length': String(Buffer.byteLength(body, isBase64 ? 'base64' : 'utf8')) }),
      ...headers,
    },
    body: method === 'HEAD' ? '' : body,
    isBase64Encoded: isBase64 && method !== 'HEAD',
  };
}

/** The response to a CORS preflight; browsers may keep it for a day. */
export function preflight(methods: readonly string[]): HttpResponse {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': 'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version',
      'Access-Control-Max-Age': '86400',
      Allow: methods.join(', '),
    },
    body: '',
  };
}
