/** Notes which renditions of AI images are stored: to deliver one takes a read, and no renderer. */

import { itemKey, readItem, type TableServices, updateItem } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import { dayMs } from '../base/window';
import type { Placeholder } from '../images/image';
import type { StoredPath } from '../images/stored-path';

/** What is known of a stored rendition beside its path. */
export interface RenditionNote {
  readonly placeholder?: Placeholder;
}

export interface NoteServices extends TableServices<'cache'> {
  readonly renditions: ExpiringCache<RenditionNote>;
}

/** Time for which a note holds, in milliseconds; the file itself is stored for weeks. */
const noteTtlMs = dayMs;

/** Reads the note of a rendition, from memory or the table; `undefined` for none. */
export async function readRenditionNote(
  services: NoteServices,
  path: StoredPath,
): Promise<RenditionNote | undefined> {
  const { clock, renditions } = services;
  const remembered = renditions.get(path, clock.nowMs());
  if (remembered) return remembered;
  const { note, endsMs } = (await readItem(services, itemKey(services.tables.cache, noteKey(path)))) ?? {};
  if (!(Number(endsMs) > clock.nowMs())) return undefined;
  renditions.set(path, note as RenditionNote, Number(endsMs));
  return note as RenditionNote;
}

/** Notes that a rendition is stored. */
export async function noteRendition(
  services: NoteServices,
  path: StoredPath,
  note: RenditionNote,
): Promise<void> {
  const endsMs = services.clock.nowMs() + noteTtlMs;
  services.renditions.set(path, note, endsMs);
  const set = { note, endsMs, ttl: Math.ceil(endsMs / 1_000) };
  await updateItem(services, itemKey(services.tables.cache, noteKey(path)), { set });
}

const noteKey = (path: StoredPath) => `RENDITION#${path}`;
