/**
 * What API Gateway answers by itself, without calling a function: the one table that the stack configures and the
 * local gateway follows.
 */

import { bearerChallenge, openToAll } from '../contract/headers';
import { type ProblemCode, problems, type Refusal, serviceUnavailable } from '../problems/problem';
import type { HttpResponse } from './http-response';
import { problemDocument } from './problem-response';

/** One answer of the gateway: its problem code, words of its own, and the seconds to wait where waiting helps. */
interface GatewayResponse {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly retryAfterS?: number;
}

const unusableKey: GatewayResponse = { code: 'invalid_api_key' };
const tooFast: GatewayResponse = {
  code: 'rate_limited',
  detail:
    'Too many requests at the same time. Retry after the number of seconds in Retry-After; the request was not charged.',
  retryAfterS: 1,
};
/** Lambda has no free execution for the request, or the function did not answer, which may have charged it before. */
const noAnswer: GatewayResponse = {
  ...serviceUnavailable,
  detail: 'The service did not answer in time. Retry in a few seconds.',
};

/**
 * By API Gateway's response type. What is missing is called MISSING_AUTHENTICATION_TOKEN there: a path between two resources,
 * such as `/v1`. What has no answer of its own takes one of the two defaults.
 */
export const gatewayResponses = {
  ACCESS_DENIED: unusableKey,
  UNAUTHORIZED: unusableKey,
  MISSING_AUTHENTICATION_TOKEN: { code: 'not_found' },
  THROTTLED: tooFast,
  WAF_FILTERED: { ...tooFast, retryAfterS: 300 },
  REQUEST_TOO_LARGE: { code: 'content_too_large' },
  DEFAULT_4XX: { code: 'invalid_parameter', detail: 'The request is malformed. Check its URL and headers.' },
  // The authorizer did not answer, which charges nothing: another attempt may be answered.
  AUTHORIZER_FAILURE: serviceUnavailable,
  INTEGRATION_FAILURE: noAnswer,
  INTEGRATION_TIMEOUT: noAnswer,
  DEFAULT_5XX: { code: 'internal_error' },
} as const satisfies Record<string, GatewayResponse>;

/** API Gateway's name of an answer of its own. */
export type GatewayResponseType = keyof typeof gatewayResponses;

/**
 * An answer of the gateway as a problem document, with all of its headers. `requestId` and `rootUrl` may be the gateway's
 * names for them (`$context.requestId`).
 */
export function gatewayAnswer(
  type: GatewayResponseType,
  about: { readonly requestId: string; readonly rootUrl: string; readonly contact?: string | undefined },
): HttpResponse {
  const { code, detail, retryAfterS }: GatewayResponse = gatewayResponses[type];
  const { status } = problems[code];
  const document = problemDocument({ code } as Refusal, about);
  // CloudFormation hands a template's characters beyond ASCII back as question marks.
  const text = (detail ?? document.detail).replaceAll('\u2026', '...');
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...openToAll,
    ...(status === 401 && { 'WWW-Authenticate': bearerChallenge }),
    ...(retryAfterS !== undefined && { 'Retry-After': String(retryAfterS) }),
  };
  return { status, headers, body: JSON.stringify({ ...document, detail: text }) };
}
