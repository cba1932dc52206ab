/** Answers a refusal with a problem document (RFC 9457). */

import { secondsLeft, secondsUntil } from '../base/window';
import { bearerChallenge } from '../contract/headers';
import { protectedResource } from '../contract/routes';
import {
  detailOf,
  problems,
  type RateLimitStatus,
  type Refusal,
  type RefusedRequest,
} from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { reloadScript } from '../problems/reload-script';
import { noteHeader, rateHeaders } from './answer-headers';
import type { HttpResponse } from './http-response';

interface ProblemResponseOptions extends RefusedRequest {
  readonly rateLimit?: RateLimitStatus;
  readonly requestId: string;
  readonly nowMs: number;
  /** Root of the service, for the URL of the code's explanation too. */
  readonly rootUrl: string;
}

/** A refusal as a problem document (RFC 9457), with the headers that its code needs. */
export function problemResponse(refusal: Refusal, options: ProblemResponseOptions): HttpResponse {
  const { rateLimit, nowMs, rootUrl, allow, note } = options;
  const { status } = problems[refusal.code];
  return {
    status,
    headers: {
      ...(rateLimit ? rateHeaders(rateLimit, nowMs) : {}),
      ...retryAfter(refusal, nowMs),
      ...(allow ? { Allow: allow.join(', ') } : {}),
      ...noteHeader([note]),
      // RFC 9728, 5.1.
      ...(status === 401
        ? {
            'WWW-Authenticate': `${bearerChallenge}, resource_metadata="${rootUrl}${protectedResource}"`,
          }
        : {}),
      'Cache-Control': 'no-store',
      Vary: 'Accept, Authorization, Sec-Fetch-Dest, X-API-Key',
      'Content-Type': 'application/problem+json',
    },
    body: JSON.stringify(problemDocument(refusal, options)),
  };
}

/** The document itself, also for one of several images. */
export function problemDocument(
  refusal: Refusal,
  request: RefusedRequest & { readonly requestId: string; readonly rootUrl: string },
): ProblemDocument {
  const { requestId, rootUrl } = request;
  const { status, title } = problems[refusal.code];
  return {
    type: `${rootUrl}/#${refusal.code}`,
    title,
    status,
    detail: `${detailOf(refusal, request)}${hintOf(refusal)}`,
    code: refusal.code,
    requestId,
    ...('faults' in refusal ? { parameters: [...refusal.faults] } : {}),
  };
}

/** How a page helps itself, which is too long for a card. */
function hintOf({ code }: Refusal): string {
  return code === 'generation_in_progress'
    ? ` In a page, this script reloads it every five seconds:\n${reloadScript}\nIt ends with the image.`
    : '';
}

/** On a used-up window the same moment as `X-RateLimit-Reset`, in seconds from now. */
function retryAfter(refusal: Refusal, nowMs: number): Record<string, string> {
  if ('rateLimit' in refusal) return { 'Retry-After': String(secondsLeft(refusal.rateLimit.window, nowMs)) };
  if ('endsMs' in refusal) return { 'Retry-After': String(secondsUntil(refusal.endsMs, nowMs)) };
  if ('retryAfterS' in refusal) return { 'Retry-After': String(refusal.retryAfterS) };
  return refusal.code === 'upstream_unavailable' ? { 'Retry-After': '1' } : {};
}
