/** The fields of a line in the access log, and how long a line of a known stock image is. */

import { routes } from '../../lambda/contract/routes';

/**
 * What is logged. Not among them, on purpose: the query string and the caller's path, which hold keys and search
 * words, and the caller's IP address, which is kept nowhere in the clear.
 */
export const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integration.latency',
  authorizerLatencyMs: '$context.authorizer.latency',
  caller: '$context.authorizer.caller',
  plan: '$context.authorizer.plan',
  keyId: '$context.authorizer.keyId',
  gatewayResponse: '$context.error.responseType',
  fault: '$context.integrationErrorMessage',
} as const;

/** What API Gateway puts in for a known stock image that is served to a paying caller; `-` for what does not occur. */
const example: Readonly<Record<keyof typeof accessLogFields, string>> = {
  requestId: '0f5b6c1e-8f0a-4c43-9d52-6b7a0f3f3a51',
  time: '1795341600000',
  method: 'GET',
  route: routes.imagePath,
  status: '302',
  responseBytes: '612',
  latencyMs: '42',
  functionLatencyMs: '21',
  authorizerLatencyMs: '12',
  caller: 'anonymous',
  plan: 'enterprise',
  keyId: 'key_0123456789abcdef',
  gatewayResponse: '-',
  fault: '-',
};

/** One line of the access log for a known stock image, without its line break. */
export const exampleAccessLogLine = JSON.stringify(example);
