/** The responses that API Gateway writes without a function. The stack and the local gateway use them. */

import { bearerChallenge, corsHeaders } from '../contract/headers';
import {
  type KeyIssuer,
  type ProblemCode,
  problems,
  type Refusal,
  serviceUnavailable,
} from '../problems/problem';
import type { HttpResponse } from './http-response';
import { makeProblemDocument } from './problem-response';

/** A response of the gateway. `detail` replaces the sentence of the code. */
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
/** Lambda had no free execution, or the function did not answer. In the second case it may have charged. */
const noAnswer: GatewayResponse = {
  ...serviceUnavailable,
  detail: 'The service did not answer in time. Retry in a few seconds.',
};

/** Responses by the response type of API Gateway. A type that is not listed takes one of the two defaults. */
export const gatewayResponses = {
  ACCESS_DENIED: unusableKey,
  UNAUTHORIZED: unusableKey,
  // The response to a path between two resources, such as `/v1`.
  MISSING_AUTHENTICATION_TOKEN: { code: 'not_found' },
  THROTTLED: tooFast,
  WAF_FILTERED: { ...tooFast, retryAfterS: 300 },
  REQUEST_TOO_LARGE: { code: 'content_too_large' },
  DEFAULT_4XX: { code: 'invalid_parameter', detail: 'The request is malformed. Check its URL and headers.' },
  // The authorizer did not answer, and nothing was charged: a retry may succeed.
  AUTHORIZER_FAILURE: serviceUnavailable,
  INTEGRATION_FAILURE: noAnswer,
  INTEGRATION_TIMEOUT: noAnswer,
  DEFAULT_5XX: { code: 'internal_error' },
} as const satisfies Record<string, GatewayResponse>;

export type GatewayResponseType = keyof typeof gatewayResponses;

/** Writes a problem. `requestId` and `rootUrl` may be variables such as `$context.requestId`. */
export function writeGatewayResponse(
  type: GatewayResponseType,
  request: KeyIssuer & { readonly requestId: string; readonly rootUrl: string },
): HttpResponse {
  const { code, detail, retryAfterS }: GatewayResponse = gatewayResponses[type];
  const { status } = problems[code];
  const document = makeProblemDocument({ code } as Refusal, request);
  // CloudFormation turns characters beyond ASCII into question marks.
  const detailText = (detail ?? document.detail).replaceAll('\u2026', '...');
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...corsHeaders,
    ...(status === 401 && { 'WWW-Authenticate': bearerChallenge }),
    ...(retryAfterS !== undefined && { 'Retry-After': String(retryAfterS) }),
  };
  return { status, headers, body: JSON.stringify({ ...document, detail: detailText }) };
}
