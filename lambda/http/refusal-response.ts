/** Answers an event with a refusal, in the form that its sender can show. */

import type { Refusal } from '../domain/problem/problem';
import { isImageLoad } from '../domain/request/accept';
import { sizeOf } from '../functions/redirect/request/parse-request';
import type { Clock } from '../ports/clock';
import type { Telemetry } from '../ports/telemetry';
import type { ImageEvent } from './event';
import { type ProblemResponseOptions, problemResponse } from './problem-response';
import type { Response } from './response';

export interface RefusalDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Counts the refusal and draws the card for an image tag, in the size it asked for. */
export function refusalResponse(
  { clock, telemetry }: RefusalDeps,
  { accept, secFetchDest, raw, requestId, rootUrl }: ImageEvent,
  refusal: Refusal,
  more: Pick<ProblemResponseOptions, 'rateLimit' | 'allow'> = {},
): Response {
  telemetry.count('refusals', { code: refusal.code });
  return problemResponse(refusal, {
    ...more,
    ...(isImageLoad(secFetchDest, accept) ? { card: sizeOf(raw) } : {}),
    requestId,
    nowMs: clock.nowMs(),
    rootUrl,
  });
}
