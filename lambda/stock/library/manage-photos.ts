/** Adds, lists and removes the operator's photographs: files in the image library, and an index of immutable files. */

import * as z from 'zod/mini';
import type { Ids } from '../../base/clock';
import { photoIndexPrefix, photoPrefix } from '../../contract/image-paths';
import type { ImageLibrary } from '../../images/image-library';
import { extensionOf, libraryPathOf } from '../../images/library-path';
import { sha256Hex } from '../../requests/image-request';
import { stemsOf } from '../words';
import { type LibraryServices, readLibraryItem, replaceLibraryItem } from './library-item';
import { type Photo, photoSchema, photosPerFile } from './photo';

/** A photograph to be added. */
export interface NewPhoto extends Omit<Photo, 'id' | 'addedAt' | 'path' | 'stems'> {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
}

/** Where photographs and their index are stored. */
export interface PhotoServices extends LibraryServices {
  readonly bucket: ImageLibrary;
  readonly ids: Pick<Ids, 'hex'>;
}

/** Another change of the library was made meanwhile. */
export class LibraryBusy extends Error {
  override readonly name = 'LibraryBusy';
}

const indexSchema = z.array(photoSchema);

/** All photographs that some files list, in their order. @throws when the library does not answer or a file is damaged */
export async function readPhotos(
  bucket: Pick<ImageLibrary, 'get'>,
  paths: readonly string[],
): Promise<readonly Photo[]> {
  const lists = await Promise.all(
    paths.map(async (path) => {
      const stored = await bucket.get(libraryPathOf(path));
      if (!stored) throw new Error(`The index of photographs lacks ${path}`);
      return JSON.parse(Buffer.from(stored.bytes).toString('utf8')) as readonly Photo[];
    }),
  );
  return lists.flat();
}

/** @throws when the table or the bucket does not answer */
export async function listPhotos(services: PhotoServices): Promise<readonly Photo[]> {
  return readPhotos(services.bucket, (await readLibraryItem(services))?.value ?? []);
}

/**
 * Stores the files first and lists them in one write, so that whatever is listed is there.
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
    const path = libraryPathOf(`${photoPrefix}${id.slice(0, 2)}/${id}.${extensionOf(mediaType)}`);
    await bucket.put(path, { bytes, mediaType });
    const { title, description, keywords } = described;
    const stems = [...stemsOf(title, description, ...keywords)].join(' ');
    const addedAt = new Date(clock.nowMs()).toISOString();
    added.set(id, { ...described, id, addedAt, stems, path });
  }
  if (added.size > 0)
    await changeIndex(services, (stored) => {
      for (const { id } of stored) added.delete(id);
      return [...stored, ...added.values()];
    });
  return { added: added.size, known };
}

/** Removes photographs and their files; not their renditions. @returns the files that were deleted @throws `LibraryBusy` */
export async function removePhotos(services: PhotoServices, ids: readonly string[]): Promise<number> {
  let removed: readonly Photo[] = [];
  await changeIndex(services, (stored) => {
    removed = stored.filter(({ id }) => ids.includes(id));
    return removed.length === 0 ? stored : stored.filter(({ id }) => !ids.includes(id));
  });
  for (const { path } of removed) await services.bucket.remove(path);
  return removed.length;
}

/** @param edit returns what it was given where nothing changes @throws `LibraryBusy` */
async function changeIndex(
  services: PhotoServices,
  edit: (before: readonly Photo[]) => readonly Photo[],
): Promise<void> {
  const stored = await readLibraryItem(services);
  const before = await readPhotos(services.bucket, stored?.value ?? []);
  const photos = edit(before);
  if (photos === before) return;
  const paths = await writeIndex(services, photos);
  if (!(await replaceLibraryItem(services, paths, stored)))
    throw new LibraryBusy('Another change of these photographs is under way.');
}

/** Writes files that list photographs. @returns their paths */
async function writeIndex({ bucket }: PhotoServices, photos: readonly Photo[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let from = 0; from < photos.length; from += photosPerFile) {
    const part = photos.slice(from, from + photosPerFile);
    const bytes = Buffer.from(JSON.stringify(z.parse(indexSchema, part)));
    const path = libraryPathOf(`${photoIndexPrefix}${sha256Hex(bytes.toString('utf8'))}.json`);
    await bucket.put(path, { bytes, mediaType: 'application/json' });
    paths.push(path);
  }
  return paths;
}
