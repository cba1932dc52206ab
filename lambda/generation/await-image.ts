/**
 * Waits for an AI image, and has it made where no other request does. The image is acquired before the
 * generation is counted, so that one of many requests at once is counted.
 */

import { createPauses } from '../base/retry';
import { secondsUntil } from '../base/window';
import { generationWaitMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { StoredPath } from '../images/stored-path';
import { generationInProgress, type Refusal, serviceUnavailable } from '../problems/problem';
import { listGenerationLimits, listWaitingLimits, listWorkLimits } from '../quota/caller-limits';
import { refuseByLimit, refuseGeneration } from '../quota/limit';
import { giveBackUnits, readLimitStatus, takeUnits, type Unit } from '../quota/take';
import type { AiImageIdentity } from './ai-image-identity';
import { type AiImage, acquireImage, failGeneration, type Generation, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';

/** The image that a request waits for. `basePath`: master of the base image, for a variation. */
export interface AwaitedImage {
  readonly identity: AiImageIdentity;
  readonly caller: KeyedCaller;
  readonly basePath?: StoredPath | undefined;
  /** The generation whose master was found to be gone. */
  readonly goneGenerationId?: string | undefined;
}

/** An image that is ready, or why it is not. `isNew`: this request has had it made. */
export type AwaitedResult =
  | { readonly outcome: 'ready'; readonly aiImage: AiImage; readonly isNew: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal of a request whose image is not made in time, or that finds no place to wait. */
const inProgress = refused(generationInProgress);

/**
 * Waits until an image is ready. A request has it made at most once, also where it may not wait for it.
 * @throws `Outage` when the item does not answer; what was counted is given back where nothing can begin
 */
export async function awaitImage(services: AiServices, request: AwaitedImage): Promise<AwaitedResult> {
  const { clock, deadline, ids } = services;
  const { key } = request.identity;
  const waitEndsMs = Math.min(clock.nowMs() + generationWaitMs, deadline.endsMs - renditionReserveMs);
  // 300 ms, then 1.36 times as long: some twelve reads in `generationWaitMs`.
  const pause = createPauses(clock, { firstMs: 300, growth: 1.36, endsMs: waitEndsMs });
  let ownGenerationId: string | undefined;
  let place: readonly Unit[] | undefined;
  try {
    for (;;) {
      const aiImage = await readAiImage(services, key);
      const nowMs = clock.nowMs();
      const result = findResult(aiImage, request, ownGenerationId, nowMs);
      if (result) return result;
      if (nowMs >= waitEndsMs) return inProgress;
      if (aiImage?.state === 'making' && Number(aiImage.untilMs) > nowMs) {
        place ??= await takePlace(services, request);
        if (!place) return inProgress;
        await pause();
        continue;
      }
      // The generation of this request was taken over.
      if (ownGenerationId !== undefined) return inProgress;
      const generation = { key, generationId: ids.ulid(nowMs) };
      // Where another request was faster, the next read shows its generation.
      if (!(await acquireImage(services, generation, request.goneGenerationId))) continue;
      ownGenerationId = generation.generationId;
      const refusal = await startGeneration(services, request, generation);
      if (refusal) return refused(refusal);
    }
  } finally {
    if (place) await giveBackUnits(services, place);
  }
}

/** Finds how a request ends by its image; `undefined` while the image is made, or has to be. */
function findResult(
  aiImage: AiImage | undefined,
  { goneGenerationId }: AwaitedImage,
  ownGenerationId: string | undefined,
  nowMs: number,
): AwaitedResult | undefined {
  const { state, generationId, untilMs = 0, reason } = aiImage ?? {};
  const isOwn = generationId !== undefined && generationId === ownGenerationId;
  if (aiImage && state === 'ready' && generationId !== goneGenerationId)
    return { outcome: 'ready', aiImage, isNew: isOwn };
  if (state === 'removed') return refused({ code: 'image_removed' });
  if (state !== 'failed' || (untilMs <= nowMs && !isOwn)) return undefined;
  if (reason === 'not_started') return refused(serviceUnavailable);
  if (reason === 'content_refused') return refused({ code: reason });
  return refused({ code: 'upstream_unavailable', retryAfterS: secondsUntil(untilMs, nowMs) });
}

/** Takes a place among the requests that wait; `undefined` where there is none. */
async function takePlace(
  services: AiServices,
  { caller, identity }: AwaitedImage,
): Promise<readonly Unit[] | undefined> {
  const limits = listWaitingLimits(caller, await services.unreservedExecutions(), services.clock.nowMs());
  const place = await takeUnits(services, limits, identity.imageId);
  if (place.outcome !== 'refused') return place.units;
  services.telemetry.count('overloads', { reason: 'too_many_wait' });
  return undefined;
}

/**
 * Counts a generation that holds the image, and invokes the generator. Where that fails, the generation ends:
 * the next request can acquire the image at once, and need not wait for the lease to end.
 * @returns the refusal of a limit
 */
async function startGeneration(
  services: AiServices,
  request: AwaitedImage,
  generation: Generation,
): Promise<Refusal | undefined> {
  const counted = await countGeneration(services, request.caller, generation).catch(
    async (error: unknown) => {
      await failGeneration(services, generation, 'not_started');
      throw error;
    },
  );
  if ('units' in counted) return handOver(services, request, generation, counted.units);
  await failGeneration(services, generation, 'not_started');
  return counted.refusal;
}

/** Hands a counted generation to the generator; where that fails, ends it. */
async function handOver(
  services: AiServices,
  { identity: { imageId: _, ...identity }, caller, basePath }: AwaitedImage,
  generation: Generation,
  counted: readonly Unit[],
): Promise<undefined> {
  const workLimits = listWorkLimits(caller, '', services.clock.nowMs());
  try {
    await services.generatorQueue.handOver({ ...identity, ...generation, counted, workLimits, basePath });
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    const isEnded = await failGeneration(services, generation, 'not_started');
    // Lambda may have accepted the event all the same: units are given back only where no run has begun.
    if (isEnded) await giveBackUnits(services, counted);
  }
}

/**
 * Takes a unit of each limit of AI images. A prompt that the model refuses takes `work`: where that is used
 * up, nothing more is begun.
 * @returns the refusal, with which nothing is known to stay counted
 * @throws when the table of counters refuses the call as such
 */
async function countGeneration(
  services: AiServices,
  caller: KeyedCaller,
  { generationId }: Generation,
): Promise<{ readonly units: readonly Unit[] } | { readonly refusal: Refusal }> {
  const nowMs = services.clock.nowMs();
  const workLimits = listWorkLimits(caller, '', nowMs);
  for (const limit of workLimits) {
    const { remaining } = await readLimitStatus(services, limit);
    if (remaining === 0) return { refusal: refuseByLimit(limit) };
  }
  const limits = listGenerationLimits(caller, services.plans, services.generationsPerDay, nowMs);
  const taken = await takeUnits(services, limits, generationId);
  if (taken.outcome === 'taken') return taken;
  if (taken.outcome === 'unknown') await giveBackUnits(services, taken.units);
  const limit = taken.outcome === 'refused' ? taken.limit : undefined;
  return { refusal: limit ? refuseGeneration(limit, nowMs) : serviceUnavailable };
}
