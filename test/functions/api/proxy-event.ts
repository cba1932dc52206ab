/** The event that a REST API sends to the function `api`, reduced to what the handler reads. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { routes } from '../../../lambda/contract/routes';

export interface EventOptions {
  readonly method?: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  /** Segment of the path form, still encoded. */
  readonly spec?: string;
  /** Path of a route without parameters; that of images by default. */
  readonly route?: string;
  /** Id of a permalink. */
  readonly imageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The context from the authorizer; an anonymous caller by default, none for `null`. */
  readonly context?: Readonly<Record<string, string>> | null;
  readonly sourceIp?: string;
  readonly receivedMs?: number;
  readonly requestId?: string;
}

/** The authorizer's context of a caller with a live key. */
export const liveContext = { caller: 'live', account: 'acc_1', plan: 'free', keyId: 'key_1' } as const;

export function makeProxyEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const { method = 'GET', query = {}, spec, imageId, headers = {}, sourceIp = '203.0.113.9' } = options;
  const context = options.context === undefined ? { caller: 'anonymous' } : options.context;
  const [resource, parameters, path] =
    imageId !== undefined
      ? [routes.permalink, { id: imageId }, `${routes.image}/id/${imageId}`]
      : spec !== undefined
        ? [routes.imagePath, { spec }, `${routes.image}/${spec}`]
        : [options.route ?? routes.image, null, options.route ?? routes.image];
  const multi = Object.fromEntries(Object.entries(query).map(([name, values]) => [name, [...values]]));
  return {
    resource,
    path,
    httpMethod: method,
    headers: { 'X-Forwarded-Proto': 'https', ...headers },
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: Object.keys(multi).length === 0 ? null : multi,
    pathParameters: parameters,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      authorizer: context === null ? undefined : { principalId: 'someone', ...context },
      protocol: 'HTTP/1.1',
      httpMethod: method,
      identity: { sourceIp } as never,
      path: `/prod${path}`,
      stage: 'prod',
      requestId: options.requestId ?? 'request-1',
      requestTimeEpoch: options.receivedMs ?? Date.parse('2026-11-21T12:34:56Z'),
      resourceId: 'resource',
      resourcePath: path,
      domainName: 'api.example.org',
    },
  };
}
