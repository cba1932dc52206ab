/** Leads a generation: takes its lease, reserves its charge and hands the job to the generator function. */

import type { Clock, Ids } from '../base/clock';
import { whileClosing } from '../base/request-deadline';
import type { Telemetry } from '../base/telemetry';
import { generationLeaseMs } from '../contract/timeouts';
import type { Refused } from '../images/answer';
import type { LibraryPath } from '../images/library-path';
import {
  generationInProgress,
  inProgressRetryAfterS,
  type LimitRefusal,
  type Refusal,
  serviceUnavailable,
  throttleRefusal,
} from '../problems/problem';
import { type Ledger, refusalOf, type Take } from '../quota/ledger';
import type { Payment } from '../quota/payment';
import { type Limit, rateLimitStatusOf, reservationsKey } from '../quota/quota';
import { type Charges, imageCost, type ReservationLimits } from '../quota/reservations';
import type { Generation, GenerationIndex, Lease } from './generation';
import type { GenerationIdentity } from './generation-identity';
import { GeneratorBusy, type GeneratorQueue, nameOfCeiling } from './generation-job';
import { failExecution, type SettleDeps, type SettledCharge, type Sweep, sweepOthers } from './settle';

/** What an execution needs until the generator has its job. */
export interface LeadDeps extends SettleDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly queue: GeneratorQueue;
  readonly sweep: Pick<Sweep, 'one'>;
  readonly ledger: Pick<Ledger, 'take' | 'giveBack' | 'status'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** An image to be made, for whom, and within which limits. */
export interface ImageOrder {
  readonly identity: GenerationIdentity;
  /** What the making is charged to, and how many images its account may generate at once. */
  readonly limits: ReservationLimits;
  /** What the caller's credential may spend beside it: the making takes a unit of each where it costs one. */
  readonly credentialLimits: readonly Limit[];
  /** A free one costs no unit, and holds a place as every other. */
  readonly isFree: boolean;
  /** The hour's prompts of the account that the generator may refuse. */
  readonly refusedPrompts: Limit;
  /** The operator's ceilings on generations that count this one. */
  readonly ceilings: readonly Limit[];
  /** Path of the base image's master, for a variation. */
  readonly basePath?: LibraryPath;
  /** Moment (epoch, milliseconds) until which this request may wait. */
  readonly deadlineMs: number;
}

/** This request has begun the execution that makes the image. */
export interface Leading {
  readonly outcome: 'leading';
  readonly execution: string;
  readonly generation: Generation | undefined;
  /** Present when the generation is charged: what pays for it, and for its first delivery. */
  readonly payment?: Payment;
}
/** What became of an attempt to lead. */
type Attempt =
  | Leading
  | { readonly outcome: 'following' | 'stale'; readonly generation: Generation | undefined }
  | Refused;

/**
 * Tries to become the one execution that makes the image.
 * @throws when a step's outcome is unknown; the sweeper finishes then
 */
export async function lead(deps: LeadDeps, order: ImageOrder): Promise<Attempt> {
  const { index, ids, clock } = deps;
  const { identity, limits, isFree } = order;
  const refusal = await refusalForPrompts(deps.ledger, order.refusedPrompts);
  if (refusal) return { outcome: 'refused', refusal };
  const nowMs = clock.nowMs();
  const execution = ids.ulid(nowMs);
  const leaseEndsMs = nowMs + generationLeaseMs;
  const quotaKey = reservationsKey(limits.quota);
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

  const credentialLimits = isFree ? [] : order.credentialLimits;
  const charge = await deps.ledger.take(credentialLimits, execution);
  if (charge.outcome !== 'taken') {
    await giveBack(deps, lease);
    const refusal = charge.outcome === 'refused' ? charge.refusal : serviceUnavailable;
    return { outcome: 'refused', refusal };
  }
  const operation = { quotaKey, execution, cost: isFree ? 0 : imageCost };
  const reservation = await deps.charges.reserve(
    { ...operation, imageId: identity.imageId, dueMs: leaseEndsMs },
    limits,
  );
  if (reservation.outcome === 'reserved') {
    const rateLimit = rateLimitStatusOf(limits.quota, reservation.taken);
    const payment: Payment | undefined = isFree ? undefined : { state: 'owed', rateLimit };
    const charge = { ...operation, prunable: reservation.prunable };
    const counted = await countGeneration(deps, order.ceilings, execution);
    if (counted.outcome !== 'taken') {
      await giveBack(deps, lease, charge);
      await deps.ledger.giveBack(credentialLimits, execution);
      return { outcome: 'refused', refusal: pausedBy(counted) };
    }
    const attempt = await handOver(deps, order, lease, charge, counted.of, payment);
    await sweepOthers(deps, reservation.overdue);
    return attempt;
  }
  await giveBack(deps, lease);
  await deps.ledger.giveBack(credentialLimits, execution);
  // The id was used up by a late copy of itself; the next round begins with a new one.
  if (reservation.outcome === 'stale')
    return { outcome: 'stale', generation: await index.read(identity.key) };
  if (reservation.outcome === 'throttled') return refusedByThrottle(deps.telemetry);
  const refused: Refusal =
    reservation.outcome === 'too_many_generations'
      ? { code: reservation.outcome, retryAfterS: inProgressRetryAfterS }
      : refusalOf(limits.quota);
  return { outcome: 'refused', refusal: refused };
}

