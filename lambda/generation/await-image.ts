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
import { generationLimitsOf, waitingLimitsOf, workLimitsOf } from '../quota/caller-limits';
import { generationRefusalOf, refusalOf } from '../quota/limit';
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

/** The request is to wait for the image, which it has made itself where `ownExecution` is present. */
type Waiting = { readonly outcome: 'wait'; readonly ownGenerationId: string | undefined };

/** A read of the image by a request. */
interface Attempt extends AwaitedImage {
  readonly waitEndsMs: number;
  /** The generation by which the request has the image made; absent before it has acquired the image. */
  readonly ownGenerationId?: string | undefined;
}

const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal of a request whose image is not made in time, or that finds no place to wait. */
const inProgress = refused(generationInProgress);

/**
 * Waits until an image is ready. A request has it made at most once, also where it may not wait for it.
 * @throws `Outage` when the item does not answer; what was counted is given back where nothing can begin
 */
export async function awaitImage(services: AiServices, request: AwaitedImage): Promise<AwaitedResult> {
  const { clock, deadline } = services;
  const waitEndsMs = Math.min(clock.nowMs() + generationWaitMs, deadline.endsMs - renditionReserveMs);
  const result = await readOrMake(services, { ...request, waitEndsMs });
  if (result.outcome !== 'wait') return result;
  return waitInPlace(services, { ...request, waitEndsMs, ownGenerationId: result.ownGenerationId });
}

/** Reads an image, and has it made where no request does. */
async function readOrMake(services: AiServices, attempt: Attempt): Promise<AwaitedResult | Waiting> {
  const { key } = attempt.identity;
  let { ownGenerationId } = attempt;
  for (;;) {
    const aiImage = await readAiImage(services, key);
    const nowMs = services.clock.nowMs();
    const step = nextStep(aiImage, { ...attempt, ownGenerationId }, nowMs);
    if (step.outcome !== 'acquire') return step;
    const generation = { key, generationId: services.ids.ulid(nowMs) };
    // Where another request was faster, the next read shows its generation.
    if (!(await acquireImage(services, generation, attempt.goneGenerationId))) continue;
    ownGenerationId = generation.generationId;
    const refusal = await startGeneration(services, attempt, generation);
    if (refusal) return refused(refusal);
  }
}

/** Reads an image until it needs no more waiting, while the request has a place among those that wait. */
async function waitInPlace(services: AiServices, attempt: Attempt): Promise<AwaitedResult> {
  const { clock, telemetry } = services;
  const limits = waitingLimitsOf(attempt.caller, await services.unreservedExecutions(), clock.nowMs());
  const place = await takeUnits(services, limits, attempt.identity.imageId);
  if (place.outcome === 'refused') {
    telemetry.count('overloads', { reason: 'too_many_wait' });
    return inProgress;
  }
  // 300 ms, then 1.36 times as long: some twelve reads in `generationWaitMs`.
  const pause = createPauses(clock, { firstMs: 300, growth: 1.36, endsMs: attempt.waitEndsMs });
  let waiting = attempt;
  try {
    for (;;) {
      await pause();
      const result = await readOrMake(services, waiting);
      if (result.outcome !== 'wait') return result;
      waiting = { ...attempt, ownGenerationId: result.ownGenerationId };
    }
  } finally {
    await giveBackUnits(services, place.units);
  }
}

/** Decides the next step of a request that has read its image: to end, to wait, or to acquire the image. */
function nextStep(
  aiImage: AiImage | undefined,
  { goneGenerationId, ownGenerationId, waitEndsMs }: Attempt,
  nowMs: number,
): AwaitedResult | Waiting | { readonly outcome: 'acquire' } {
  const { state, generationId, untilMs = 0, reason } = aiImage ?? {};
  const isOwn = generationId !== undefined && generationId === ownGenerationId;
  if (aiImage && state === 'ready' && generationId !== goneGenerationId)
    return { outcome: 'ready', aiImage, isNew: isOwn };
  if (state === 'removed') return refused({ code: 'image_removed' });
  if (state === 'failed' && (untilMs > nowMs || isOwn))
    return refused(refusalOfFailure(reason, untilMs, nowMs));
  if (nowMs >= waitEndsMs) return inProgress;
  if (state === 'making' && untilMs > nowMs) return { outcome: 'wait', ownGenerationId };
  return ownGenerationId === undefined ? { outcome: 'acquire' } : inProgress;
}

function refusalOfFailure(reason: AiImage['reason'], untilMs: number, nowMs: number): Refusal {
  if (reason === 'not_started') return serviceUnavailable;
  if (reason === 'content_refused') return { code: reason };
  return { code: 'upstream_unavailable', retryAfterS: secondsUntil(untilMs, nowMs) };
}

/**
 * Counts a generation that holds the image, and invokes the generator. Where that fails,
 * it ends: the next request can acquire the image at once, and need not wait for the lease to end.
 * @returns the refusal of a limit
 */
async function startGeneration(
  services: AiServices,
  request: AwaitedImage,
  generation: Generation,
): Promise<Refusal | undefined> {
  let counted: Awaited<ReturnType<typeof countGeneration>>;
  try {
    counted = await countGeneration(services, request.caller, generation.generationId);
  } catch (error) {
    await failGeneration(services, generation, 'not_started');
    throw error;
  }
  if ('units' in counted) return handOver(services, request, generation, counted.units);
  await failGeneration(services, generation, 'not_started');
  return counted.refusal;
}

/** Hands a counted generation to the generator. Where that fails, the image's item says so. */
async function handOver(
  services: AiServices,
  { identity: { imageId: _, ...drawing }, caller, basePath }: AwaitedImage,
  generation: Generation,
  counted: readonly Unit[],
): Promise<undefined> {
  const workLimits = workLimitsOf(caller, '', services.clock.nowMs());
  try {
    await services.generatorQueue.handOver({ ...drawing, ...generation, counted, workLimits, basePath });
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
  generationId: string,
): Promise<{ readonly units: readonly Unit[] } | { readonly refusal: Refusal }> {
  const nowMs = services.clock.nowMs();
  const workLimits = workLimitsOf(caller, '', nowMs);
  const statuses = await Promise.all(workLimits.map((limit) => readLimitStatus(services, limit)));
  const usedUp = workLimits.find((_, index) => statuses[index]?.remaining === 0);
  if (usedUp) return { refusal: refusalOf(usedUp) };
  const limits = generationLimitsOf(caller, services.plans, services.generationsPerDay, nowMs);
  const taken = await takeUnits(services, limits, generationId);
  if (taken.outcome === 'taken') return taken;
  if (taken.outcome === 'unknown') await giveBackUnits(services, taken.units);
  const limit = taken.outcome === 'refused' ? taken.limit : undefined;
  return { refusal: limit ? generationRefusalOf(limit, nowMs) : serviceUnavailable };
}
