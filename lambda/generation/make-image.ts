/** Makes sure for a request that an AI image exists: leads its generation, or waits for the execution that does. */

import { withStandingCharge } from '../images/answer';
import type { RateLimitStatus } from '../problems/problem';
import { giveBackBounds } from '../quota/take-bounds';
import type { Admission, AdmitWaiting } from './admit-waiting';
import type { Generation } from './generation';
import { type ImageOrder, type LeadDeps, type Leading, lead } from './lead-generation';
import { type RefusedImage, whyFailed } from './making-refusals';
import { inProgress, shed } from './shed';
import { isNotStarting, waitFor } from './wait-for';

export interface MakeImageDeps extends LeadDeps {
  /** Bounds the requests that wait, where executions are few. */
  readonly admit: AdmitWaiting;
}

export type MadeImage =
  | {
      readonly outcome: 'ready';
      readonly generation: Generation;
      /** Whether this request's own execution has made the image: true for exactly one request. */
      readonly led: boolean;
      /** The rate limit status after the reservation; present when this request has led the making and it was charged. */
      readonly rateLimit?: RateLimitStatus;
    }
  | RefusedImage;

export type MakeImage = (order: ImageOrder) => Promise<MadeImage>;

/** @throws when a step's outcome is unknown; the sweeper finishes then. */
export function createMakeImage(deps: MakeImageDeps): MakeImage {
  return async (order) => {
    const found = await deps.index.read(order.identity.key);
    const known = answerOf(found, deps.clock.nowMs());
    if (known) return known;
    // Before anything is charged or begun: what is refused here leaves no trace.
    const admission = await deps.admit(order.deadlineMs);
    if (!admission) return shed(deps.telemetry, 'too_many_wait');
    try {
      return await make(deps, order, found, admission);
    } finally {
      await admission.leave();
    }
  };
}

async function make(
  deps: MakeImageDeps,
  order: ImageOrder,
  found: Generation | undefined,
  { isBounded }: Admission,
): Promise<MadeImage> {
  const { index, clock } = deps;
  let generation = found;
  let led: Leading | undefined;
  let staleIds = 0;
  // The generation gives its unit back by itself; what its credential has taken is this request's to give back.
  const unled = async () => {
    if (led && !order.isFree) await giveBackBounds(deps, order.bounds, led.execution);
  };
  const ended = async (answer: MadeImage): Promise<MadeImage> => {
    if (answer.outcome === 'refused' || !answer.led) await unled();
    return answer;
  };
  const pending = (answer: RefusedImage) => (led && !order.isFree ? withStandingCharge(answer) : answer);
  // Each round ends the request, or finds a lease that ran out or was given back while it waited.
  while (clock.nowMs() < order.deadlineMs) {
    const answer = answerOf(generation, clock.nowMs(), led);
    if (answer) return ended(answer);
    if (generation?.state === 'LEASED' && (generation.leaseEndsMs ?? 0) >= clock.nowMs()) {
      if (isBounded && isNotStarting(generation, clock.nowMs()))
        return pending(shed(deps.telemetry, 'not_started'));
      generation = await waitFor(index, clock, generation, order.deadlineMs, isBounded);
      continue;
    }
    await unled();
    led = undefined;
    const attempt = await lead(deps, order);
    if (attempt.outcome === 'refused') return attempt;
    // Once can be chance; twice means that this machine's clock is behind the item's watermark.
    if (attempt.outcome === 'stale' && ++staleIds > 1)
      throw new Error('New execution ids are older than settled ones');
    if (attempt.outcome === 'leading') led = attempt;
    generation = attempt.generation;
  }
  if (generation?.state === 'READY') return ended(ready(generation, led));
  return pending(inProgress);
}

/** The answer to a request whose image is there, or whose generation has failed and is left alone. */
function answerOf(generation: Generation | undefined, nowMs: number, led?: Leading): MadeImage | undefined {
  if (generation?.state === 'READY') return ready(generation, led);
  if (generation?.state === 'FAILED' && (generation.notBeforeMs ?? 0) > nowMs)
    return { outcome: 'refused', refusal: whyFailed(generation, nowMs) };
  return undefined;
}

/** An execution that was taken over has made nothing: the one that has may be another request's. */
function ready(generation: Generation, led: Leading | undefined): Extract<MadeImage, { outcome: 'ready' }> {
  if (led?.execution !== generation.execution) return { outcome: 'ready', generation, led: false };
  const { rateLimit } = led;
  return { outcome: 'ready', generation, led: true, ...(rateLimit ? { rateLimit } : {}) };
}
