/**
 * Stores AI images: one item for each distinct image, changed by five conditional writes. A generation is one
 * attempt to make an image. Each has another id (a ULID), so that no generation changes what another one has
 * written. A write throws `Outage` when its outcome is unknown.
 *
 *   absent, over, or its master gone ──acquire──▶ making ──begin, finish──▶ ready
 *                                                    └──fail──▶ failed (until its pause is over)
 *   any ──remove──▶ removed
 *
 * `untilMs` ends the lease in `making` and the pause in `failed`. Afterwards any request may acquire the image.
 */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Item,
  type ItemUpdate,
  makeItemKey,
  readItem,
  readTable,
  type TableServices,
  updateItem,
} from '../aws/dynamodb';
import { computeTtlS, dayMs } from '../base/window';
import type { IndexName } from '../contract/tables';
import { generationLeaseMs } from '../contract/timeouts';
import type { StoredPath } from '../images/stored-path';
import type { Size } from '../requests/rendition';
import { type ImageKey, makeImageId } from './ai-image-identity';

/** The file of a finished image. All renditions are made from it. */
export interface Master extends Size {
  /** Path in the image store. It contains the generation id, so that no file is written twice. */
  readonly path: StoredPath;
  readonly model: string;
}

/**
 * The reason of a failed generation, which waiting requests get as their refusal. `not_started`: the model was
 * not asked, because a limit was used up or the generator could not be invoked.
 */
export type FailureReason = 'content_refused' | 'upstream_unavailable' | 'not_started';

/** An AI image as it is stored. It has only the fields of its state. */
export interface AiImage {
  readonly key: ImageKey;
  readonly imageId: string;
  readonly state: 'making' | 'ready' | 'failed' | 'removed';
  /** The generation that makes the image or has made it; absent if the image was removed. */
  readonly generationId?: string;
  /** In `making` and `failed`: the moment from which it may be acquired again. */
  readonly untilMs?: number;
  readonly reason?: FailureReason;
  readonly master?: Master;
}

type IndexServices = TableServices<'generationIndex'>;

/** One attempt to make an image. */
export interface Generation {
  readonly key: ImageKey;
  readonly generationId: string;
}

/** How long an item without an image is kept: long enough for a late event. */
const itemTtlMs = 7 * dayMs;
/** How long an item is kept if nothing was started. It is short, because each new prompt makes such an item. */
const notStartedTtlMs = 3_600_000;

/**
 * How long a failed image is not made again. The safety filter would refuse the same prompt again, and each
 * refusal costs money.
 */
const failureTtlMs: Readonly<Record<FailureReason, number>> = {
  not_started: 0,
  upstream_unavailable: 30_000,
  content_refused: 3_600_000,
};

/** Reads an AI image, strongly consistent. Returns `undefined` for an image that was never asked for. */
export async function readAiImage(services: IndexServices, key: ImageKey): Promise<AiImage | undefined> {
  const item = await readItem(services, makeItemKey(services.tables.generationIndex, key));
  return item && ({ ...item, key } as unknown as AiImage);
}

/**
 * Acquires an image for a generation, which may then make it: a new image, one whose lease or pause is over, or
 * one whose master is gone.
 * @param goneGenerationId the generation that has lost its master; the default `-` is no ULID
 * @returns true if this write, or an earlier copy of it, has acquired the image
 */
export async function acquireImage(
  services: IndexServices,
  { key, generationId }: Generation,
  goneGenerationId = '-',
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const making = { state: 'making', generationId };
  const update = {
    set: {
      ...making,
      untilMs: nowMs + generationLeaseMs,
      imageId: makeImageId(key),
      ttl: computeTtlS(nowMs + itemTtlMs),
    },
    remove: ['run', 'reason', 'master', 'wordsAndStyleHash', 'listedAt'],
    // `generationId <> …`: a late copy of this write must not revive its failed generation.
    onlyIf:
      'attribute_not_exists(#state) OR (untilMs <= :now AND generationId <> :generationId) OR (#state = :ready AND generationId = :gone)',
    values: { now: nowMs, ready: 'ready', gone: goneGenerationId },
  };
  return changeImage(services, key, update, making);
}

/**
 * Begins the run of a generation that asks the model. Lambda may deliver the event of a generation twice.
 * @param run a new id for each invocation
 * @returns false if another run has begun, or if the generation no longer holds the image
 */
