/** Asks a model for one master image: within its requests per minute and a deadline, with every failure as a value. */

import type { Clock, Ids } from '../base/clock';
import { DeadlineReached, withDeadline } from '../base/deadline';
import type { CounterWindow } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { minuteWindow, type Window } from '../base/window';
import { modelShares } from '../contract/plans';
import { settlingReserveMs } from '../contract/timeouts';
import type { ImageLibrary, StoredImage } from '../images/image-library';
import { extensionOf } from '../images/library-path';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import { refusedPromptsOf } from '../quota/fair-use';
import type { QuotaCounters } from '../quota/quota-counters';
import type { Size } from '../requests/rendition';
import type { FailureReason } from './generation';
import { ownerOf } from './generation-identity';
import type { GenerationJob } from './generation-job';
import { type Generator, GeneratorFailure, type GeneratorFailureKind } from './generator';
import { promptFor } from './prompt';
import { isCharged } from './settle';

/** A drawn image, or why there is none. */
export type DrawnMaster =
  | {
      readonly outcome: 'image';
      readonly image: StoredImage;
      readonly size: Size;
      readonly model: string;
      /** File name extension of its media type. */
      readonly extension: string;
    }
  | { readonly outcome: 'none'; readonly why: Exclude<FailureReason, 'not_started'> };

/** @param deadlineMs moment (epoch, milliseconds) by which it must be done. Never throws. */
export type DrawMaster = (job: GenerationJob, deadlineMs: number) => Promise<DrawnMaster>;

interface NamedGenerator {
  /** Under which its requests per minute are counted. */
  readonly name: string;
  readonly generator: Generator;
}

/** The models, and what bounds the requests to them. */
export interface DrawMasterDeps {
  /** Which generator draws a job: test keys may have one of their own. */
  readonly generatorFor: (job: GenerationJob) => Promise<NamedGenerator>;
  readonly turns: ModelTurns;
  readonly counters: Pick<QuotaCounters, 'charge'>;
  readonly library: Pick<ImageLibrary, 'get'>;
  readonly codec: Pick<typeof sharpCodec, 'measure'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** Draws within the model's requests per minute and leaves the function time to store and settle. */
export function createDrawMaster(deps: DrawMasterDeps): DrawMaster {
  const { clock, telemetry } = deps;
  return async (job, functionEndsMs) => {
    const deadlineMs = functionEndsMs - settlingReserveMs;
    let name = 'none';
    try {
      const { generator, ...named } = await deps.generatorFor(job);
      name = named.name;
      if (!(await isItsTurn(deps, name, generator, job, deadlineMs))) {
        telemetry.info('The model was busy until the deadline', { generator: name });
        return { outcome: 'none', why: 'upstream_unavailable' };
      }
      const startMs = clock.nowMs();
      const drawn = await withDeadline(clock, deadlineMs, async (signal) =>
        generator.generate(await askFor(deps, job, generator), signal),
      );
      telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator: name });
      if (drawn.outcome === 'refused') {
        telemetry.info('The generator refused an image', { generator: name, reason: drawn.reason });
        await countRefusal(deps, job);
        return { outcome: 'none', why: 'content_refused' };
      }
      const { bytes, mediaType, model } = drawn;
      const extension = extensionOf(mediaType);
      if (extension === undefined) throw new GeneratorFailure('malformed', `It answered with ${mediaType}`);
      const measured = await deps.codec.measure(bytes);
      // Such an image could be charged and never delivered.
      if (measured.outcome === 'unusable') throw new GeneratorFailure('malformed', measured.reason);
      const { widthPx, heightPx } = measured;
      return { outcome: 'image', image: { bytes, mediaType }, size: { widthPx, heightPx }, model, extension };
    } catch (error) {
      telemetry.error('The generator failed', error, { generator: name, kind: kindOf(error) });
      return { outcome: 'none', why: 'upstream_unavailable' };
    }
  };
}

/** What the log calls the failure of a generator. */
function kindOf(error: unknown): GeneratorFailureKind | 'fault' {
  if (error instanceof DeadlineReached) return 'unavailable';
  return error instanceof GeneratorFailure ? error.kind : 'fault';
}

/** Waits for the job's turn at the model; false when there is none before the deadline. */
function isItsTurn(
  deps: DrawMasterDeps,
  model: string,
  { capability: { requestsPerMinute } }: Generator,
  { lease, charge }: GenerationJob,
  deadlineMs: number,
): Promise<boolean> {
  if (requestsPerMinute === undefined) return Promise.resolve(true);
  const owner = ownerOf(lease.key);
  return awaitTurn(deps, { model, requestsPerMinute, owner, isFree: !isCharged(charge), deadlineMs });
}

