/** REST proxy events as API Gateway makes them, for handlers that are called directly. */

import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface EventOptions {
  readonly method?: string;
  /** Resource's own path, without the stage. */
  readonly path?: string;
  /** Stage prefix, such as `/prod`; none by default. */
  readonly prefix?: string;
  readonly domainName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the authorizer wrote. */
  readonly context?: Readonly<Record<string, string>>;
}

export function restEvent({
  method = 'GET',
  path = '/',
  prefix = '',
  domainName = 'img.example',
  headers = {},
  context,
}: EventOptions = {}): APIGatewayProxyEvent {
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: { 'X-Forwarded-Proto': 'https', ...headers },
    multiValueHeaders,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      authorizer: context,
      domainName,
      path: `${prefix}${path}`,
      requestId: 'request-1',
      requestTimeEpoch: Date.UTC(2026, 10, 21, 12),
      identity: { sourceIp: '192.0.2.1' },
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
}
