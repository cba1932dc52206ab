/**
 * Stores images under their picks. An item describes an image, so that it can be shown again in any size, or tells
 * that the image was removed. It is kept for `pickTtlMs` after the last use of the image.
 */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { listItems, makeItemKey, readItem, type TableServices, updateItem } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import { hashSha256 } from '../base/hash';
import { type Telemetry, tryAndLog } from '../base/telemetry';
import { computeDayWindow, computeTtlS, dayMs } from '../base/window';
import { pickTtlMs, type StockProviderName, type StockSlot } from '../contract/providers';
import type { Candidate, Fit, ServedImage } from './image';

/** A stock image of a choice, with all that a delivery in any size needs. */
export interface ChoiceEntry {
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** The moment when the provider last sent the values of `candidate`. */
  readonly checkedMs: number;
}

/** The description of a stock image under its pick. */
export interface PickedStockImage extends ChoiceEntry {
  readonly provider: StockProviderName;
  readonly source: StockSlot;
}

/** The description of an AI image under its pick. */
export interface PickedAiImage {
  readonly imageId: string;
}

/** The removal of an image by the operator. */
export interface Removal {
  /** The id in the operator's command: a pick, the id of an AI image, or the id of a photograph. */
  readonly id: string;
  readonly kind: 'stock' | 'ai' | 'library';
  readonly at: string;
  /** The ARN of an AWS principal, or a user of the local service's machine. */
  readonly by: string;
  readonly reason: string;
}

/** The stored item of an image, without its key and expiry. */
export interface ImageItem {
  /** Absent if the image was removed before it was given out. */
  readonly image?: PickedStockImage | PickedAiImage;
  /** Average colour, `#rrggbb`. The card has it if the image is gone. */
  readonly color?: string;
  /** The moment when its file was not found at its source. */
  readonly goneMs?: number;
  readonly removal?: Removal;
}

export interface PickServices extends TableServices<'images'> {
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly stockMemory: { readonly writtenLately: ExpiringCache<true> };
}

export const imageKeyPrefix = 'IMAGE#';
const makeImageItemKey = ({ tables }: TableServices<'images'>, pick: string) =>
  makeItemKey(tables.images, `${imageKeyPrefix}${pick}`);
/** A day longer than an image has to be stored, because a use renews the item once a day only. */
const computeExpiryS = (nowMs: number) => computeTtlS(nowMs + pickTtlMs + dayMs);

/** Makes the pick of a provider's image: 80 bits, in 20 hexadecimal digits. It is no secret. */
export function makePick(provider: string, id: string): string {
  return hashSha256(JSON.stringify(['pick', provider, id])).slice(0, 20);
}

/** Makes the pick of an AI image, in the same form: the first 20 digits of its id. */
export function makeAiPick(imageId: string): string {
  return imageId.slice(0, 20);
}

/** Reads an image by its pick, strongly consistent: the image may just have been removed. */
export async function readPickedImage(
  services: TableServices<'images'>,
  pick: string,
): Promise<ImageItem | undefined> {
  const item = await readItem(services, makeImageItemKey(services, pick));
  if (!item) return undefined;
  const { pk: _pk, ttl: _ttl, ...imageItem } = item;
  return imageItem;
}

/**
 * Stores or renews an image that is given out, once a day and instance. A removed image stays removed. Never
 * throws.
 */
export async function storePickedImage(
  services: PickServices,
  pick: string,
  image: PickedStockImage | PickedAiImage,
  color: string | undefined,
): Promise<void> {
  const { clock, stockMemory, telemetry } = services;
  const nowMs = clock.nowMs();
  // A newer `checkedMs` is stored again, because the provider may have changed its values today.
  const memoryKey = `${imageKeyPrefix}${pick}#${'checkedMs' in image ? image.checkedMs : ''}`;
  if (stockMemory.writtenLately.get(memoryKey, nowMs)) return;
  stockMemory.writtenLately.set(memoryKey, true, computeDayWindow(nowMs).endsMs);
  const set = { image, ttl: computeExpiryS(nowMs), ...(color !== undefined && { color }) };
  const update = { set, remove: ['goneMs'], onlyIf: 'attribute_not_exists(removal)' };
  const writeResult = await tryAndLog(telemetry, 'An image was not stored under its pick', () =>
    updateItem(services, makeImageItemKey(services, pick), update),
  );
  // If the table does not answer, the next use is stored.
  if (writeResult === undefined) stockMemory.writtenLately.delete(memoryKey);
}

/** Stores an AI image that is given out. Does nothing for a card, which has no `imageId`. Never throws. */
export async function storePickedAiImage(
  services: PickServices,
  { imageId, pick, placeholder }: ServedImage,
): Promise<void> {
  if (imageId !== undefined && pick !== undefined)
    await storePickedImage(services, pick, { imageId }, placeholder?.color);
}

/** Marks a stored image as gone at its source. Never throws. */
export async function markGone(services: PickServices, pick: string): Promise<void> {
  const update = { set: { goneMs: services.clock.nowMs() }, onlyIf: 'attribute_exists(image)' };
  await tryAndLog(services.telemetry, 'An image that is gone was not marked', () =>
    updateItem(services, makeImageItemKey(services, pick), update),
  );
}

/** Removes an image for good. No search finds it again, and only the colour of its card stays. */
export async function markRemoved(
  services: TableServices<'images'>,
  pick: string,
  removal: Removal,
): Promise<void> {
  // An AI image keeps its id, which tells the account: its own account gets a card, another one gets 404.
  const remove = ['goneMs', 'ttl', ...(removal.kind === 'ai' ? [] : ['image'])];
  await updateItem(services, makeImageItemKey(services, pick), { set: { removal }, remove });
}

/** Lists all removals, the oldest first, by a scan of the table. */
export async function listRemovals(services: TableServices<'images'>): Promise<readonly Removal[]> {
  const scan = new ScanCommand({
    TableName: services.tables.images,
    FilterExpression: 'begins_with(pk, :prefix) AND attribute_exists(removal)',
    ExpressionAttributeValues: { ':prefix': imageKeyPrefix },
  });
  const removals: Removal[] = [];
  for await (const { removal } of listItems(services, scan)) removals.push(removal as Removal);
  return removals.sort((a, b) => a.at.localeCompare(b.at));
}
