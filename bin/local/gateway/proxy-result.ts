/** Sends a handler's answer as API Gateway does, which takes nothing but a well-formed proxy result. */

import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Whether a value is what a proxy integration may answer; API Gateway turns anything else into 502. */
export function isProxyResult(value: unknown): value is APIGatewayProxyResult {
  if (typeof value !== 'object' || value === null) return false;
  const { statusCode, body, headers } = value as Partial<APIGatewayProxyResult>;
  const isStatus = Number.isInteger(statusCode) && Number(statusCode) >= 100 && Number(statusCode) <= 599;
  return (
    isStatus &&
    (body === undefined || typeof body === 'string') &&
    (headers === undefined || typeof headers === 'object')
  );
}

export function sendProxyResult(
  response: ServerResponse,
  result: APIGatewayProxyResult,
  method: string,
): void {
  const { statusCode, headers = {}, multiValueHeaders = {}, body = '', isBase64Encoded } = result;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(multiValueHeaders))
    response.setHeader(name, (values ?? []).map(String));
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const isEmpty = statusCode === 204 || statusCode === 304;
  if (method !== 'HEAD' && !isEmpty) response.setHeader('Content-Length', bytes.byteLength);
  response.writeHead(statusCode);
  response.end(method === 'HEAD' ? undefined : bytes);
}
