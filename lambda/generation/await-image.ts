/**
 * Waits until an AI image is ready. The first request has the image made, and the others only wait. Only the
 * request that acquires the image counts a generation.
 */

import { createPauses } from '../base/retry';
import { computeSecondsUntil } from '../base/window';
import { generationWaitMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { RefusedOutcome } from '../images/image-outcome';
import type { StoredPath } from '../images/stored-path';
import { generationInProgress, type Refusal, serviceUnavailable } from '../problems/problem';
import { listGenerationLimits, listWaitingLimits, listWorkLimits } from '../quota/caller-limits';
import { type Limit, refuseByLimit, refuseGeneration } from '../quota/limit';
import { giveBackUnits, readLimitStatus, takeUnits, type Unit } from '../quota/take';
import type { AiImageIdentity } from './ai-image-identity';
import { type AiImage, acquireImage, failGeneration, type Generation, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';

/** The image that a request waits for. */
export interface AwaitedImage {
  readonly identity: AiImageIdentity;
  readonly caller: KeyedCaller;
  /** The master of the base image. A variation has it when its base image is ready. */
  readonly basePath?: StoredPath | undefined;
  /** The generation that this request has found without its master. The image is then made again. */
  readonly goneGenerationId?: string | undefined;
}

/** An image that is ready, or the reason why it is not. `isNew`: this request has had it made. */
export type AwaitedResult =
  | { readonly outcome: 'ready'; readonly aiImage: AiImage; readonly isNew: boolean }
  | RefusedOutcome;

const makeRefusedOutcome = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal when the image is not ready in time, or when too many requests wait. */
const inProgress = makeRefusedOutcome(generationInProgress);

/**
 * Waits until an image is ready. If nobody makes it, this request has it made, once at most.
 * @throws `Outage` when the image cannot be read or written
 */
export async function awaitImage(services: AiServices, awaitedImage: AwaitedImage): Promise<AwaitedResult> {
  const { clock, deadline, ids } = services;
  const { key } = awaitedImage.identity;
  const waitEndsMs = Math.min(clock.nowMs() + generationWaitMs, deadline.endsMs - renditionReserveMs);
  // 300 ms, then 1.36 times as long each time: some twelve reads in `generationWaitMs`.
  const pause = createPauses(clock, { firstMs: 300, growth: 1.36, endsMs: waitEndsMs });
  let ownGenerationId: string | undefined;
  let waitingUnits: readonly Unit[] | undefined;
  try {
    for (;;) {
      const aiImage = await readAiImage(services, key);
      const nowMs = clock.nowMs();
      const step = chooseStep(aiImage, awaitedImage, ownGenerationId, nowMs);
      if (typeof step === 'object') return step;
      if (nowMs >= waitEndsMs) return inProgress;
      if (step === 'wait') {
        waitingUnits ??= await takeWaitingUnits(services, awaitedImage);
        if (!waitingUnits) return inProgress;
        await pause();
      } else {
        const generation = { key, generationId: ids.makeUlid(nowMs) };
        // If another request was faster, the next read shows its generation.
        if (!(await acquireImage(services, generation, awaitedImage.goneGenerationId))) continue;
        ownGenerationId = generation.generationId;
        const refusal = await startGeneration(services, awaitedImage, generation);
        if (refusal) return makeRefusedOutcome(refusal);
      }
    }
  } finally {
    if (waitingUnits) await giveBackUnits(services, waitingUnits);
  }
}

/** Chooses the next step of a request: it ends with a result, waits for a generation, or has the image made. */
function chooseStep(
  aiImage: AiImage | undefined,
  { goneGenerationId }: AwaitedImage,
  ownGenerationId: string | undefined,
  nowMs: number,
): AwaitedResult | 'wait' | 'make' {
  const { state, generationId, untilMs = 0, reason } = aiImage ?? {};
  const isOwn = generationId !== undefined && generationId === ownGenerationId;
  const isOver = untilMs <= nowMs;
  if (aiImage && state === 'ready' && generationId !== goneGenerationId)
    return { outcome: 'ready', aiImage, isNew: isOwn };
  if (state === 'removed') return makeRefusedOutcome({ code: 'image_removed' });
  if (state === 'failed' && (isOwn || !isOver)) {
    if (reason === 'not_started') return makeRefusedOutcome(serviceUnavailable);
    if (reason === 'content_refused') return makeRefusedOutcome({ code: reason });
    return makeRefusedOutcome({
      code: 'upstream_unavailable',
      retryAfterS: computeSecondsUntil(untilMs, nowMs),
    });
  }
  if (state === 'making' && !isOver) return 'wait';
  // A request does not have an image made twice, even if its generation has lost the image.
  return ownGenerationId === undefined ? 'make' : inProgress;
}

/** Takes a place among the requests that wait. Returns `undefined` when all places are taken. */
async function takeWaitingUnits(
  services: AiServices,
  { caller, identity }: AwaitedImage,
): Promise<readonly Unit[] | undefined> {
  const executions = await services.countUnreservedExecutions();
  const limits = listWaitingLimits(caller, executions, services.clock.nowMs());
  const result = await takeUnits(services, limits, identity.imageId);
  if (result.outcome !== 'refused') return result.units;
  services.telemetry.count('overloads', { reason: 'too_many_wait' });
  return undefined;
}

/**
 * Counts a generation and invokes the generator. If either is refused or fails, the generation fails at once, so
 * that the next request need not wait for the end of its lease.
 * @returns the refusal of a limit, or `undefined`
 */
async function startGeneration(
  services: AiServices,
  { identity: { imageId: _, ...identity }, caller, basePath }: AwaitedImage,
  generation: Generation,
): Promise<Refusal | undefined> {
  const workLimits = listWorkLimits(caller, '', services.clock.nowMs());
  let countedUnits: readonly Unit[] = [];
  try {
    const count = await countGeneration(services, caller, generation, workLimits);
    if ('refusal' in count) {
      await failGeneration(services, generation, 'not_started');
      return count.refusal;
    }
    countedUnits = count.units;
    const job = { ...identity, ...generation, countedUnits, workLimits, basePath };
    await services.generatorQueue.handOver(job);
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    // Lambda may have accepted the event before the error. The units are given back only if no run has begun.
    const isNotStarted = await failGeneration(services, generation, 'not_started');
    if (isNotStarted) await giveBackUnits(services, countedUnits);
  }
  return undefined;
}

/**
 * Takes a unit of each limit of AI images. It is refused when no `work` is left, because a prompt that the
 * model refuses takes `work`.
 * @returns the units, or a refusal. After a refusal, all units were given back, or a metric counts the loss.
 */
async function countGeneration(
  services: AiServices,
  caller: KeyedCaller,
  { generationId }: Generation,
  workLimits: readonly Limit[],
): Promise<{ readonly units: readonly Unit[] } | { readonly refusal: Refusal }> {
  for (const limit of workLimits) {
    const { remaining } = await readLimitStatus(services, limit);
    if (remaining === 0) return { refusal: refuseByLimit(limit) };
  }
  const nowMs = services.clock.nowMs();
  const limits = listGenerationLimits(caller, services.plans, services.generationsPerDay, nowMs);
  const result = await takeUnits(services, limits, generationId);
  if (result.outcome === 'taken') return result;
  if (result.outcome === 'unknown') await giveBackUnits(services, result.units);
  const limit = result.outcome === 'refused' ? result.limit : undefined;
  return { refusal: limit ? refuseGeneration(limit, nowMs) : serviceUnavailable };
}
