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
  readonly maker: string;
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
  const note = (await readItem(services, keyed(services, path))) as RenditionNote | undefined;
  return note && note.untilMs > services.clock.nowMs() ? note : undefined;
}

/**
 * Lets one request make a rendition.
 * @param path of the rendition, or what names it before its path is known
 * @param maker new for each attempt
 * @param gone who has noted one whose file is missing
 * @returns false where somebody else makes it, or has made it
 * @throws `Outage` when the outcome is unknown
 */
export async function claimNote(
  services: NoteServices,
  path: string,
  maker: string,
  gone = '-',
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const { applied, item } = await writeIf(services, {
    ...keyed(services, path),
    UpdateExpression: 'SET maker = :maker, untilMs = :until, #ttl = :ttl REMOVE made',
    ConditionExpression:
      'attribute_not_exists(untilMs) OR untilMs <= :now OR (attribute_exists(made) AND maker = :gone)',
    ExpressionAttributeValues: {
      ...{ ':maker': maker, ':gone': gone, ':now': nowMs },
      ...{ ':until': nowMs + makingMs, ':ttl': Math.ceil((nowMs + keptMs) / 1_000) },
    },
  });
  return applied || (item?.['maker'] === maker && item['made'] === undefined);
}

/**
 * Ends a claim: others take the rendition as it was made, or the next request makes what this one could not.
 * @throws `Outage`: then others make it when the claim is over, which does no harm
 */
export async function endClaim(
  services: NoteServices,
  path: LibraryPath,
  maker: string,
  made?: MadeRendition,
): Promise<void> {
  const untilMs = services.clock.nowMs() + (made ? keptMs : 0);
  await writeIf(services, {
    ...keyed(services, path),
    UpdateExpression: `SET untilMs = :until, #ttl = :ttl${made ? ', made = :made' : ''}`,
    ConditionExpression: 'maker = :maker AND attribute_not_exists(made)',
    ExpressionAttributeValues: {
      ...{ ':maker': maker, ':until': untilMs, ':ttl': Math.ceil(untilMs / 1_000) },
      ...(made && { ':made': made }),
    },
  });
}

function keyed({ tables }: NoteServices, path: string) {
  return { TableName: tables.cache, Key: { pk: `RENDITION#${path}` } };
}
