/**
 * What API Gateway answers by itself, without calling a function: the one table that the stack configures and the
 * local gateway follows.
 */

import { bearerChallenge, corsHeadersFor, openToAll } from '../contract/headers';
import { routeMethods } from '../contract/routes';
import {
  detailOf,
  type ProblemCode,
  problems,
  type RefusedRequest,
  serviceUnavailable,
} from '../problems/problem';

/** One answer of the gateway: its problem code, public words, and the seconds to wait where waiting helps. */
export interface GatewayResponse {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly retryAfterS?: number;
  /** Whether it names the methods that there are. */
  readonly namesMethods?: boolean;
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
const otherMethod: GatewayResponse = {
  code: 'method_not_allowed',
  detail: detailOf({ code: 'method_not_allowed' }, { allow: routeMethods }),
  namesMethods: true,
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
 * By API Gateway's response type. A route that does not exist is called MISSING_AUTHENTICATION_TOKEN there, and an
 * unusable key of a usage plan INVALID_API_KEY, which here can only be a fault of the deployment. A method that a route
 * does not have ends in an integration that takes no media type.
 */
export const gatewayResponses = {
  ACCESS_DENIED: unusableKey,
  UNAUTHORIZED: unusableKey,
  MISSING_AUTHENTICATION_TOKEN: unknownPath,
  RESOURCE_NOT_FOUND: unknownPath,
  UNSUPPORTED_MEDIA_TYPE: otherMethod,
  THROTTLED: tooFast,
  QUOTA_EXCEEDED: { ...tooFast, retryAfterS: 60 },
  WAF_FILTERED: { ...tooFast, retryAfterS: 300 },
  REQUEST_TOO_LARGE: tooLarge,
  BAD_REQUEST_BODY: unreadable,
  BAD_REQUEST_PARAMETERS: unreadable,
  DEFAULT_4XX: unreadable,
  INVALID_API_KEY: fault,
  AUTHORIZER_FAILURE: noCaller,
  AUTHORIZER_CONFIGURATION_ERROR: fault,
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
  const { retryAfterS, namesMethods } = answer;
  return {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...openToAll,
    ...(gatewayStatus(answer) === 401 ? { 'WWW-Authenticate': bearerChallenge } : {}),
    ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
    ...(namesMethods ? { Allow: routeMethods.join(', ') } : {}),
  };
}

/**
 * Media types for which the gateway has answers of a route's own. It takes no wildcard: a request with a body of any
 * other type is answered with 405 and the methods of most routes. One without a type counts as JSON.
 */
export const answeredMediaTypes = [
  'application/json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'text/html',
  'text/plain',
  'text/xml',
] as const;

/**
 * The gateway's answer to a CORS preflight, without a body: 204 with these headers.
 * @param methods of the route
 */
export function preflightHeadersFor(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    // API Gateway names a media type even where there is no body.
    'Content-Type': 'application/json',
    ...openToAll,
    ...corsHeadersFor(methods),
  };
}

/** Headers of 405 on a route with methods of its own. */
export function refusalHeadersFor(methods: readonly string[]): Readonly<Record<string, string>> {
  return { ...gatewayHeaders(otherMethod), Allow: methods.join(', ') };
}

/**
 * Its body, a problem document.
 * @param requestId the id itself, or the gateway's name for it (`$context.requestId`)
 * @param rootUrl root of the service without a trailing slash, in the gateway's names where it has some
 */
export function gatewayBody(
  answer: GatewayResponse,
  requestId: string,
  rootUrl: string,
  { contact, allow = routeMethods }: Pick<RefusedRequest, 'contact' | 'allow'> = {},
): string {
  const { code } = answer;
  const isWorded = code === 'invalid_api_key' || code === 'method_not_allowed';
  const detail = isWorded ? ascii(detailOf({ code }, { contact, allow })) : answer.detail;
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
