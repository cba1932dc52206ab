/** The root of every URL that a response names: where the caller reaches the service. */

import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * Scheme, host and stage prefix of a REST proxy event's request, without a trailing slash. The context's path has the
 * stage, or the base path of a custom domain, before the segments of the resource.
 */
export function rootOf({
  requestContext,
  resource,
  pathParameters,
  headers,
}: Pick<APIGatewayProxyEvent, 'requestContext' | 'resource' | 'pathParameters' | 'headers'>): string {
  const scheme = headers?.['X-Forwarded-Proto'] ?? 'https';
  const whole = segmentsOf(requestContext.path);
  const greedy = /\{(\w+)\+\}$/.exec(resource)?.[1];
  const below = greedy === undefined ? 0 : segmentsOf(pathParameters?.[greedy] ?? '').length - 1;
  const prefix = whole.slice(0, Math.max(0, whole.length - segmentsOf(resource).length - below));
  return [`${scheme}://${requestContext.domainName}`, ...prefix].join('/');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
