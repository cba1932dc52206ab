/**
 * Has an image made, or waits for it: a request acquires what nobody makes, counts the generation, starts a generator, and
 * then waits like every other request, reading the item. In this order, so that of many requests at once for one image one
 * alone is counted.
 */

import type { LibraryPath } from '../images/library-path';
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
import type { GenerationJob, GeneratorQueue } from './generator-queue';

/** What making an image needs of `Services`. */
export interface MakeServices extends GenerationServices, LimitServices {
  readonly tables: GenerationServices['tables'] & LimitServices['tables'];
  readonly ids: { ulid(nowMs: number): string };
  readonly generatorQueue: GeneratorQueue;
}

/** An image that is wanted, and what bounds its making. */
export interface Wanted {
  readonly identity: GenerationIdentity;
  /** What a generation is counted in. */
  readonly generationLimits: (nowMs: number) => readonly Limit[];
  /** What a refused prompt is counted in: where one of them is used up, nothing more is begun. */
  readonly workLimits: readonly Limit[];
  /** The places of requests that wait; empty where nothing bounds them. */
  readonly waitingLimits: (nowMs: number) => Promise<readonly Limit[]>;
  /** Moment (epoch, milliseconds) at which waiting ends. */
  readonly waitEndsMs: number;
  /** Master of the base, for a variation. */
  readonly basePath?: LibraryPath;
  /** The execution whose master was found to be missing. */
  readonly gone?: string;
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
export async function make(services: MakeServices, wanted: Wanted): Promise<Made> {
  const { clock } = services;
  const { identity, waitEndsMs, gone } = wanted;
  let own: string | undefined;
  let places: readonly Unit[] | undefined;
  try {
    for (let delayMs = pauseMs; ; ) {
      const generation = await readGeneration(services, identity.key);
      const nowMs = clock.nowMs();
      const { state, execution, untilMs = 0, why = 'upstream_unavailable' } = generation ?? {};
      if (generation && state === 'ready' && execution !== gone)
        return { outcome: 'ready', generation, isNew: execution === own };
      if (state === 'removed') return { outcome: 'removed' };
      if (state === 'failed' && (untilMs > nowMs || execution === own))
        return { outcome: 'failed', why, untilMs };
      if (nowMs >= waitEndsMs) return { outcome: 'in_progress' };
      if (state === 'making' && untilMs > nowMs) {
        if (!places) {
          const place = await take(services, await wanted.waitingLimits(nowMs), identity.imageId);
          if (place.outcome === 'refused') {
            // What this request has begun goes on without it.
            services.telemetry.count('shed', { reason: 'too_many_wait' });
            return { outcome: 'in_progress' };
          }
          places = place.units;
        }
        await clock.sleep(Math.min(delayMs, waitEndsMs - nowMs));
        delayMs = Math.round(delayMs * pauseGrowth);
        continue;
      }
      if (own !== undefined) return { outcome: 'in_progress' };
      const candidate = services.ids.ulid(nowMs);
      if ((await acquire(services, identity.key, candidate, gone)) === 'taken') continue;
      own = candidate;
      const refused = await start(services, wanted, candidate, generation?.tries ?? 0);
      if (refused) return refused;
    }
  } finally {
    if (places) await giveBack(services, places);
  }
}

/**
 * Counts a generation, and starts a generator for it.
 * @returns why nothing was started, where a limit has refused it; of a generator that was not started the item says so
 */
async function start(
  services: MakeServices,
  { identity, generationLimits, workLimits, basePath }: Wanted,
  execution: string,
  tries: number,
): Promise<Made | undefined> {
  const { key, order, similarityKey, visibility } = identity;
  const endBeforeBegun = () => fail(services, key, execution, { why: 'not_started', tries, isBegun: false });
  let counted: Take;
  try {
    const usedUp = await usedUpOf(services, workLimits);
    counted = usedUp
      ? { outcome: 'refused', by: usedUp }
      : await take(services, generationLimits(services.clock.nowMs()), execution);
  } catch (error) {
    // Whoever asks next begins the image, and does not wait for the lease of a run that never began.
    await endBeforeBegun();
    throw error;
  }
  if (counted.outcome !== 'taken') {
    if (counted.outcome === 'unknown') await giveBack(services, counted.units);
    await endBeforeBegun();
    return { outcome: 'refused', by: counted.outcome === 'refused' ? counted.by : undefined };
  }
  const job: GenerationJob = {
    key,
    execution,
    order,
    counted: counted.units,
    workLimits,
    tries,
    ...(visibility === 'public' && { look: similarityKey }),
    ...(basePath !== undefined && { basePath }),
  };
  try {
    await services.generatorQueue.handOver(job);
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    // Lambda may have taken the event all the same: only what no run has begun is free again.
    if (await endBeforeBegun()) await giveBack(services, counted.units);
  }
  return undefined;
}

/** The first limit that has no unit left. */
async function usedUpOf(services: MakeServices, limits: readonly Limit[]): Promise<Limit | undefined> {
  const bounded = limits.filter((limit) => !isUnlimited(limit));
  const used = await Promise.all(bounded.map((limit) => usedOf(services, limit)));
  return bounded.find(({ max }, index) => (used[index] as number) >= max);
}