export async function beginRun(
  services: IndexServices,
  { key, generationId }: Generation,
  run: string,
): Promise<boolean> {
  const update = { set: { run }, onlyIf: notBegunCondition, values: makeLeaseValues(generationId) };
  return changeImage(services, key, update, { state: 'making', run });
}

/**
 * Makes an image ready, after its master was stored. `alt` finds a public image by its `wordsAndStyleHash`.
 * @returns false if another generation holds the image, or if it was removed. Its master is not shown then.
 * @throws `Outage`. The master may be shown then, so it must stay.
 */
export async function finishImage(
  services: IndexServices,
  { key, generationId }: Generation,
  master: Master,
  wordsAndStyleHash?: string,
): Promise<boolean> {
  // Generation ids are ULIDs, so `listedAt` sorts public images by age.
  const listing = wordsAndStyleHash !== undefined && { wordsAndStyleHash, listedAt: generationId };
  const update = {
    set: { state: 'ready', master, ...listing },
    remove: ['untilMs', 'run', 'reason', 'ttl'],
    onlyIf: holderCondition,
    values: makeLeaseValues(generationId),
  };
  return changeImage(services, key, update, { state: 'ready', generationId });
}

/**
 * Fails a generation, so that its image may be acquired again after a pause. With `not_started` it fails only
 * before a run has begun. No run can begin afterwards, so that its units can be given back.
 * @returns true if this write, or an earlier copy of it, has failed the generation
 */
export async function failGeneration(
  services: IndexServices,
  { key, generationId }: Generation,
  reason: FailureReason,
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const isByRequest = reason === 'not_started';
  const failed = { state: 'failed', reason };
  const update = {
    set: {
      ...failed,
      untilMs: nowMs + failureTtlMs[reason],
      ttl: computeTtlS(nowMs + (isByRequest ? notStartedTtlMs : itemTtlMs)),
    },
    remove: ['run'],
    onlyIf: isByRequest ? notBegunCondition : holderCondition,
    values: makeLeaseValues(generationId),
  };
  return changeImage(services, key, update, { ...failed, generationId });
}

/**
 * Removes an image for good, also while it is being made. Writes nothing if there is no such image.
 * @throws `Outage`. The files may still be shown then, so they must stay.
 */
export async function removeImage(services: IndexServices, key: ImageKey): Promise<void> {
  const update = {
    set: { state: 'removed' },
    remove: ['generationId', 'untilMs', 'run', 'reason', 'master', 'wordsAndStyleHash', 'listedAt', 'ttl'],
    onlyIf: 'attribute_exists(#state)',
  };
  await updateItem(services, makeItemKey(services.tables.generationIndex, key), update);
}

/** Lists public images of the same words and style, oldest first. The index may name removed images. */
export function listPublicImages(services: IndexServices, wordsAndStyleHash: string, max: number) {
  return listKeys(services, 'publicByWordsAndStyle', wordsAndStyleHash, max);
}

/** Finds an image by its public id (32 hexadecimal digits). */
export async function findAiImageById(
  services: IndexServices,
  imageId: string,
): Promise<AiImage | undefined> {
  const [key] = await listKeys(services, 'byImageId', imageId, 1);
  return key && readAiImage(services, key);
}

const indexedAttributes = { publicByWordsAndStyle: 'wordsAndStyleHash', byImageId: 'imageId' } as const;

async function listKeys(
  services: IndexServices,
  index: IndexName<'generationIndex'>,
  value: string,
  max: number,
): Promise<readonly ImageKey[]> {
  const query = new QueryCommand({
    TableName: services.tables.generationIndex,
    IndexName: index,
    KeyConditionExpression: `${indexedAttributes[index]} = :value`,
    ExpressionAttributeValues: { ':value': value },
    Limit: max,
  });
  const { Items = [] } = await readTable(services, query);
  return Items.map(({ pk }) => pk as ImageKey);
}

/** The condition that the generation holds the image. */
const holderCondition = '#state = :making AND generationId = :generationId';
/** The condition that no run of the generation has begun. */
const notBegunCondition = `${holderCondition} AND attribute_not_exists(run)`;
const makeLeaseValues = (generationId: string) => ({ making: 'making', generationId });

/** Changes an image. Returns true if it then has the expected fields, also from an earlier copy of this write. */
async function changeImage(
  services: IndexServices,
  key: ImageKey,
  update: ItemUpdate,
  expectedFields: Item,
): Promise<boolean> {
  const { item } = await updateItem(services, makeItemKey(services.tables.generationIndex, key), update);
  return Object.entries(expectedFields).every(([name, value]) => item?.[name] === value);
}
