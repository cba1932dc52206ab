/** Makes sure for a request that an AI image exists: leads its generation, or waits for the execution that does. */

import { generationLeaseMs } from '../../contract/timeouts';
import type { Generation, Lease } from '../../domain/generation/generation';
import type { GenerationIdentity } from '../../domain/generation/generation-identity';
import type { LibraryPath } from '../../domain/image/library-path';
import type { Refusal } from '../../domain/problem/problem';
import { imageCost, type ReservationLimits } from '../../domain/quota/charge';
import {
  type Allowance,
  counterKey,
  type RateLimitStatus,
  rateLimitStatusOf,
} from '../../domain/quota/quota';
import type { Charges } from '../../ports/charges';
import type { Clock, Ids } from '../../ports/clock';
import type { GenerationIndex } from '../../ports/generation-index';
import type { GeneratorQueue } from '../../ports/generator-queue';
import type { QuotaCounters } from '../../ports/quota-counters';
import type { Telemetry } from '../../ports/telemetry';
import { giveBackBounds, refusalOf, takeBounds } from '../metering/take-bounds';
import { refusedBy, refusedByLimit, retryAfterS, whyFailed } from './making-refusals';
import { refusalForPrompts } from './refused-prompts';
import { failExecution, type SettleDeps, type SettledCharge } from './settle';
import { giveBackGenerations, type SpendGuard } from './spend-guard';
import { type Sweep, sweepOthers } from './sweep';
import { waitFor } from './wait-for';

export interface MakeImageDeps extends SettleDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly queue: GeneratorQueue;
  readonly sweep: Pick<Sweep, 'one'>;
  readonly counters: QuotaCounters;
  readonly spendGuard: SpendGuard;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

