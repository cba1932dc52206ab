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
  const sent: Record<string, string | string[] | number> = {};
  for (const name in headers) sent[name] = String(headers[name]);
  for (const name in multiValueHeaders) sent[name] = (multiValueHeaders[name] ?? []).map(String);
  // A text leaves with its head in one piece.
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const isEmpty = statusCode === 204 || statusCode === 304;
  if (method !== 'HEAD' && !isEmpty) {
    for (const name in sent) if (name.toLowerCase() === 'content-length') delete sent[name];
    sent['Content-Length'] = Buffer.byteLength(content);
  }
  response.writeHead(statusCode, sent);
  response.end(method === 'HEAD' ? undefined : content);
}
