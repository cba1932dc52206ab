/**
 * The library of the operator's photographs. The photographs are files in the image store. A file that never
 * changes is their index, and the item `LIBRARY` names the current index.
 */

import type { DatabaseServices } from '../../aws/dynamodb';
import { hashSha256 } from '../../base/hash';
import type { Ids } from '../../base/ids';
import { dayMs } from '../../base/window';
import { photoIndexPrefix, photoPrefix } from '../../contract/image-paths';
import type { ImageStore } from '../../images/image-store';
import { findExtension, requireStoredPath, type StoredPath } from '../../images/stored-path';
import { readStoredValue, replaceItem, type StoredItem } from '../items';
import { stemWords } from '../words';

/** Most characters of each stored text, and most keywords. */
export const photoTextMax = { title: 200, description: 500, keyword: 60, keywords: 40, rights: 300 } as const;

interface DescribedPhoto {
  /** Path below the folder of the command that added it, with `/`. */
  readonly file: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  readonly creator?: string;
  readonly copyright?: string;
  readonly license?: string;
  readonly landingUrl?: string;
  readonly width: number;
  readonly height: number;
}

/** A photograph of the operator, as the index lists it. */
export interface Photo extends DescribedPhoto {
  /** The first 20 hexadecimal digits of the hash of its bytes. */
  readonly id: string;
  readonly addedAt: string;
  /** The stems of its words, separated by spaces. They are stored because computing them takes long. */
  readonly stems: string;
  readonly path: StoredPath;
}

export interface NewPhoto extends DescribedPhoto {
  /** The file without its GPS position. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Lower-case hex SHA-256 of the file in the folder. */
  readonly sha256: string;
}

export interface LibraryServices extends DatabaseServices {
  readonly tables: { readonly images: string };
  readonly imageStore: Pick<ImageStore, 'get'>;
}

export interface PhotoServices extends LibraryServices {
  readonly imageStore: ImageStore;
  readonly ids: Pick<Ids, 'makeHex'>;
}

const libraryKey = 'LIBRARY';
/** Time until the item expires, in milliseconds: a hundred years. */
const libraryItemTtlMs = 100 * 365 * dayMs;

/** Reads the item that names the current index. */
export async function readLibraryItem(
  services: Omit<LibraryServices, 'imageStore'>,
): Promise<StoredItem<StoredPath> | undefined> {
  return readStoredValue(services, services.tables.images, libraryKey, true);
}

/** Reads the photographs of an index, in their order. */
export async function readPhotos(
  imageStore: Pick<ImageStore, 'get'>,
  path: StoredPath | undefined,
): Promise<readonly Photo[]> {
  if (path === undefined) return [];
  const indexFile = await imageStore.get(path);
  if (!indexFile) throw new Error(`The index of photographs is gone: ${path}`);
  return JSON.parse(Buffer.from(indexFile.bytes).toString('utf8'));
}

async function readIndex(services: LibraryServices) {
  const item = await readLibraryItem(services);
  return { version: item?.version, photos: await readPhotos(services.imageStore, item?.value) };
}

/** Reads the photographs of the current index. */
export async function listPhotos(services: LibraryServices): Promise<readonly Photo[]> {
  return (await readIndex(services)).photos;
}

/**
 * Adds photographs. Files are stored before the index lists them, so every listed file exists.
 * @returns the number of new photographs, and of photographs that the library had already
 * @throws if another change of the library came first
 */
export async function addPhotos(
  services: PhotoServices,
  incoming: AsyncIterable<NewPhoto>,
): Promise<{ added: number; known: number }> {
  const { imageStore, clock } = services;
  const existingIds = new Set((await listPhotos(services)).map(({ id }) => id));
  const storedPhotos = new Map<string, Photo>();
  let existingCount = 0;
  for await (const { bytes, mediaType, sha256, ...fields } of incoming) {
    const id = sha256.slice(0, 20);
    if (existingIds.has(id) || storedPhotos.has(id)) {
      existingCount++;
      continue;
    }
    const path = requireStoredPath(`${photoPrefix}${id.slice(0, 2)}/${id}.${findExtension(mediaType)}`);
    await imageStore.put(path, bytes);
    const { title, description, keywords } = fields;
    const stems = [...stemWords(title, description, ...keywords)].join(' ');
    const addedAt = new Date(clock.nowMs()).toISOString();
    storedPhotos.set(id, { ...fields, id, addedAt, stems, path });
  }
  const index = await readIndex(services);
  // Another run may have added some of these photographs meanwhile.
  const listedIds = new Set(index.photos.map(({ id }) => id));
  const newPhotos = [...storedPhotos.values()].filter(({ id }) => !listedIds.has(id));
  if (newPhotos.length > 0) await writeIndex(services, index.version, [...index.photos, ...newPhotos]);
  return { added: newPhotos.length, known: existingCount };
}

/** Removes photographs with their files, and returns their number. Renditions stay. @throws as `addPhotos` */
export async function removePhotos(services: PhotoServices, ids: readonly string[]): Promise<number> {
  const index = await readIndex(services);
  const removedPhotos = index.photos.filter(({ id }) => ids.includes(id));
  const remainingPhotos = index.photos.filter(({ id }) => !ids.includes(id));
  if (removedPhotos.length > 0) await writeIndex(services, index.version, remainingPhotos);
  for (const { path } of removedPhotos) await services.imageStore.remove(path);
  return removedPhotos.length;
}

/** Replaces the index that was read. @throws if another change came first */
async function writeIndex(
  services: PhotoServices,
  readVersion: string | undefined,
  photos: readonly Photo[],
): Promise<void> {
  const { imageStore, clock, ids, tables } = services;
  const text = JSON.stringify(photos);
  const indexPath = requireStoredPath(`${photoIndexPrefix}${hashSha256(text)}.json`);
  await imageStore.put(indexPath, Buffer.from(text));
  const endsMs = clock.nowMs() + libraryItemTtlMs;
  const item = { TableName: tables.images, pk: libraryKey, value: indexPath, endsMs };
  const version = ids.makeHex(8);
  if ((await replaceItem(services, item, version, readVersion)).version !== version)
    throw new Error('Another change of these photographs is under way.');
}
