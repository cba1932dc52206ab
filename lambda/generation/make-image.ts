/** Makes sure for a request that an AI image exists: leads its generation, or waits for the execution that does. */

import type { Clock } from '../base/clock';
import { poll } from '../base/poll';
import { generationLeaseMs, generatorStartMs } from '../contract/timeouts';
import type { Refused } from '../images/answer';
import type { Refusal } from '../problems/problem';
import type { Payment } from '../quota/payment';
import type { Admission, AdmitWaiting } from './admit-waiting';
import type { Generation, GenerationIndex } from './generation';
import { type ImageOrder, inProgress, type LeadDeps, type Leading, lead, shed } from './lead-generation';

interface MakeImageDeps extends LeadDeps {
  /** Bounds the requests that wait, where executions are few. */
  readonly admit: AdmitWaiting;
}

/** An image that is there. */
export interface ReadyImage {
  readonly outcome: 'ready';
  readonly generation: Generation;
  /** Whether this request's own execution has made the image: true for exactly one request. */
  readonly led: boolean;
  /** Present when it has and the generation is charged: this request has paid, whatever comes of the delivery. */
  readonly payment?: Payment;
}

/** What became of having an image made; a refusal keeps what was paid. */
export type MadeImage = ReadyImage | Refused;

/** Waits no longer than the order's deadline. */
export type MakeImage = (order: ImageOrder) => Promise<MadeImage>;

/** @throws when a step's outcome is unknown; the sweeper finishes then. */
export function createMakeImage(deps: MakeImageDeps): MakeImage {
  return async (order) => {
    const stored = await deps.index.read(order.identity.key);
    const answer = answerOf(stored, deps.clock.nowMs());
    if (answer) return answer;
    // Before anything is charged or begun: what is refused here leaves no trace.
    const admission = await deps.admit(order.deadlineMs);
    if (!admission) return shed(deps.telemetry, 'too_many_wait');
    try {
      return await make(deps, order, stored, admission);
    } finally {
      await admission.leave();
    }
  };
}

async function make(
  deps: MakeImageDeps,
  order: ImageOrder,
  stored: Generation | undefined,
  { isBounded }: Admission,
): Promise<MadeImage> {
  const { index, clock } = deps;
  let generation = stored;
  let led: Leading | undefined;
  let staleIds = 0;
  // The generation gives its unit back by itself; what its credential has taken is this request's to give back.
  const unled = async () => {
    if (led?.payment) await deps.ledger.giveBack(order.credentialLimits, led.execution);
  };
  const ended = async (answer: MadeImage): Promise<MadeImage> => {
    if (answer.outcome === 'refused' || !answer.led) await unled();
    return answer;
  };
  // Each round ends the request, or finds a lease that ran out or was given back while it waited.
  while (clock.nowMs() < order.deadlineMs) {
    const answer = answerOf(generation, clock.nowMs(), led);
    if (answer) return ended(answer);
    if (generation?.state === 'LEASED' && (generation.leaseEndsMs ?? 0) >= clock.nowMs()) {
      if (isBounded && isNotStarting(generation, clock.nowMs()))
        return shed(deps.telemetry, 'not_started', led?.payment);
      generation = await waitFor(index, clock, generation, order.deadlineMs, isBounded);
      continue;
    }
    await unled();
    led = undefined;
    const attempt = await lead(deps, order);
    if (attempt.outcome === 'refused') return attempt;
    // Once can be chance; twice means that this machine's clock is behind the item's watermark.
    if (attempt.outcome === 'stale' && ++staleIds > 1) return shed(deps.telemetry, 'clock_behind');
    if (attempt.outcome === 'leading') led = attempt;
    generation = attempt.generation;
  }
  if (generation?.state === 'READY') return ended(ready(generation, led));
  return inProgress(led?.payment);
}

/** The answer to a request whose image is there, or whose generation has failed and is left alone. */
function answerOf(generation: Generation | undefined, nowMs: number, led?: Leading): MadeImage | undefined {
  if (generation?.state === 'READY') return ready(generation, led);
  if (generation?.state === 'REMOVED') return { outcome: 'refused', refusal: { code: 'image_removed' } };
  if (generation?.state === 'FAILED' && (generation.notBeforeMs ?? 0) > nowMs)
    return { outcome: 'refused', refusal: whyFailed(generation, nowMs) };
  return undefined;
}

/** An execution that was taken over has made nothing: the one that has may be another request's. */
function ready(generation: Generation, led: Leading | undefined): ReadyImage {
  if (led?.execution !== generation.execution) return { outcome: 'ready', generation, led: false };
  const { payment } = led;
  return { outcome: 'ready', generation, led: true, ...(payment && { payment }) };
}

/** What requests are answered with while a failed generation is left alone. */
function whyFailed({ failure, notBeforeMs = 0 }: Generation, nowMs: number): Refusal {
  if (failure === 'content_refused') return { code: failure };
  const code = failure === 'not_started' ? 'service_unavailable' : 'upstream_unavailable';
  return { code, retryAfterS: Math.ceil((notBeforeMs - nowMs) / 1_000) };
}

/** Pauses between two reads, in milliseconds. */
const pauses = { firstPauseMs: 120, longestPauseMs: 1_000, growth: 1.5 } as const;

/**
 * The generation as soon as it is no longer held as `held` was, or as it stands at the deadline. A read that fails
 * is one that saw no change: the image is being made all the same, and the next read may work.
 * @param isBounded whether executions are few: then the wait ends early when no run begins in time
 */
async function waitFor(
  index: Pick<GenerationIndex, 'read'>,
  clock: Clock,
  held: Generation,
  deadlineMs: number,
  isBounded = false,
): Promise<Generation | undefined> {
  const isHeld = (generation: Generation | undefined) =>
    generation?.state === 'LEASED' && generation.fence === held.fence;
  // A lease may be taken over from the first millisecond after its end.
  const endsMs = Math.min(deadlineMs, (held.leaseEndsMs ?? 0) + 1);
  let last: Generation | undefined = held;
  const read = async () => {
    last = await index.read(held.key).catch(() => last);
    return last;
  };
  if (isBounded && !held.isStarted) {
    const isIdle = (generation: Generation | undefined) => isHeld(generation) && !generation?.isStarted;
    const until = { clock, endsMs: Math.min(endsMs, startsByMs(held)), ...pauses };
    const seen = await poll<Generation | undefined>(held, isIdle, read, until);
    if (isIdle(seen)) return seen;
  }
  return poll<Generation | undefined>(last, isHeld, read, { clock, endsMs, ...pauses });
}

/** Whether a generation that is held should have begun by now and has not: Lambda has no free execution for it. */
function isNotStarting(generation: Generation | undefined, nowMs: number): boolean {
  return generation?.state === 'LEASED' && !generation.isStarted && nowMs >= startsByMs(generation);
}

/** The moment (epoch, milliseconds) by which a run should have begun. */
function startsByMs({ leaseEndsMs = 0 }: Generation): number {
  return leaseEndsMs - generationLeaseMs + generatorStartMs;
}
