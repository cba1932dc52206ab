/** Notes which renditions of AI images are stored. A noted rendition is delivered without the renderer. */

import { itemKey, readItem, type TableServices, updateItem } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import { dayMs } from '../base/window';
import type { Placeholder } from '../images/image';
import type { StoredPath } from '../images/stored-path';

/** The facts about a stored rendition that its path does not tell. */
export interface RenditionNote {
  readonly placeholder?: Placeholder;
}

export interface NoteServices extends TableServices<'cache'> {
  readonly renditions: ExpiringCache<RenditionNote>;
}

/** How long a note holds, in milliseconds. The file is stored for weeks. */
const noteTtlMs = dayMs;

/** Reads the note of a rendition from memory or the table. Returns `undefined` if there is none. */
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
