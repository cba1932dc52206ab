/** Adds, lists and removes the operator's photographs: files in the image library, and an index of immutable files. */

import * as z from 'zod/mini';
import { photoIndexPrefix, photoPrefix } from '../../contract/image-paths';
import type { ImageLibrary } from '../../images/image-library';
import { extensionOf, libraryPathOf } from '../../images/library-path';
import { sha256Hex } from '../../requests/image-request';
import { type ChangeOperatorImagesDeps, changeOperatorImages } from '../change-operator-images';
import { operatorImagesKey, type StoredOperatorImages } from '../operator-images';
import { stemsOf } from '../words';
import { type Photo, photoSchema, photosPerFile } from './photo';

/** A photograph to be added. */
export interface NewPhoto extends Omit<Photo, 'id' | 'addedAt' | 'path' | 'stems'> {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
}

/** Where photographs and their index are stored. */
interface ManagePhotosDeps extends ChangeOperatorImagesDeps {
  readonly library: ImageLibrary;
}

/** Another change of the library is under way. */
export class LibraryBusy extends Error {
  override readonly name = 'LibraryBusy';
}

const indexSchema = z.array(photoSchema);

/** All photographs that some files list, in their order. @throws when the library does not answer or a file is damaged */
export async function readPhotos(
  library: Pick<ImageLibrary, 'get'>,
  paths: readonly string[],
): Promise<readonly Photo[]> {
  const lists = await Promise.all(
    paths.map(async (path) => {
      const stored = await library.get(libraryPathOf(path));
      if (!stored) throw new Error(`The index of photographs lacks ${path}`);
      return JSON.parse(Buffer.from(stored.bytes).toString('utf8')) as readonly Photo[];
    }),
  );
  return lists.flat();
}

/** The photographs of the operator. */
export interface ManagePhotos {
  list(): Promise<readonly Photo[]>;
  /**
   * Stores the files first and lists them in one write, so that whatever is listed is there.
   * @returns how many were new; the others are known by their bytes
   * @throws `LibraryBusy`
   */
  add(photos: AsyncIterable<NewPhoto>): Promise<{ added: number; known: number }>;
  /** @returns the removed photographs; unknown ids are left out @throws `LibraryBusy` */
  remove(ids: readonly string[]): Promise<readonly Photo[]>;
}

/** One change of a library at a time. */
export function createManagePhotos(deps: ManagePhotosDeps): ManagePhotos {
  const { library, stockMemory, clock } = deps;

  const indexOf = async (photos: readonly Photo[]): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (let from = 0; from < photos.length; from += photosPerFile) {
      const part = photos.slice(from, from + photosPerFile);
      const bytes = Buffer.from(JSON.stringify(z.parse(indexSchema, part)));
      const path = libraryPathOf(`${photoIndexPrefix}${sha256Hex(bytes.toString('utf8'))}.json`);
      await library.put(path, { bytes, mediaType: 'application/json' });
      paths.push(path);
    }
    return paths;
  };

  /** Replaces the index. Files of the earlier one go with the change after, as other instances may still read them. */
  const change = async (edit: (before: readonly Photo[]) => Promise<readonly Photo[]>): Promise<void> => {
    const changed = await changeOperatorImages(deps, async (before) => {
      const photos = await edit(await readPhotos(library, before.photos));
      return { ...before, photos: await indexOf(photos) };
    });
    if (!changed) throw new LibraryBusy('Another change of these photographs is under way.');
  };

  const list = async () =>
    readPhotos(
      library,
      (await stockMemory.readLatest<StoredOperatorImages>(operatorImagesKey))?.value.photos ?? [],
    );

  return {
    list,

    async add(incoming) {
      const before = new Set((await list()).map(({ id }) => id));
      const added = new Map<string, Photo>();
      let known = 0;
      for await (const { bytes, mediaType, sha256, ...described } of incoming) {
        const id = sha256.slice(0, 20);
        if (before.has(id) || added.has(id)) {
          known++;
          continue;
        }
        const path = libraryPathOf(`${photoPrefix}${id.slice(0, 2)}/${id}.${extensionOf(mediaType)}`);
        await library.put(path, { bytes, mediaType });
        const { title, description, keywords } = described;
        const stems = [...stemsOf(title, description, ...keywords)].join(' ');
        const addedAt = new Date(clock.nowMs()).toISOString();
        added.set(id, { ...described, id, addedAt, stems, path });
      }
      if (added.size > 0)
        await change(async (stored) => {
          for (const { id } of stored) added.delete(id);
          return [...stored, ...added.values()];
        });
      return { added: added.size, known };
    },

    async remove(ids) {
      const wanted = new Set(ids);
      let removed: readonly Photo[] = [];
      await change(async (stored) => {
        removed = stored.filter(({ id }) => wanted.has(id));
        return stored.filter(({ id }) => !wanted.has(id));
      });
      for (const { path } of removed) await library.remove(path);
      return removed;
    },
  };
}