/** Gives back what no run was given: the lease, then what was reserved. What cannot be given back the sweeper finds. */
async function giveBack(
  { index, charges, telemetry }: LeadDeps,
  lease: Lease,
  charge?: SettledCharge,
): Promise<void> {
  try {
    await index.release(lease);
    if (charge) await whileClosing(() => charges.refund(charge, charge.prunable));
  } catch (error) {
    telemetry.error('An unused lease could not be given back', error);
  }
}

/** Gives the execution to the generator function. */
async function handOver(
  deps: LeadDeps,
  { identity, basePath, credentialLimits, isFree }: ImageOrder,
  lease: Lease,
  charge: SettledCharge,
  counted: readonly Limit[],
  payment: Payment | undefined,
): Promise<Attempt> {
  try {
    await deps.queue.handOver({
      lease,
      order: identity.order,
      charge,
      counted: counted.map(nameOfCeiling),
      ...(identity.visibility === 'public' ? { similarityKey: identity.similarityKey } : {}),
      ...(basePath === undefined ? {} : { basePath }),
    });
  } catch (error) {
    if (error instanceof GeneratorBusy) {
      await giveBack(deps, lease, charge);
      await deps.ledger.giveBack([...counted, ...(isFree ? [] : credentialLimits)], lease.execution);
      return shed(deps.telemetry, 'throttled');
    }
    // Whether it was taken or not: once the lease is ended, a run that did get the job can finish nothing.
    deps.telemetry.error('The generator did not take a job', error);
    if (await failExecution(deps, lease, charge, 'not_started', 0))
      await deps.ledger.giveBack(counted, lease.execution);
  }
  return {
    outcome: 'leading',
    execution: lease.execution,
    generation: await deps.index.read(identity.key),
    ...(payment && { payment }),
  };
}

/**
 * The refusal for an account whose prompts the generator has refused as often in an hour as it may. Prompts that are
 * being drawn are not counted yet, so as many as an account may generate at once can come on top.
 */
async function refusalForPrompts(
  ledger: Pick<Ledger, 'status'>,
  refusedPrompts: Limit,
): Promise<LimitRefusal | undefined> {
  const rateLimit = await ledger.status({ quota: refusedPrompts });
  return rateLimit.remaining > 0 ? undefined : { code: 'rate_limited', rateLimit, use: 'refused-prompts' };
}

/** Counts an image to be made in the operator's ceilings. What may not be counted is not made. Never throws. */
async function countGeneration(
  { ledger, telemetry }: LeadDeps,
  ceilings: readonly Limit[],
  execution: string,
): Promise<Take> {
  try {
    return await ledger.take(ceilings, execution);
  } catch (error) {
    telemetry.error('A generation was not counted', error);
    return { outcome: 'unknown' };
  }
}

function pausedBy(counted: Exclude<Take, { outcome: 'taken' }>): Refusal {
  if (counted.outcome === 'unknown') return serviceUnavailable;
  const { by, refusal } = counted;
  const isDay =
    by?.counter.kind === 'fair-use' && by.counter.use === 'generations' && by.window.kind === 'day';
  return isDay ? { code: 'generation_paused', endsMs: by.window.endMs } : refusal;
}

function refusedByThrottle(telemetry: Telemetry): Refused {
  telemetry.count('meterThrottled');
  return { outcome: 'refused', refusal: throttleRefusal };
}

/**
 * Refuses a request rather than leaving it waiting, so that its Lambda execution is free for others.
 * @param reason `too_many_wait`: as many requests wait as may; `not_started`: no generator has begun in time;
 * `throttled`: Lambda has refused the job; `clock_behind`: new ids are older than settled ones
 */
export function shed(
  telemetry: Telemetry,
  reason: 'too_many_wait' | 'not_started' | 'throttled' | 'clock_behind',
  payment?: Payment,
): Refused {
  telemetry.count('shed', { reason });
  return inProgress(payment);
}

/** @param payment of this request's own generation, which goes on */
export function inProgress(payment?: Payment): Refused {
  return { outcome: 'refused', refusal: generationInProgress, ...(payment && { payment }) };
}
