/** Takes an image down for good: nothing gives it out any more, its files are deleted, caches forget it. */

import { stockFolder } from '../../lambda/contract/image-paths';
import { imageFolder, renditionsFolder } from '../../lambda/generation/generation-identity';
import { findByImageId, type Generation, remove } from '../../lambda/generation/generations';
import {
  noteRemoved,
  pickOf,
  pickOfAiImage,
  type Removal,
  readImage,
} from '../../lambda/images/picked-images';
import { listPhotos, type PhotoServices, removePhotos } from '../../lambda/stock/library/manage-photos';

/** What holds images, and what has been told of them. */
export interface TakeDownServices extends PhotoServices {
  readonly tables: Readonly<Record<'images' | 'generationIndex', string>>;
  /** Has the distributions forget what lies below these folders. */
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
}

/** An image as it is stored. */
interface StoredImage {
  readonly kind: Removal['kind'];
  readonly pick: string;
  /** Folders of all its files but a photograph's own. */
  readonly folders: readonly string[];
  /** Id of an AI image. */
  readonly generation?: Generation;
  /** Of a photograph of the operator's own. */
  readonly photo?: string;
}

/** A photo of a provider, or of the operator's own. */
export function photoImage(provider: string, id: string): StoredImage {
  const pick = pickOf(provider, id);
  const of =
    provider === 'library' ? ({ kind: 'library', photo: id } as const) : ({ kind: 'stock' } as const);
  return { ...of, pick, folders: [stockFolder(pick)] };
}

/** @param id a pick, the id of an AI image, or the id of a photograph, which need not have been shown yet */
export async function findImage(services: TakeDownServices, id: string): Promise<StoredImage | undefined> {
  const { image, removal } = (await readImage(services, id)) ?? {};
  if (image && 'candidate' in image) return photoImage(image.provider, image.candidate.id);
  const generation = await findByImageId(services, image ? image.imageId : id);
  if (generation) {
    const { key, imageId } = generation;
    const folders = [imageFolder(key), renditionsFolder(key)];
    return { kind: 'ai', pick: pickOfAiImage(imageId), folders, generation };
  }
  if (removal) return { kind: removal.kind, pick: id, folders: [stockFolder(id)] };
  const isPhoto = (await listPhotos(services)).some((each) => each.id === id);
  return isPhoto ? photoImage('library', id) : undefined;
}

/**
 * Removes all files of some folders, twice: what was being made at the first time is stored by the second.
 * @param thenMs how long until then, in milliseconds
 * @returns how many files were removed
 */
export async function removeFiles(
  { bucket, clock, invalidate }: Pick<TakeDownServices, 'bucket' | 'clock' | 'invalidate'>,
  folders: readonly string[],
  thenMs: number,
): Promise<number> {
  let files = 0;
  for (const waitMs of [0, thenMs]) {
    await clock.sleep(waitMs);
    for (const folder of folders)
      for await (const path of bucket.list(folder)) {
        await bucket.remove(path);
        files += 1;
      }
    await invalidate(folders);
  }
  return files;
}

/** How long a rendition that was being made when its image was taken down may still be stored, in milliseconds. */
const renderingMs = 1_000;
/** The same of an AI image that no execution had finished, by a function whose time is not over. */
const generatingMs = 60_000;

/**
 * May be repeated after a failure: every step ends where it ended before.
 * @returns what is kept of the removal; of an earlier one, where there was one
 */
export async function takeDown(
  services: TakeDownServices,
  { kind, pick, folders, generation, photo }: StoredImage,
  by: Omit<Removal, 'kind' | 'files'>,
): Promise<Removal> {
  if (generation) await remove(services, generation.key);
  // A repeated command completes what an earlier one has begun, and is no other removal.
  const earlier = (await readImage(services, pick))?.removal;
  const removal = earlier ?? { ...by, kind, files: 0 };
  await noteRemoved(services, pick, removal);
  const photos = photo === undefined ? 0 : await removePhotos(services, [photo]);
  const isMade = !generation || generation.state === 'ready';
  const files = photos + (await removeFiles(services, folders, isMade ? renderingMs : generatingMs));
  if (earlier || files === 0) return removal;
  await noteRemoved(services, pick, { ...removal, files });
  return { ...removal, files };
}
