/**
 * Has an AI image made: acquires it, counts the generation, invokes the generator, and waits as every other
 * request for the image does. It is acquired first, so that one of many requests at once is counted.
 */

import { growingPauses } from '../base/growing-pauses';
import { secondsUntil } from '../base/window';
import type { KeyedCaller } from '../credentials/caller';
import type { StoredPath } from '../images/stored-path';
import { generationInProgress, type Refusal, serviceUnavailable } from '../problems/problem';
import { generationLimitsOf, waitingLimitsOf, workLimitsOf } from '../quota/caller-limits';
import { statusOfLimit } from '../quota/charge';
import { type Limit, refusalOf } from '../quota/limit';
import { giveBack, type Take, take, type Unit } from '../quota/take';
import type { AiServices } from './deliver';
import type { GenerationIdentity } from './generation-identity';
import { acquire, fail, type Generation, readGeneration } from './generations';

/** An image that is wanted. */
export interface WantedImage {
  readonly identity: GenerationIdentity;
  readonly caller: KeyedCaller;
  /** Moment (epoch, milliseconds) at which waiting ends. */
  readonly waitEndsMs: number;
  /** Master of the base image, for a variation. */
  readonly basePath?: StoredPath | undefined;
  /** The execution whose master was found to be gone. */
  readonly goneExecution?: string | undefined;
}

/** An image that is ready, or why it is not. `isNew`: this request has had it made. */
export type Made =
  | { readonly outcome: 'ready'; readonly generation: Generation; readonly isNew: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal of a request whose image is not made in time, or that finds no place to wait. */
const inProgress = refused(generationInProgress);

/**
 * Waits until an image is ready, and has it made where no other request does, once.
 * @throws `Outage` when the item does not answer; what was counted is given back where nothing can begin
 */
export async function make(services: AiServices, wanted: WantedImage): Promise<Made> {
  const { clock } = services;
  const { identity, waitEndsMs, goneExecution } = wanted;
  // 300 ms, then 1.36 times as long: some twelve reads in `generationWaitMs`.
  const pause = growingPauses(clock, { firstMs: 300, growth: 1.36, endsMs: waitEndsMs });
  let ownExecution: string | undefined;
  let places: readonly Unit[] | undefined;
  try {
    for (;;) {
      const generation = await readGeneration(services, identity.key);
      const nowMs = clock.nowMs();
      const result = resultOf(generation, ownExecution, goneExecution, nowMs);
      if (result) return result;
      if (nowMs >= waitEndsMs) return inProgress;
      if (generation?.state === 'making' && (generation.untilMs ?? 0) > nowMs) {
        places ??= await takePlace(services, wanted, nowMs);
        // A generation that this request has begun goes on without it.
        if (!places) return inProgress;
        await pause();
        continue;
      }
      if (ownExecution !== undefined) return inProgress;
      const execution = services.ids.ulid(nowMs);
      if ((await acquire(services, { key: identity.key, execution }, goneExecution)) === 'taken') continue;
      ownExecution = execution;
      const refusal = await countAndInvoke(services, wanted, execution);
      if (refusal) return refused(refusal);
    }
  } finally {
    if (places) await giveBack(services, places);
  }
}

/** Returns what a request gets of a stored image; `undefined` where it is, or has to be, made. */
function resultOf(
  generation: Generation | undefined,
  ownExecution: string | undefined,
  goneExecution: string | undefined,
  nowMs: number,
): Made | undefined {
  if (!generation) return undefined;
  const { state, execution, untilMs = 0, why: code = 'upstream_unavailable' } = generation;
  if (state === 'ready' && execution !== goneExecution)
    return { outcome: 'ready', generation, isNew: execution === ownExecution };
  if (state === 'removed') return refused({ code: 'image_removed' });
  if (state !== 'failed' || (untilMs <= nowMs && execution !== ownExecution)) return undefined;
  if (code === 'not_started') return refused(serviceUnavailable);
  return refused(code === 'content_refused' ? { code } : { code, retryAfterS: secondsUntil(untilMs, nowMs) });
}

/** The refusal by a limit of AI images. @param limit absent where the counters do not answer */
export function refusalByLimit(limit: Limit | undefined, nowMs: number): Refusal {
  if (!limit) return serviceUnavailable;
  const { endsMs, kind } = limit.window;
  if (limit.kind !== 'generations' || kind === 'month') return refusalOf(limit);
  if (kind === 'day') return { code: 'generation_paused', endsMs };
  return { ...generationInProgress, retryAfterS: secondsUntil(endsMs, nowMs) };
}

/** Takes a place among the requests that wait; `undefined` where all are taken. */
async function takePlace(
  services: AiServices,
  { identity, caller }: WantedImage,
  nowMs: number,
): Promise<readonly Unit[] | undefined> {
  const limits = waitingLimitsOf(caller, await services.unreservedExecutions(), nowMs);
  const place = await take(services, limits, identity.imageId);
  if (place.outcome !== 'refused') return place.units;
  services.telemetry.count('shed', { reason: 'too_many_wait' });
  return undefined;
}

/**
 * Counts a generation, and invokes the generator.
 * @returns the refusal of a limit; that the generator could not be invoked is written into the image's item
 */
async function countAndInvoke(
  services: AiServices,
  { identity, caller, basePath }: WantedImage,
  execution: string,
): Promise<Refusal | undefined> {
  const { key, order, wordsAndStyleHash: look } = identity;
  const nowMs = services.clock.nowMs();
  const workLimits = workLimitsOf(caller, '', nowMs);
  // The next request can acquire the image at once, and need not wait for the lease to end.
  const end = () => fail(services, { key, execution }, 'not_started');
  let counted: Take;
  try {
    // A prompt that the model refuses takes `work`: where that is used up, nothing more is begun.
    const work = await Promise.all(workLimits.map((limit) => statusOfLimit(services, limit)));
    const usedUp = workLimits.find((_, index) => work[index]?.remaining === 0);
    counted = usedUp
      ? { outcome: 'refused', limit: usedUp }
      : await take(
          services,
          generationLimitsOf(caller, services.plans, services.generationsPerDay, nowMs),
          execution,
        );
  } catch (error) {
    await end();
    throw error;
  }
  if (counted.outcome !== 'taken') {
    if (counted.outcome === 'unknown') await giveBack(services, counted.units);
    await end();
    return refusalByLimit(counted.outcome === 'refused' ? counted.limit : undefined, nowMs);
  }
  const { units } = counted;
  const job = { key, execution, order, counted: units, workLimits };
  try {
    await services.generatorQueue.handOver({ ...job, ...(look && { look }), ...(basePath && { basePath }) });
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    // Lambda may have accepted the event all the same: units are given back only where no run has begun.
    if (await end()) await giveBack(services, units);
  }
  return undefined;
}