/** Counts a refused prompt, which costs the caller nothing and the operator a request to the model. */
async function countRefusal({ counters, clock, ids, telemetry }: DrawMasterDeps, { lease }: GenerationJob) {
  try {
    await counters.charge(refusedPromptsOf(ownerOf(lease.key), clock.nowMs()), ids.hex(8));
  } catch (error) {
    telemetry.error('A refused prompt was not counted', error);
  }
}

async function askFor(
  { library }: DrawMasterDeps,
  { order, basePath }: GenerationJob,
  { capability }: Generator,
) {
  const { words, style, bucket: ratio, seed, variation } = order;
  const startsFromBase = capability.imageToImage && variation !== undefined && basePath !== undefined;
  const base = startsFromBase ? await library.get(basePath) : undefined;
  return {
    ...promptFor(words, style, variation),
    ratio,
    seed,
    words,
    style,
    ...(variation === undefined ? {} : { variation }),
    ...(base ? { base: base.bytes } : {}),
  };
}

interface AwaitTurnDeps {
  readonly turns: ModelTurns;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** One request to a model, and for whom. */
export interface Turn {
  readonly model: string;
  readonly requestsPerMinute: number;
  /** Whose work it is; each owner has a share of the minute. */
  readonly owner: string;
  /** Work that costs no unit stands behind work that does. */
  readonly isFree: boolean;
  /** Moment (epoch, milliseconds) after which waiting is of no use. */
  readonly deadlineMs: number;
}

/**
 * Charged work that finds no place in the running minute books one in the next, so it stands before all that come
 * later. Free work books none and takes what is left, at most half. An owner's share may be exceeded only by charged
 * work in the running minute: while that has a place left, nobody books one in the next.
 * @returns false when there is no turn before the deadline
 */
export async function awaitTurn(deps: AwaitTurnDeps, turn: Turn): Promise<boolean> {
  const { clock } = deps;
  for (;;) {
    const minute = minuteWindow(clock.nowMs());
    if (await takeIn(deps, turn, minute)) return true;
    const isUseful = minute.endMs < turn.deadlineMs;
    if (!turn.isFree) {
      if (await take(deps, turn, minute, [wholeOf(turn)])) return true;
      if (isUseful && (await takeIn(deps, turn, minuteWindow(minute.endMs)))) {
        await sleepUntil(clock, minute.endMs);
        return true;
      }
    }
    if (!isUseful) return false;
    await sleepUntil(clock, minute.endMs);
  }
}

/** Takes a request of a minute within the shares of its owner and of its kind. */
function takeIn(deps: AwaitTurnDeps, turn: Turn, minute: Window): Promise<boolean> {
  const { requestsPerMinute, owner, isFree } = turn;
  const ofOwner = Math.max(modelShares.accountMin, Math.floor(requestsPerMinute * modelShares.account));
  const free = { name: 'free', limit: Math.max(1, Math.floor(requestsPerMinute * modelShares.free)) };
  return take(deps, turn, minute, [
    wholeOf(turn),
    { name: `of#${owner}`, limit: ofOwner },
    ...(isFree ? [free] : []),
  ]);
}

function wholeOf({ requestsPerMinute }: Turn): CounterWindow {
  return { name: 'all', limit: requestsPerMinute };
}

async function take(
  { turns, telemetry }: AwaitTurnDeps,
  { model }: Turn,
  minute: Window,
  shares: readonly CounterWindow[],
): Promise<boolean> {
  try {
    return await turns.take(model, minute, shares);
  } catch (error) {
    // One request too many, which the model may refuse by itself, is better than no image.
    telemetry.error('A request to a model was not counted', error, { generator: model });
    return true;
  }
}

function sleepUntil(clock: Clock, momentMs: number): Promise<void> {
  return clock.sleep(Math.max(0, momentMs - clock.nowMs()));
}

/** The requests that a model may be sent in each minute, shared by all instances. */
export interface ModelTurns {
  /**
   * Takes one request of a minute from each of its shares in one conditional write, or none when one is used up.
   * @throws when it is not known whether it was taken
   */
  take(model: string, minute: Window, shares: readonly CounterWindow[]): Promise<boolean>;
}
