/**
 * `IMAGE#pick`: what a page needs to show an image again in any size, written when the image is first given out and kept for
 * 400 days after its last use; and what is kept of an image that was removed.
 */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { itemsOf, readItem, type TableServices, writeIf } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import { orLogged } from '../base/or-logged';
import { sha256Hex } from '../base/sha256-hex';
import type { Telemetry } from '../base/telemetry';
import { dayWindow } from '../base/window';
import { pickKeptMs, type StockProviderName, type StockSlot } from '../contract/providers';
import type { Candidate, Fit, ServedImage } from './image';

/** A stock image, with all that is needed to deliver it in any size. */
export interface Entry {
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** When its provider last said what `candidate` says (epoch, milliseconds). */
  readonly checkedMs: number;
}

/** A stock image as it was given out. */
export interface KnownPhoto extends Entry {
  readonly provider: StockProviderName;
  /** The slot that found it. */
  readonly source: StockSlot;
}

/** The id of an AI image; its account alone may see it. */
export interface KnownAiImage {
  readonly imageId: string;
}

/** How an image was removed by the operator. */
export interface Removal {
  /** As the command was given it: a pick, the id of an AI image, or the id of a photograph. */
  readonly id: string;
  readonly kind: 'stock' | 'ai' | 'library';
  /** Files that were deleted. */
  readonly files: number;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** The ARN of an AWS principal, or a user of the local service's machine. */
  readonly by: string;
  readonly reason: string;
}

/** What is known of an image. */
export interface ImageItem {
  /** Absent for one that was removed before it was given out. */
  readonly image?: KnownPhoto | KnownAiImage;
  /** Average colour, `#rrggbb`, in which the card of an image that is gone is drawn. */
  readonly color?: string;
  /** When its file was found to be gone at its source (epoch, milliseconds). */
  readonly goneMs?: number;
  readonly removal?: Removal;
}

interface KeepServices extends TableServices<'images'> {
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly memory: { readonly noted: ExpiringCache<true> };
}

const prefix = 'IMAGE#';
const keyOf = ({ tables }: TableServices<'images'>, pick: string) => ({
  TableName: tables.images,
  Key: { pk: `${prefix}${pick}` },
});
/** Kept a day longer than images have to be, as a use is noted once a day. */
const keptUntilS = (nowMs: number) => Math.ceil((nowMs + pickKeptMs) / 1_000) + 86_400;

/**
 * Sets attributes and removes others, where a condition holds.
 * @returns whether it does
 * @throws when the table does not answer
 */
async function change(
  services: TableServices<'images'>,
  pick: string,
  set: Readonly<Record<string, unknown>>,
  remove: readonly string[],
  ConditionExpression?: string,
): Promise<boolean> {
  const names = Object.keys(set);
  const removing = remove.length > 0 ? ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '';
  const { applied } = await writeIf(services, {
    ...keyOf(services, pick),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${removing}`,
    ConditionExpression,
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
  });
  return applied;
}

/** Public id of a provider's image: 80 bits, no secret. */
export function pickOf(provider: string, id: string): string {
  return sha256Hex(JSON.stringify(['pick', provider, id])).slice(0, 20);
}

/** Public id of an AI image; like those of photos 80 bits, and no secret. */
export function pickOfAiImage(imageId: string): string {
  return imageId.slice(0, 20);
}

/** What is known of an image, by a strongly consistent read: one that was removed a moment ago is not shown. @throws when the table does not answer */
export async function readImage(
  services: TableServices<'images'>,
  pick: string,
): Promise<ImageItem | undefined> {
  const item = await readItem(services, keyOf(services, pick));
  if (!item) return undefined;
  const { pk: _, ttl: __, ...known } = item;
  return known;
}

/**
 * Notes that an image is given out, once a day in this instance. What was removed stays removed. Never throws.
 * @param color its average colour, where that is known
 */
export async function noteImage(
  services: KeepServices,
  pick: string,
  image: KnownPhoto | KnownAiImage,
  color: string | undefined,
): Promise<void> {
  const { clock, memory, telemetry } = services;
  const nowMs = clock.nowMs();
  // What its provider says of it now is written again.
  const noted = `${prefix}${pick}#${'checkedMs' in image ? image.checkedMs : ''}`;
  if (memory.noted.get(noted, nowMs)) return;
  memory.noted.set(noted, true, dayWindow(nowMs).endMs);
  const values = {
    image,
    ttl: keptUntilS(nowMs),
    ...(color !== undefined && { color }),
  };
  const noting = () => change(services, pick, values, ['goneMs'], 'attribute_not_exists(removal)');
  const isKnown = await orLogged(telemetry, 'An image was not stored under its pick', noting);
  if (isKnown === undefined) memory.noted.delete(noted);
}

/** Notes an AI image under its pick; without effect for any other, which is noted when it is found. Never throws. */
export async function noteAiImage(
  services: KeepServices,
  { imageId, pick, placeholder }: ServedImage,
): Promise<void> {
  if (imageId !== undefined && pick !== undefined)
    await noteImage(services, pick, { imageId }, placeholder?.color);
}

/** Notes that the file of an image is gone at its source, where pages may show it. Never throws. */
export async function noteGone(services: KeepServices, pick: string): Promise<void> {
  const goneMs = services.clock.nowMs();
  await orLogged(services.telemetry, 'An image that is gone was not marked', () =>
    change(services, pick, { goneMs }, [], 'attribute_exists(image)'),
  );
}

/**
 * Notes that an image is removed for good: only its colour is kept, and no search finds it from then on.
 * @throws when the table does not answer
 */
export async function noteRemoved(
  services: TableServices<'images'>,
  pick: string,
  removal: Removal,
): Promise<void> {
  // The permalink of an AI image is still known to be one's.
  const gone = ['goneMs', 'ttl', ...(removal.kind === 'ai' ? [] : ['image'])];
  await change(services, pick, { removal }, gone);
}

/** All removals, the oldest first. Reads the whole table, as an operator does rarely. @throws when the table does not answer */
export async function removals(services: TableServices<'images'>): Promise<readonly Removal[]> {
  const scan = new ScanCommand({
    TableName: services.tables.images,
    FilterExpression: 'begins_with(pk, :prefix) AND attribute_exists(removal)',
    ExpressionAttributeValues: { ':prefix': prefix },
  });
  const all: Removal[] = [];
  for await (const { removal } of itemsOf(services, scan)) all.push(removal as Removal);
  return all.sort((a, b) => a.at.localeCompare(b.at));
}
