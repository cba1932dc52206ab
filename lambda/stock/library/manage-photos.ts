/**
 * Adds, lists and removes the operator's photographs: files in the bucket, an index of them in a file
 * that never changes, and the item `LIBRARY`, which names the current index.
 */

import type { DatabaseServices } from '../../aws/dynamodb';
import type { Ids } from '../../base/clock';
import { sha256Hex } from '../../base/sha256-hex';
import { dayMs } from '../../base/window';
import { photoIndexPrefix, photoPrefix } from '../../contract/image-paths';
import type { ImageStore } from '../../images/image-store';
import { extensionOf, type StoredPath, storedPathOf } from '../../images/stored-path';
import { readItemValue, replaceItem, type StoredItem } from '../items';
import { stemsOf } from '../words';

/** Most characters of each text, and most keywords, that are kept of a photograph. */
export const photoTextMax = { title: 200, description: 500, keyword: 60, keywords: 40, rights: 300 } as const;

/** The description of a photograph. */
interface DescribedPhoto {
  /** Its path below the folder that it was added from, with `/`. */
  readonly file: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  readonly creator?: string;
  readonly copyright?: string;
  readonly license?: string;
  readonly landingUrl?: string;
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A photograph of the operator's, as the index in the bucket lists it. */
export interface Photo extends DescribedPhoto {
  /** The first 20 hexadecimal digits of the hash of its bytes. */
  readonly id: string;
  /** ISO 8601. */
  readonly addedAt: string;
  /** The stems of its words, separated by spaces: making them for 20,000 photographs would delay a start. */
  readonly stems: string;
  /** Path of the file in the bucket. */
  readonly path: StoredPath;
}

/** A photograph to be added. */
export interface NewPhoto extends DescribedPhoto {
  /** Without the place where it was taken. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Lower-case hex SHA-256 of the file in the folder. */
  readonly sha256: string;
}

/** The services by which photographs are read. */
export interface LibraryServices extends DatabaseServices {
  readonly tables: { readonly images: string };
  readonly bucket: Pick<ImageStore, 'get'>;
}

/** The services by which photographs and their index are stored. */
export interface PhotoServices extends LibraryServices {
  readonly bucket: ImageStore;
  readonly ids: Pick<Ids, 'hex'>;
}

/** Another change of the library was made meanwhile. */
export class LibraryBusy extends Error {
  override readonly name = 'LibraryBusy';
}

const pk = 'LIBRARY';
/** Time for which the item is kept after its last change, in milliseconds: in effect forever. */
const keptForMs = 100 * 365 * dayMs;

/** Reads the item that names the current index. @throws when the table does not answer */
export async function readLibraryItem(
  services: Omit<LibraryServices, 'bucket'>,
): Promise<StoredItem<StoredPath> | undefined> {
  return readItemValue(services, services.tables.images, pk, true);
}

/**
 * Reads the photographs of an index, in their order.
 * @throws when the bucket does not answer or the file is damaged
 */
export async function readPhotos(
  bucket: Pick<ImageStore, 'get'>,
  path: StoredPath | undefined,
): Promise<readonly Photo[]> {
  if (path === undefined) return [];
  const stored = await bucket.get(path);
  if (!stored) throw new Error(`The index of photographs is gone: ${path}`);
  return JSON.parse(Buffer.from(stored.bytes).toString('utf8'));
}

/** Reads the photographs of the current index. @throws when the table or the bucket does not answer */
export async function listPhotos(services: LibraryServices): Promise<readonly Photo[]> {
  return readPhotos(services.bucket, (await readLibraryItem(services))?.value);
}

/**
 * Adds photographs. Their files are stored before the index lists them, so that no listed file is missing.
 * @returns how many were new; the others are known by their bytes
 * @throws `LibraryBusy`
 */
export async function addPhotos(
  services: PhotoServices,
  incoming: AsyncIterable<NewPhoto>,
): Promise<{ added: number; known: number }> {
  const { bucket, clock } = services;
  const before = new Set((await listPhotos(services)).map(({ id }) => id));
  const added = new Map<string, Photo>();
  let known = 0;
  for await (const { bytes, mediaType, sha256, ...described } of incoming) {
    const id = sha256.slice(0, 20);
    if (before.has(id) || added.has(id)) {
      known++;
      continue;
    }
    const path = storedPathOf(`${photoPrefix}${id.slice(0, 2)}/${id}.${extensionOf(mediaType)}`);
    await bucket.put(path, { bytes, mediaType });
    const { title, description, keywords } = described;
    const stems = [...stemsOf(title, description, ...keywords)].join(' ');
    const addedAt = new Date(clock.nowMs()).toISOString();
    added.set(id, { ...described, id, addedAt, stems, path });
  }
  await changeIndex(services, (stored) => {
    for (const { id } of stored) added.delete(id);
    return [...stored, ...added.values()];
  });
  return { added: added.size, known };
}

/**
 * Removes photographs and their files; not their renditions.
 * @returns the files that were deleted
 * @throws `LibraryBusy`
 */
export async function removePhotos(services: PhotoServices, ids: readonly string[]): Promise<number> {
  let removed: readonly Photo[] = [];
  await changeIndex(services, (stored) => {
    removed = stored.filter(({ id }) => ids.includes(id));
    return stored.filter(({ id }) => !ids.includes(id));
  });
  for (const { path } of removed) await services.bucket.remove(path);
  return removed.length;
}

/** Writes the index, unless nothing was added or removed. @throws `LibraryBusy` */
async function changeIndex(
  services: PhotoServices,
  edit: (before: readonly Photo[]) => readonly Photo[],
): Promise<void> {
  const { bucket, clock, ids, tables } = services;
  const stored = await readLibraryItem(services);
  const before = await readPhotos(bucket, stored?.value);
  const photos = edit(before);
  if (photos.length === before.length) return;
  const text = JSON.stringify(photos);
  const value = storedPathOf(`${photoIndexPrefix}${sha256Hex(text)}.json`);
  await bucket.put(value, { bytes: Buffer.from(text), mediaType: 'application/json' });
  const item = { TableName: tables.images, pk, value, endsMs: clock.nowMs() + keptForMs };
  const version = ids.hex(8);
  if ((await replaceItem(services, item, version, stored)).version !== version)
    throw new LibraryBusy('Another change of these photographs is under way.');
}
