/**
 * Has an image made: acquire it, count the generation, invoke the generator, and wait for it, as all requests for the same
 * image do. In this order, so that of many requests at once one alone is counted.
 */

import { growingPauses } from '../base/growing-pauses';
import { secondsUntil } from '../base/window';
import type { KeyedCaller } from '../credentials/caller';
import type { LibraryPath } from '../images/library-path';
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
  /** Master of the base, for a variation. */
  readonly basePath?: LibraryPath | undefined;
  /** The execution whose master was found to be missing. */
  readonly gone?: string | undefined;
}

/** What became of an image that was wanted. `isNew`: this request has had it made. */
export type Made =
  | { readonly outcome: 'ready'; readonly generation: Generation; readonly isNew: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal of a request whose image is still being made, or that found no place to wait. */
const inProgress = refused(generationInProgress);

/**
 * Waits until the image is there, and acquires it once where nobody makes it.
 * @throws `Outage` when the item cannot be read or written; what was counted has been given back where nothing can begin
 */
export async function make(services: AiServices, wanted: WantedImage): Promise<Made> {
  const { clock } = services;
  const { identity, waitEndsMs, gone } = wanted;
  // Twelve reads in 20 s.
  const pause = growingPauses(clock, { firstMs: 300, growth: 1.36, endsMs: waitEndsMs });
  let own: string | undefined;
  let places: readonly Unit[] | undefined;
  try {
    for (;;) {
      const generation = await readGeneration(services, identity.key);
      const nowMs = clock.nowMs();
      const ended = endOf(generation, own, gone, nowMs);
      if (ended) return ended;
      if (nowMs >= waitEndsMs) return inProgress;
      if (generation?.state === 'making' && (generation.untilMs ?? 0) > nowMs) {
        places ??= await takePlace(services, wanted, nowMs);
        // What this request has begun goes on without it.
        if (!places) return inProgress;
        await pause();
        continue;
      }
      if (own !== undefined) return inProgress;
      const execution = services.ids.ulid(nowMs);
      if ((await acquire(services, { key: identity.key, execution }, gone)) === 'taken') continue;
      own = execution;
      const refusal = await countAndInvoke(services, wanted, execution);
      if (refusal) return refused(refusal);
    }
  } finally {
    if (places) await giveBack(services, places);
  }
}

/** How an image stands to a request; `undefined` where it is made, or to be made. */
function endOf(
  generation: Generation | undefined,
  own: string | undefined,
  gone: string | undefined,
  nowMs: number,
): Made | undefined {
  if (!generation) return undefined;
  const { state, execution, untilMs = 0, why: code = 'upstream_unavailable' } = generation;
  if (state === 'ready' && execution !== gone)
    return { outcome: 'ready', generation, isNew: execution === own };
  if (state === 'removed') return refused({ code: 'image_removed' });
  if (state !== 'failed' || (untilMs <= nowMs && execution !== own)) return undefined;
  if (code === 'not_started') return refused(serviceUnavailable);
  return refused(code === 'content_refused' ? { code } : { code, retryAfterS: secondsUntil(untilMs, nowMs) });
}

/** The refusal of a limit on AI images, or of the counters where they do not answer. */
export function refusalByLimit(by: Limit | undefined, nowMs: number): Refusal {
  if (!by) return serviceUnavailable;
  const { endMs: endsMs, kind } = by.window;
  if (by.kind !== 'generations' || kind === 'month') return refusalOf(by);
  if (kind === 'day') return { code: 'generation_paused', endsMs };
  return { ...generationInProgress, retryAfterS: secondsUntil(endsMs, nowMs) };
}

/** A place among those that wait, or none where all are taken. */
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

/** @returns why nothing was invoked, where a limit has refused it; of a generator that was not started the item says so */
async function countAndInvoke(
  services: AiServices,
  { identity, caller, basePath }: WantedImage,
  execution: string,
): Promise<Refusal | undefined> {
  const { key, order, look } = identity;
  const nowMs = services.clock.nowMs();
  const workLimits = workLimitsOf(caller, '', nowMs);
  // Whoever asks next begins the image, and does not wait for the lease of a run that never began.
  const end = () => fail(services, { key, execution }, 'not_started');
  let counted: Take;
  try {
    // A prompt that the model refuses takes `work`: where that is used up, nothing more is begun.
    const work = await Promise.all(workLimits.map((limit) => statusOfLimit(services, limit)));
    const by = workLimits.find((_, index) => work[index]?.remaining === 0);
    counted = by
      ? { outcome: 'refused', by }
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
    return refusalByLimit(counted.outcome === 'refused' ? counted.by : undefined, nowMs);
  }
  const { units } = counted;
  const job = { key, execution, order, counted: units, workLimits };
  try {
    await services.generatorQueue.handOver({ ...job, ...(look && { look }), ...(basePath && { basePath }) });
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    // Lambda may have taken the event all the same: only what no run has begun is free again.
    if (await end()) await giveBack(services, units);
  }
  return undefined;
}
