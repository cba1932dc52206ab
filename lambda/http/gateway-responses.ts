/**
 * What API Gateway answers by itself, without calling a function: the one table that the stack configures and the
 * local gateway follows.
 */

import { bearerChallenge, openToAll } from '../contract/headers';
import { detailOf, type ProblemCode, problems, serviceUnavailable } from '../problems/problem';

/** One answer of the gateway: its problem code, public words, and the seconds to wait where waiting helps. */
export interface GatewayResponse {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly retryAfterS?: number;
}

const unreadable: GatewayResponse = {
  code: 'invalid_parameter',
  detail: 'The request is malformed. Check its URL and headers.',
};
const tooLarge: GatewayResponse = {
  code: 'content_too_large',
  detail: detailOf({ code: 'content_too_large' }),
};
const unknownPath: GatewayResponse = {
  code: 'not_found',
  detail: ascii(detailOf({ code: 'not_found' })),
};
const unusableKey: GatewayResponse = {
  code: 'invalid_api_key',
  detail: ascii(detailOf({ code: 'invalid_api_key' })),
};
const tooFast: GatewayResponse = {
  code: 'rate_limited',
  detail:
    'Too many requests at the same time. Retry after the number of seconds in Retry-After; the request was not charged.',
  retryAfterS: 1,
};
/** The authorizer did not answer, which charges nothing: another attempt may be answered. */
const noCaller: GatewayResponse = {
  ...serviceUnavailable,
  detail: detailOf(serviceUnavailable),
};
/** Lambda has no free execution for the request, or the function did not answer, which may have charged it before. */
const noAnswer: GatewayResponse = {
  ...serviceUnavailable,
  detail: 'The service did not answer in time. Retry in a few seconds.',
};
const fault: GatewayResponse = {
  code: 'internal_error',
  detail: detailOf({ code: 'internal_error' }),
};

/**
 * By API Gateway's response type. What is missing is called MISSING_AUTHENTICATION_TOKEN there: a path between two resources,
 * such as `/v1`. What has no answer of its own takes one of the two defaults.
 */
export const gatewayResponses = {
  ACCESS_DENIED: unusableKey,
  UNAUTHORIZED: unusableKey,
  MISSING_AUTHENTICATION_TOKEN: unknownPath,
  THROTTLED: tooFast,
  WAF_FILTERED: { ...tooFast, retryAfterS: 300 },
  REQUEST_TOO_LARGE: tooLarge,
  DEFAULT_4XX: unreadable,
  AUTHORIZER_FAILURE: noCaller,
  INTEGRATION_FAILURE: noAnswer,
  INTEGRATION_TIMEOUT: noAnswer,
  DEFAULT_5XX: fault,
} as const satisfies Record<string, GatewayResponse>;

/** API Gateway's name of an answer of its own. */
export type GatewayResponseType = keyof typeof gatewayResponses;

/** The HTTP status of an answer of the gateway. */
export function gatewayStatus({ code }: GatewayResponse): number {
  return problems[code].status;
}

/** Its headers, by name; the gateway adds none of its own. */
export function gatewayHeaders(answer: GatewayResponse): Readonly<Record<string, string>> {
  const { retryAfterS } = answer;
  return {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...openToAll,
    ...(gatewayStatus(answer) === 401 ? { 'WWW-Authenticate': bearerChallenge } : {}),
    ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
  };
}

/**
 * Its body, a problem document.
 * @param requestId the id itself, or the gateway's name for it (`$context.requestId`)
 * @param rootUrl root of the service without a trailing slash, in the gateway's names where it has some
 * @param contact where the operator is reached; absent where none is set
 */
export function gatewayBody(
  answer: GatewayResponse,
  requestId: string,
  rootUrl: string,
  contact?: string,
): string {
  const { code } = answer;
  const detail = code === 'invalid_api_key' ? ascii(detailOf({ code }, { contact })) : answer.detail;
  const { title } = problems[code];
  const status = gatewayStatus(answer);
  return JSON.stringify({ type: `${rootUrl}/#${code}`, title, status, detail, code, requestId });
}

/** CloudFormation hands a template's other characters back as question marks. */
function ascii(text: string): string {
  const plain = text.replaceAll('\u2026', '...');
  if (/[^ -~]/.test(plain)) throw new Error(`A text of the gateway must be ASCII: ${text}`);
  return plain;
}
