/**
 * Keeps an item for each rendition of an AI image, so that it is made once, however many requests ask for it
 * at the same time: the request that writes the item first makes the rendition, and the others
 * read the item until it is there.
 */

import { readItem, type TableServices, updateItem } from '../aws/dynamodb';
import { dayMs } from '../base/window';
import type { Placeholder } from './image';
import type { StoredPath } from './stored-path';

/** The note of a rendition that was made. */
export interface RenditionNote {
  readonly placeholder?: Placeholder;
}

/** A rendition that exists, or that a request makes. */
interface RenditionItem {
  /** The attempt that makes it, or has made it. */
  readonly maker: string;
  /** Absent while it is being made. */
  readonly made?: RenditionNote;
  /** Moment (epoch, milliseconds) at which the lease or the note ends. */
  readonly untilMs: number;
}

/** Time that a request has to make a rendition, in milliseconds: a function runs no longer. */
const leaseMs = 30_000;
/** Time for which the note of a rendition holds, in milliseconds; the file itself is stored for weeks. */
const renditionNoteTtlMs = dayMs;

/** Reads the note of a rendition, `undefined` if it has to be made. @throws `Outage` */
export async function readRendition(
  services: TableServices<'cache'>,
  path: StoredPath,
): Promise<RenditionItem | undefined> {
  const record = (await readItem(services, itemKeyOf(services, path))) as RenditionItem | undefined;
  return record && record.untilMs > services.clock.nowMs() ? record : undefined;
}

/**
 * Lets one request make a rendition.
 * @param maker new for each attempt
 * @param goneMaker the maker of the rendition whose file is missing; by default none, as no id is `-`
 * @returns false if another attempt makes it, or has made it
 * @throws `Outage` when the outcome is unknown
 */
export async function leaseRendition(
  services: TableServices<'cache'>,
  path: StoredPath,
  maker: string,
  goneMaker = '-',
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const ttl = Math.ceil((nowMs + renditionNoteTtlMs) / 1_000);
  const { applied, item } = await updateItem(services, itemKeyOf(services, path), {
    set: { maker, untilMs: nowMs + leaseMs, ttl },
    remove: ['made'],
    onlyIf: 'attribute_not_exists(untilMs) OR untilMs <= :now OR (attribute_exists(made) AND maker = :gone)',
    values: { now: nowMs, gone: goneMaker },
  });
  return applied || (item?.['maker'] === maker && item['made'] === undefined);
}

/**
 * Ends a lease. Others then use the rendition that was made; where none was, the next request makes it.
 * @throws `Outage`; the lease then ends by itself, after which another request makes the rendition again
 */
export async function endLease(
  services: TableServices<'cache'>,
  path: StoredPath,
  maker: string,
  note?: RenditionNote,
): Promise<void> {
  const untilMs = services.clock.nowMs() + (note ? renditionNoteTtlMs : 0);
  await updateItem(services, itemKeyOf(services, path), {
    set: { untilMs, ttl: Math.ceil(untilMs / 1_000), ...(note && { made: note }) },
    onlyIf: 'maker = :maker AND attribute_not_exists(made)',
    values: { maker },
  });
}

function itemKeyOf({ tables }: TableServices<'cache'>, path: StoredPath) {
  return { TableName: tables.cache, Key: { pk: `RENDITION#${path}` } };
}
