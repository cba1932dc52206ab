/** Use these events of API Gateway for code that takes one. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { proxyEventOf } from '../functions/api/proxy-event';

export interface EventOptions {
  readonly method?: string;
  /** Resource's own path, without the stage. */
  readonly path?: string;
  /** Stage prefix, such as `/prod`; none by default. */
  readonly prefix?: string;
  readonly domainName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string[]>>;
  /** The context from the authorizer; none by default, as on a route without it. */
  readonly context?: Readonly<Record<string, string>>;
}

export function restEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const {
    method = 'GET',
    path = '/',
    prefix = '',
    domainName = 'img.example',
    headers = {},
    query = {},
    context,
  } = options;
  const event = proxyEventOf({ method, headers, query, context: context ?? null });
  return {
    ...event,
    resource: path,
    path,
    requestContext: { ...event.requestContext, domainName, path: `${prefix}${path}` },
  };
}
