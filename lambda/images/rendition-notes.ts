/**
 * Notes of the renditions that exist, so that each is made once, however many requests ask for it at the same time: the
 * one whose note is written first makes it, and the others read on until it is there.
 */

import { type DatabaseServices, readItem, writeIf } from '../aws/dynamodb';
import type { Placeholder } from './image';
import type { LibraryPath } from './library-path';

/** What notes need of `Services`. */
export interface NoteServices extends DatabaseServices {
  readonly tables: { readonly cache: string };
}

/** What is known of a rendition that was made. */
export interface MadeRendition {
  readonly placeholder?: Placeholder;
}

/** A rendition that exists, or that somebody makes. */
export interface RenditionNote {
  /** Who makes it, or has made it. */
  readonly by: string;
  /** Absent while it is being made. */
  readonly made?: MadeRendition;
  /** Moment (epoch, milliseconds) from which the note says nothing any more. */
  readonly untilMs: number;
}

/** How long others wait for whoever makes a rendition, in milliseconds: a function runs no longer. */
const makingMs = 30_000;
/** How long it is taken for granted that a rendition is there, in milliseconds; its file is kept for weeks. */
const keptMs = 86_400_000;

/** @returns `undefined` where the rendition has to be made. @throws `Outage` */
export async function readNote(
  services: NoteServices,
  path: LibraryPath,
): Promise<RenditionNote | undefined> {
  const item = await readItem(services, keyed(services, path));
  const note = item && {
    by: String(item['by']),
    untilMs: Number(item['until']),
    ...(item['made'] !== undefined && { made: item['made'] as MadeRendition }),
  };
  return note && note.untilMs > services.clock.nowMs() ? note : undefined;
}

/**
 * Lets one request make a rendition.
 * @param path of the rendition, or what names it before its path is known
 * @param by new for each attempt
 * @param gone who has noted one whose file is missing
 * @returns false where somebody else makes it, or has made it
 * @throws `Outage` when the outcome is unknown
 */
export async function claimNote(
  services: NoteServices,
  path: string,
  by: string,
  gone = '-',
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const { applied, item } = await writeIf(services, {
    ...keyed(services, path),
    UpdateExpression: 'SET #by = :by, #until = :until, #ttl = :ttl REMOVE made',
    ConditionExpression:
      'attribute_not_exists(#until) OR #until <= :now OR (attribute_exists(made) AND #by = :gone)',
    ExpressionAttributeNames: { '#by': 'by', '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':by': by,
      ':gone': gone,
      ':now': nowMs,
      ':until': nowMs + makingMs,
      ':ttl': Math.ceil((nowMs + keptMs) / 1_000),
    },
  });
  return applied || (item?.['by'] === by && item['made'] === undefined);
}

/** Notes that a rendition was made. @throws `Outage`: then others make it again when the claim is over, which does no harm */
export async function noteMade(
  services: NoteServices,
  path: LibraryPath,
  by: string,
  made: MadeRendition,
): Promise<void> {
  const untilMs = services.clock.nowMs() + keptMs;
  await writeIf(services, {
    ...keyed(services, path),
    UpdateExpression: 'SET made = :made, #until = :until, #ttl = :ttl',
    ConditionExpression: '#by = :by',
    ExpressionAttributeNames: { '#by': 'by', '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':by': by,
      ':made': made,
      ':until': untilMs,
      ':ttl': Math.ceil(untilMs / 1_000),
    },
  });
}

/** Lets the next request make what this one could not. @throws `Outage`: then it does so when the claim is over */
export async function releaseNote(services: NoteServices, path: string, by: string): Promise<void> {
  await writeIf(services, {
    ...keyed(services, path),
    UpdateExpression: 'SET #until = :now',
    ConditionExpression: '#by = :by AND attribute_not_exists(made)',
    ExpressionAttributeNames: { '#by': 'by', '#until': 'until' },
    ExpressionAttributeValues: { ':by': by, ':now': services.clock.nowMs() },
  });
}

function keyed({ tables }: NoteServices, path: string) {
  return { TableName: tables.cache, Key: { pk: `RENDITION#${path}` } };
}