export interface ImageOrder {
  readonly identity: GenerationIdentity;
  /** What the making is charged to, and how many images its account may generate at once. */
  readonly limits: ReservationLimits;
  /** What bounds the caller's credential beside it: the making takes a unit of each where it costs one. */
  readonly bounds: readonly Allowance[];
  /** A free one costs no unit, and holds a place as every other. */
  readonly isFree: boolean;
  /** The hour's prompts of the account that the generator may refuse. */
  readonly refusedPrompts: Allowance;
  /** The operator's ceilings on generations that count this one. */
  readonly ceilings: readonly Allowance[];
  /** Path of the base image's master, for a variation. */
  readonly basePath?: LibraryPath;
  /** Moment (epoch, milliseconds) until which this request may wait. */
  readonly deadlineMs: number;
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
  | {
      readonly outcome: 'refused';
      readonly refusal: Refusal;
      readonly rateLimit?: RateLimitStatus;
      /** This request leads a making that goes on, and is charged when it ends. */
      readonly isOwed?: true;
    };

export type MakeImage = (order: ImageOrder) => Promise<MadeImage>;

/** @throws when a step's outcome is unknown; the sweeper finishes then. */
export function createMakeImage(deps: MakeImageDeps): MakeImage {
  const { index, clock } = deps;

  return async (order) => {
    const { key } = order.identity;
    let generation = await index.read(key);
    let led: Extract<Attempt, { outcome: 'leading' }> | undefined;
    let staleIds = 0;
    // The generation gives its unit back by itself; what its credential has taken is this request's to give back.
    const unled = async () => {
      if (led && !order.isFree) await giveBackBounds(deps, order.bounds, led.execution);
    };
    // Each round ends the request, or finds a lease that ran out or was given back while it waited.
    while (clock.nowMs() < order.deadlineMs) {
      if (generation?.state === 'READY') break;
      if (generation?.state === 'FAILED' && (generation.notBeforeMs ?? 0) > clock.nowMs()) {
        await unled();
        return { outcome: 'refused', refusal: whyFailed(generation, clock.nowMs()) };
      }
      if (generation?.state === 'LEASED' && (generation.leaseEndsMs ?? 0) >= clock.nowMs()) {
        generation = await waitFor(index, clock, generation, order.deadlineMs);
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
    if (generation?.state === 'READY') {
      const made = ready(generation, led);
      if (!made.led) await unled();
      return made;
    }
    const owed = led && !order.isFree ? ({ isOwed: true } as const) : {};
    return { outcome: 'refused', refusal: { code: 'generation_in_progress', retryAfterS }, ...owed };
  };
}

/** An execution that was taken over has made nothing: the one that has may be another request's. */
function ready(
  generation: Generation,
  led: Extract<Attempt, { outcome: 'leading' }> | undefined,
): Extract<MadeImage, { outcome: 'ready' }> {
  if (led?.execution !== generation.execution) return { outcome: 'ready', generation, led: false };
  const { rateLimit } = led;
  return { outcome: 'ready', generation, led: true, ...(rateLimit ? { rateLimit } : {}) };
}

type Attempt =
  | {
      readonly outcome: 'leading';
      readonly execution: string;
      readonly generation: Generation | undefined;
      readonly rateLimit?: RateLimitStatus;
    }
  | { readonly outcome: 'following' | 'stale'; readonly generation: Generation | undefined }
  | Extract<MadeImage, { outcome: 'refused' }>;

/** Tries to become the one execution that makes the image. */
async function lead(deps: MakeImageDeps, order: ImageOrder): Promise<Attempt> {
  const { index, ids, clock } = deps;
  const { identity, limits, isFree } = order;
  const refusal = await refusalForPrompts(deps.counters, order.refusedPrompts);
  if (refusal) return { outcome: 'refused', refusal, rateLimit: refusal.rateLimit };
  const nowMs = clock.nowMs();
  const execution = ids.ulid(nowMs);
  const leaseEndsMs = nowMs + generationLeaseMs;
  const quotaKey = counterKey(limits.allowance);
  const acquired = await index.acquire({
    key: identity.key,
    imageId: identity.imageId,
    execution,
    nowMs,
    leaseEndsMs,
    ...(isFree ? {} : { quotaKey }),
  });
  if (acquired.outcome === 'taken') return { outcome: 'following', generation: acquired.generation };
  const { lease } = acquired;

  const bounds = isFree ? [] : order.bounds;
  const bounded = await takeBounds(deps, bounds, execution);
  if (bounded.outcome !== 'taken') {
    await giveBack(deps, lease);
    if (bounded.outcome === 'unknown')
      return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
    return refusedByLimit(refusalOf(bounded.bound));
  }
  const operation = { quotaKey, execution, cost: isFree ? 0 : imageCost };
  const reservation = await deps.charges.reserve(
    { ...operation, generationKey: identity.key, dueMs: leaseEndsMs },
    limits,
  );
  if (reservation.outcome === 'reserved') {
    const rateLimit = isFree ? undefined : rateLimitStatusOf(limits.allowance, reservation.taken);
    const charge = { ...operation, prunable: reservation.prunable };
    const paused = await deps.spendGuard.admit(order.ceilings, execution);
    if (paused) {
      await giveBack(deps, lease, charge);
      await giveBackBounds(deps, bounds, execution);
      return { outcome: 'refused', refusal: paused };
    }
    const attempt = await handOver(deps, order, lease, charge, rateLimit);
    await sweepOthers(deps, reservation.overdue);
    return attempt;
  }
  await giveBack(deps, lease);
  await giveBackBounds(deps, bounds, execution);
  // The id was used up by a late copy of itself; the next round begins with a new one.
  if (reservation.outcome === 'stale')
    return { outcome: 'stale', generation: await index.read(identity.key) };
  return refusedBy(reservation.outcome, limits.allowance);
}

/** Gives back what no run was given: the lease, then what was reserved. What cannot be given back the sweeper finds. */
async function giveBack(
  { index, charges, telemetry }: MakeImageDeps,
  lease: Lease,
  charge?: SettledCharge,
): Promise<void> {
  try {
    await index.release(lease);
    if (charge) await charges.refund(charge, charge.prunable);
  } catch (error) {
    telemetry.error('An unused lease could not be given back', error);
  }
}

/** Gives the execution to the generator function. */
async function handOver(
  deps: MakeImageDeps,
  { identity, basePath, ceilings }: ImageOrder,
  lease: Lease,
  charge: SettledCharge,
  rateLimit: RateLimitStatus | undefined,
): Promise<Attempt> {
  try {
    await deps.queue.handOver({
      lease,
      order: identity.order,
      charge,
      counted: ceilings.map(({ window }) => window.kind as 'day' | 'month'),
      ...(identity.visibility === 'public' ? { similarityKey: identity.similarityKey } : {}),
      ...(basePath === undefined ? {} : { basePath }),
    });
  } catch (error) {
    // Whether it was taken or not: once the lease is ended, a run that did get the job can finish nothing.
    deps.telemetry.error('The generator did not take a job', error);
    await failExecution(deps, lease, charge, 'upstream_unavailable', 0);
    await giveBackGenerations(deps, ceilings, lease.execution);
  }
  return {
    outcome: 'leading',
    execution: lease.execution,
    generation: await deps.index.read(identity.key),
    ...(rateLimit ? { rateLimit } : {}),
  };
}
