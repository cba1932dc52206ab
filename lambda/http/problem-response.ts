/** Writes the problem documents (RFC 9457) of refusals. */

import { computeSecondsUntil } from '../base/window';
import { bearerChallenge } from '../contract/headers';
import { protectedResource } from '../contract/routes';
import {
  problems,
  type RateLimitStatus,
  type Refusal,
  type RefusalContext,
  writeDetail,
} from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { reloadScript } from '../problems/reload-script';
import type { HttpResponse } from './http-response';
import { writeNoteHeader, writeRateHeaders } from './response-headers';

interface ProblemRequest extends RefusalContext {
  readonly requestId: string;
  readonly rootUrl: string;
}

/** Makes the response of a refusal. Its code decides some headers: 401 has a challenge, 405 has `Allow`. */
export function makeProblemResponse(
  refusal: Refusal,
  request: ProblemRequest & { readonly rateLimit?: RateLimitStatus; readonly nowMs: number },
): HttpResponse {
  const { rateLimit, nowMs, rootUrl, allow, note } = request;
  const { status } = problems[refusal.code];
  const waitS = findRetryAfterS(refusal, nowMs);
  // RFC 9728, 5.1.
  const challenge = `${bearerChallenge}, resource_metadata="${rootUrl}${protectedResource}"`;
  return {
    status,
    headers: {
      ...(rateLimit && writeRateHeaders(rateLimit, nowMs)),
      ...(waitS !== undefined && { 'Retry-After': String(waitS) }),
      ...(allow && { Allow: allow.join(', ') }),
      ...writeNoteHeader([note]),
      ...(status === 401 && { 'WWW-Authenticate': challenge }),
      'Cache-Control': 'no-store',
      Vary: 'Accept, Authorization, Sec-Fetch-Dest, X-API-Key',
      'Content-Type': 'application/problem+json',
    },
    body: JSON.stringify(addReloadScript(makeProblemDocument(refusal, request))),
  };
}

/** Makes the document of a refusal. An image of a batch has the same document as a request. */
export function makeProblemDocument(refusal: Refusal, request: ProblemRequest): ProblemDocument {
  const { requestId, rootUrl } = request;
  const { code } = refusal;
  const { status, title } = problems[code];
  const detail = writeDetail(refusal, request);
  const parameters = 'faults' in refusal && { parameters: [...refusal.faults] };
  return { type: `${rootUrl}/#${code}`, title, status, detail, code, requestId, ...parameters };
}

/** Adds the script that reloads an image in a page. Batches, cards and models have no use for it. */
function addReloadScript(document: ProblemDocument): ProblemDocument {
  if (document.code !== 'generation_in_progress') return document;
  const hint = `In a page, this script reloads it once it is made:\n${reloadScript}\nIt ends with the image.`;
  return { ...document, detail: `${document.detail} ${hint}` };
}

/** Finds the seconds until a retry may succeed. `undefined` means that a retry would be refused as well. */
export function findRetryAfterS(refusal: Refusal, nowMs: number): number | undefined {
  if ('rateLimit' in refusal) return computeSecondsUntil(refusal.rateLimit.window.endsMs, nowMs);
  if ('endsMs' in refusal) return computeSecondsUntil(refusal.endsMs, nowMs);
  if ('retryAfterS' in refusal) return refusal.retryAfterS;
  return refusal.code === 'upstream_unavailable' ? 1 : undefined;
}
