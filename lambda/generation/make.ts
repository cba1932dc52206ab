/**
 * Has an image made: acquire it, count the generation, invoke the generator, and wait for it, as all requests for the same
 * image do. In this order, so that of many requests at once one alone is counted.
 */

import type { Plans } from '../contract/plans';
import type { KeyedCaller } from '../credentials/caller';
import type { LibraryPath } from '../images/library-path';
import { generationLimitsOf, waitingLimitsOf, workLimitsOf } from '../quota/caller-limits';
import { isUnlimited, type Limit } from '../quota/limit';
import { giveBack, type LimitServices, type Take, take, type Unit, usedOf } from '../quota/take';
import type { GenerationIdentity } from './generation-identity';
import {
  acquire,
  type FailureReason,
  fail,
  type Generation,
  type GenerationServices,
  readGeneration,
} from './generations';
import type { GeneratorQueue } from './generator-queue';

/** What making an image needs of `Services`. */
export interface MakeServices extends GenerationServices, LimitServices {
  readonly tables: GenerationServices['tables'] & LimitServices['tables'];
  readonly ids: { ulid(nowMs: number): string };
  readonly generatorQueue: GeneratorQueue;
  readonly plans: Plans;
  /** The operator's day of generations, for all accounts together; absent for none. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions of the AWS account that no function has reserved; `undefined` where nothing bounds them. */
  readonly unreservedExecutions: () => Promise<number | undefined>;
}

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

/** What became of an image that was wanted. */
export type Made =
  /** `isNew`: this request has had it made. */
  | { readonly outcome: 'ready'; readonly generation: Generation; readonly isNew: boolean }
  | { readonly outcome: 'failed'; readonly why: FailureReason; readonly untilMs: number }
  | { readonly outcome: 'removed' }
  /** It is still being made, or no place to wait was left. */
  | { readonly outcome: 'in_progress' }
  /** `by`: the limit that is used up; absent where the counters do not answer. */
  | { readonly outcome: 'refused'; readonly by: Limit | undefined };

/** First pause between two reads, in milliseconds, and how much longer each one is: twelve reads in 20 s. */
const pauseMs = 300;
const pauseGrowth = 1.36;

/**
 * Waits until the image is there, and acquires it once where nobody makes it.
 * @throws `Outage` when the item cannot be read or written; what was counted has been given back where nothing can begin
 */
export async function make(services: MakeServices, wanted: WantedImage): Promise<Made> {
  const { clock } = services;
  const { identity, waitEndsMs, gone } = wanted;
  let own: string | undefined;
  let places: readonly Unit[] | undefined;
  try {
    for (let delayMs = pauseMs; ; ) {
      const generation = await readGeneration(services, identity.key);
      const nowMs = clock.nowMs();
      const ended = endOf(generation, own, gone, nowMs);
      if (ended) return ended;
      if (nowMs >= waitEndsMs) return { outcome: 'in_progress' };
      if (generation?.state === 'making' && (generation.untilMs ?? 0) > nowMs) {
        places ??= await takePlace(services, wanted, nowMs);
        // What this request has begun goes on without it.
        if (!places) return { outcome: 'in_progress' };
        await clock.sleep(Math.min(delayMs, waitEndsMs - nowMs));
        delayMs = Math.round(delayMs * pauseGrowth);
        continue;
      }
      if (own !== undefined) return { outcome: 'in_progress' };
      const execution = services.ids.ulid(nowMs);
      if ((await acquire(services, identity.key, execution, gone)) === 'taken') continue;
      own = execution;
      const refused = await countAndInvoke(services, wanted, execution, generation?.tries ?? 0);
      if (refused) return refused;
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
  const { state, execution, untilMs = 0, why = 'upstream_unavailable' } = generation;
  if (state === 'ready' && execution !== gone)
    return { outcome: 'ready', generation, isNew: execution === own };
  if (state === 'removed') return { outcome: 'removed' };
  const isOver = state === 'failed' && (untilMs > nowMs || execution === own);
  return isOver ? { outcome: 'failed', why, untilMs } : undefined;
}

/** A place among those that wait, or none where all are taken. */
async function takePlace(
  services: MakeServices,
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
  services: MakeServices,
  { identity, caller, basePath }: WantedImage,
  execution: string,
  tries: number,
): Promise<Made | undefined> {
  const { key, order, look } = identity;
  const nowMs = services.clock.nowMs();
  const workLimits = workLimitsOf(caller, '', nowMs);
  // Whoever asks next begins the image, and does not wait for the lease of a run that never began.
  const end = () => fail(services, key, execution, { why: 'not_started', tries, isBegun: false });
  let counted: Take;
  try {
    // A prompt that the model refuses takes `work`: where that is used up, nothing more is begun.
    const by = await usedUpOf(services, workLimits);
    counted = by
      ? { outcome: 'refused', by }
      : await take(services, limitsOfGenerations(services, caller, nowMs), execution);
  } catch (error) {
    await end();
    throw error;
  }
  if (counted.outcome !== 'taken') {
    if (counted.outcome === 'unknown') await giveBack(services, counted.units);
    await end();
    return { outcome: 'refused', by: counted.outcome === 'refused' ? counted.by : undefined };
  }
  const { units } = counted;
  const job = { key, execution, order, counted: units, workLimits, tries };
  try {
    await services.generatorQueue.handOver({ ...job, ...(look && { look }), ...(basePath && { basePath }) });
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    // Lambda may have taken the event all the same: only what no run has begun is free again.
    if (await end()) await giveBack(services, units);
  }
  return undefined;
}

/** What the sandbox draws for a test key costs the operator nothing, and counts in no day. */
export function limitsOfGenerations(
  { plans, generationsPerDay }: Pick<MakeServices, 'plans' | 'generationsPerDay'>,
  caller: KeyedCaller,
  nowMs: number,
): readonly Limit[] {
  return generationLimitsOf(caller, plans, caller.kind === 'live' ? generationsPerDay : undefined, nowMs);
}

/** The first limit that has no unit left. */
async function usedUpOf(services: MakeServices, limits: readonly Limit[]): Promise<Limit | undefined> {
  const bounded = limits.filter((limit) => !isUnlimited(limit));
  const used = await Promise.all(bounded.map((limit) => usedOf(services, limit)));
  return bounded.find(({ max }, index) => (used[index] as number) >= max);
}
