/**
 * Waits for an AI image, and has it made where no other request does. The image is acquired before the
 * generation is counted, so that one of many requests at once is counted.
 */

import { growingPauses } from '../base/retry';
import { secondsUntil } from '../base/window';
import { generationWaitMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { StoredPath } from '../images/stored-path';
import { generationInProgress, type Refusal, serviceUnavailable } from '../problems/problem';
import { generationLimitsOf, waitingLimitsOf, workLimitsOf } from '../quota/caller-limits';
import { type Limit, refusalOf } from '../quota/limit';
import { giveBackUnits, readLimitStatus, takeUnits, type Unit } from '../quota/take';
import type { AiImageIdentity } from './ai-image-identity';
import { type AiImage, acquireImage, type Execution, failExecution, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';

/** The image that a request waits for. `basePath`: master of the base image, for a variation. */
export interface AwaitedImage {
  readonly identity: AiImageIdentity;
  readonly caller: KeyedCaller;
  readonly basePath?: StoredPath | undefined;
  /** The execution whose master was found to be gone. */
  readonly goneExecution?: string | undefined;
}

/** An image that is ready, or why it is not. `isNew`: this request has had it made. */
export type AwaitedResult =
  | { readonly outcome: 'ready'; readonly aiImage: AiImage; readonly isNew: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

type Waiting = { readonly outcome: 'wait' };

const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal }) as const;
/** The refusal of a request whose image is not made in time, or that finds no place to wait. */
const inProgress = refused(generationInProgress);

/**
 * Waits until an image is ready; a request has it made at most once, which goes on also where it may not wait.
 * @throws `Outage` when the item does not answer; what was counted is given back where nothing can begin
 */
export async function awaitImage(services: AiServices, request: AwaitedImage): Promise<AwaitedResult> {
  const { clock, deadline } = services;
  const waitEndsMs = Math.min(clock.nowMs() + generationWaitMs, deadline.endsMs - renditionReserveMs);
  let ownExecution: string | undefined;
  const readOrMake = async (): Promise<AwaitedResult | Waiting> => {
    for (;;) {
      const aiImage = await readAiImage(services, request.identity.key);
      const nowMs = clock.nowMs();
      const step = nextStep(aiImage, { ...request, ownExecution, waitEndsMs }, nowMs);
      if (step.outcome !== 'acquire') return step;
      const execution = { key: request.identity.key, execution: services.ids.ulid(nowMs) };
      if (!(await acquireImage(services, execution, request.goneExecution))) continue;
      ownExecution = execution.execution;
      const refusal = await startExecution(services, request, execution);
      if (refusal) return refused(refusal);
    }
  };
  const result = await readOrMake();
  return result.outcome === 'wait' ? waitInPlace(services, request, waitEndsMs, readOrMake) : result;
}

/** Reads an image until it needs no more waiting, while the request has a place among those that wait. */
async function waitInPlace(
  services: AiServices,
  { identity, caller }: AwaitedImage,
  waitEndsMs: number,
  read: () => Promise<AwaitedResult | Waiting>,
): Promise<AwaitedResult> {
  const { clock, telemetry } = services;
  const limits = waitingLimitsOf(caller, await services.unreservedExecutions(), clock.nowMs());
  const place = await takeUnits(services, limits, identity.imageId);
  if (place.outcome === 'refused') {
    telemetry.count('overloads', { reason: 'too_many_wait' });
    return inProgress;
  }
  // 300 ms, then 1.36 times as long: some twelve reads in `generationWaitMs`.
  const pause = growingPauses(clock, { firstMs: 300, growth: 1.36, endsMs: waitEndsMs });
  try {
    for (;;) {
      await pause();
      const result = await read();
      if (result.outcome !== 'wait') return result;
    }
  } finally {
    await giveBackUnits(services, place.units);
  }
}

interface Attempt extends Pick<AwaitedImage, 'goneExecution'> {
  readonly ownExecution: string | undefined;
  readonly waitEndsMs: number;
}

/** Decides the next step of a request that has read its image: to end, to wait, or to acquire the image. */
function nextStep(
  aiImage: AiImage | undefined,
  { goneExecution, ownExecution, waitEndsMs }: Attempt,
  nowMs: number,
): AwaitedResult | Waiting | { readonly outcome: 'acquire' } {
  const { state, execution, untilMs = 0, reason } = aiImage ?? {};
  const isOwn = execution !== undefined && execution === ownExecution;
  if (aiImage && state === 'ready' && execution !== goneExecution)
    return { outcome: 'ready', aiImage, isNew: isOwn };
  if (state === 'removed') return refused({ code: 'image_removed' });
  if (state === 'failed' && (untilMs > nowMs || isOwn))
    return refused(refusalOfFailure(reason, untilMs, nowMs));
  if (nowMs >= waitEndsMs) return inProgress;
  if (state === 'making' && untilMs > nowMs) return { outcome: 'wait' };
  return ownExecution === undefined ? { outcome: 'acquire' } : inProgress;
}

function refusalOfFailure(reason: AiImage['reason'], untilMs: number, nowMs: number): Refusal {
  if (reason === 'not_started') return serviceUnavailable;
  if (reason === 'content_refused') return { code: reason };
  return { code: 'upstream_unavailable', retryAfterS: secondsUntil(untilMs, nowMs) };
}

/** Makes the refusal by a limit of AI images. @param limit absent where the counters do not answer */
export function refusalByLimit(limit: Limit | undefined, nowMs: number): Refusal {
  if (!limit) return serviceUnavailable;
  const { endsMs, kind } = limit.window;
  if (limit.kind !== 'generations' || kind === 'month') return refusalOf(limit);
  if (kind === 'day') return { code: 'generation_paused', endsMs };
  return { ...generationInProgress, retryAfterS: secondsUntil(endsMs, nowMs) };
}

/**
 * Counts the generation of an execution that holds the image, and invokes the generator. Where that fails,
 * the execution ends: the next request can acquire the image at once, and need not wait for the lease to end.
 * @returns the refusal of a limit
 */
async function startExecution(
  services: AiServices,
  request: AwaitedImage,
  execution: Execution,
): Promise<Refusal | undefined> {
  const counted = await countGeneration(services, request.caller, execution.execution).catch(
    async (error: unknown) => {
      await failExecution(services, execution, 'not_started');
      throw error;
    },
  );
  if ('units' in counted) {
    await handOver(services, request, execution, counted.units);
    return undefined;
  }
  await failExecution(services, execution, 'not_started');
  return counted.refusal;
}

/** Hands a counted generation to the generator. Where that fails, the image's item says so. */
async function handOver(
  services: AiServices,
  { identity, caller, basePath }: AwaitedImage,
  execution: Execution,
  units: readonly Unit[],
): Promise<void> {
  const { imageId: _, ...drawing } = identity;
  const workLimits = workLimitsOf(caller, '', services.clock.nowMs());
  try {
    await services.generatorQueue.handOver({
      ...drawing,
      ...execution,
      counted: units,
      workLimits,
      basePath,
    });
  } catch (error) {
    services.telemetry.error('A generator was not started', error);
    const isEnded = await failExecution(services, execution, 'not_started');
    // Lambda may have accepted the event all the same: units are given back only where no run has begun.
    if (isEnded) await giveBackUnits(services, units);
  }
}

type CountedGeneration = { readonly units: readonly Unit[] } | { readonly refusal: Refusal };

/**
 * Takes a unit of each limit of AI images. A prompt that the model refuses takes `work`: where that is used
 * up, nothing more is begun.
 * @returns the refusal, with which nothing is known to stay counted
 * @throws when the table of counters refuses the call as such
 */
async function countGeneration(
  services: AiServices,
  caller: KeyedCaller,
  execution: string,
): Promise<CountedGeneration> {
  const nowMs = services.clock.nowMs();
  const workLimits = workLimitsOf(caller, '', nowMs);
  const work = await Promise.all(workLimits.map((limit) => readLimitStatus(services, limit)));
  const usedUp = workLimits.find((_, index) => work[index]?.remaining === 0);
  if (usedUp) return { refusal: refusalByLimit(usedUp, nowMs) };
  const limits = generationLimitsOf(caller, services.plans, services.generationsPerDay, nowMs);
  const result = await takeUnits(services, limits, execution);
  if (result.outcome === 'taken') return result;
  if (result.outcome === 'refused') return { refusal: refusalByLimit(result.limit, nowMs) };
  await giveBackUnits(services, result.units);
  return { refusal: serviceUnavailable };
}
