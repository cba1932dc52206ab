/** Where the service is reached, as the caller sees it: the root of every address that an answer names. */

import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Scheme, host and stage prefix of a REST proxy event's request, without a trailing slash. */
export function rootOf({
  requestContext,
  path,
  headers,
}: Pick<APIGatewayProxyEvent, 'requestContext' | 'path' | 'headers'>): string {
  const scheme = headers?.['X-Forwarded-Proto'] ?? 'https';
  // The context's path has the stage (or base path) before the resource's own.
  const whole = requestContext.path;
  const prefix = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
  return `${scheme}://${requestContext.domainName}${prefix}`;
}
