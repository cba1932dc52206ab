/** What every answer of the image routes has in common, and its final form for API Gateway. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { exposedHeaders } from '../contract/headers';

/** An answer before the headers that all share are added. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Puts an answer into the shape API Gateway expects.
 * @param tookMs time the service spent on it, in milliseconds
 */
export function proxyResult(
  { status, headers, body }: Response,
  method: string,
  tookMs: number,
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...openToAll, 'X-Response-Time': `${Math.max(0, Math.round(tookMs))}ms`, ...headers },
    body: method === 'HEAD' ? '' : body,
    isBase64Encoded: false,
  };
}

/** The answer to a CORS preflight; browsers may keep it for a day. */
export function preflight(methods: readonly string[]): Response {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': 'X-API-Key, Accept, Content-Type',
      'Access-Control-Max-Age': '86400',
      Allow: methods.join(', '),
    },
    body: '',
  };
}
