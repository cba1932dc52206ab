/** Use these events of API Gateway for code that takes one. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type EventOptions as ImageEventOptions, makeProxyEvent } from '../functions/api/proxy-event';

/** Without a context of the authorizer, as on a route without it. */
export interface EventOptions extends ImageEventOptions {
  /** Resource's own path, without the stage. */
  readonly path?: string;
  /** Stage prefix, such as `/prod`; none by default. */
  readonly prefix?: string;
  readonly domainName?: string;
}

export function makeRestEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const { path = '/', prefix = '', domainName = 'img.example', ...more } = options;
  const event = makeProxyEvent({ context: null, ...more, route: path });
  return { ...event, requestContext: { ...event.requestContext, domainName, path: `${prefix}${path}` } };
}
