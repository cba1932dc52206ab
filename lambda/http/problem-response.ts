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

/** A refused request, whose document names it, and the root of the service for the URL of the code's explanation. */
interface Documented extends RefusedRequest {
  readonly requestId: string;
  readonly rootUrl: string;
}

/** A refusal as a problem document (RFC 9457), with the headers that its code needs. */
export function problemResponse(
  refusal: Refusal,
  request: Documented & { readonly rateLimit?: RateLimitStatus; readonly nowMs: number },
): HttpResponse {
  const { rateLimit, nowMs, rootUrl, allow, note } = request;
  const { status } = problems[refusal.code];
  const waitS = retryAfterS(refusal, nowMs);
  // RFC 9728, 5.1.
  const challenge = `${bearerChallenge}, resource_metadata="${rootUrl}${protectedResource}"`;
  return {
    status,
    headers: {
      ...(rateLimit && rateHeaders(rateLimit, nowMs)),
      ...(waitS !== undefined && { 'Retry-After': String(waitS) }),
      ...(allow && { Allow: allow.join(', ') }),
      ...noteHeader([note]),
      ...(status === 401 && { 'WWW-Authenticate': challenge }),
      'Cache-Control': 'no-store',
      Vary: 'Accept, Authorization, Sec-Fetch-Dest, X-API-Key',
      'Content-Type': 'application/problem+json',
    },
    body: JSON.stringify(problemDocument(refusal, request)),
  };
}

/** The document itself, also for one of several images. */
export function problemDocument(refusal: Refusal, request: Documented): ProblemDocument {
  const { requestId, rootUrl } = request;
  const { code } = refusal;
  const { status, title } = problems[code];
  // The reload script for pages, which is too long for a card.
  const hint = ` In a page, this script reloads it every five seconds:\n${reloadScript}\nIt ends with the image.`;
  const detail = `${detailOf(refusal, request)}${code === 'generation_in_progress' ? hint : ''}`;
  const parameters = 'faults' in refusal && { parameters: [...refusal.faults] };
  return { type: `${rootUrl}/#${code}`, title, status, detail, code, requestId, ...parameters };
}

/** When to ask again, in seconds from now: the end of a window that is used up; absent where asking again changes nothing. */
export function retryAfterS(refusal: Refusal, nowMs: number): number | undefined {
  if ('rateLimit' in refusal) return secondsLeft(refusal.rateLimit.window, nowMs);
  if ('endsMs' in refusal) return secondsUntil(refusal.endsMs, nowMs);
  if ('retryAfterS' in refusal) return refusal.retryAfterS;
  return refusal.code === 'upstream_unavailable' ? 1 : undefined;
}
