/** Takes an image down: no answer shows it any more, its files are deleted, and caches drop it. */

import { makeStockFolder } from '../../lambda/contract/image-paths';
import { makeMastersFolder, makeRenditionsFolder } from '../../lambda/generation/ai-image-identity';
import { type AiImage, findAiImageById, removeImage } from '../../lambda/generation/ai-image-store';
import {
  makeAiPick,
  makePick,
  markRemoved,
  type Removal,
  readPickedImage,
} from '../../lambda/images/picked-images';
import { listPhotos, type PhotoServices, removePhotos } from '../../lambda/stock/library/manage-photos';

export interface TakeDownServices extends PhotoServices {
  readonly tables: Readonly<Record<'images' | 'generationIndex', string>>;
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
  /** The longest time in milliseconds until a file that was being made at the removal is stored. */
  readonly storedLateMs: number;
  readonly printRemark: (text: string) => void;
  readonly readPrincipal: () => Promise<string>;
}

interface StoredImage {
  readonly kind: Removal['kind'];
  readonly pick: string;
  /** The folders of its files, without the original of an operator's photograph. */
  readonly folders: readonly string[];
  readonly aiImage?: AiImage;
  readonly photo?: string;
}

/** Makes the description of what is stored of a stock image, or of a photograph of the operator's library. */
export function makeStoredImage(provider: string, id: string): StoredImage {
  const pick = makePick(provider, id);
  const folders = [makeStockFolder(pick)];
  if (provider !== 'library') return { kind: 'stock', pick, folders };
  return { kind: 'library', pick, folders, photo: id };
}

/**
 * Finds an image by one of its ids.
 * @param id a pick, the id of an AI image, or the id of a photograph, even of one that was never shown
 */
export async function findStoredImage(services: TakeDownServices, id: string) {
  const { image, removal } = (await readPickedImage(services, id)) ?? {};
  if (image && 'candidate' in image) return makeStoredImage(image.provider, image.candidate.id);
  const aiImage = await findAiImageById(services, image ? image.imageId : id);
  if (aiImage) {
    const { key, imageId } = aiImage;
    const folders = [makeMastersFolder(key), makeRenditionsFolder(key)];
    return { kind: 'ai' as const, pick: makeAiPick(imageId), folders, aiImage };
  }
  if (removal) return { kind: removal.kind, pick: id, folders: [makeStockFolder(id)] };
  const isPhoto = (await listPhotos(services)).some((photo) => photo.id === id);
  return isPhoto ? makeStoredImage('library', id) : undefined;
}

/**
 * Removes all files below some folders. Then it waits for files that were being made, and removes those too.
 * @param removedMs time of the removal, in milliseconds since the epoch. A removal long ago needs no wait.
 * @returns the number of removed files
 */
export async function removeFiles(
  services: TakeDownServices,
  folders: readonly string[],
  removedMs: number,
): Promise<number> {
  const files = await removeStoredFiles(services, folders);
  const lateMs = removedMs + services.storedLateMs - services.clock.nowMs();
  if (lateMs <= 0) return files;
  services.printRemark(`Waiting ${Math.ceil(lateMs / 1_000)} s for files that were being made…`);
  await services.clock.sleep(lateMs);
  return files + (await removeStoredFiles(services, folders));
}

async function removeStoredFiles({ imageStore, invalidate }: TakeDownServices, folders: readonly string[]) {
  let files = 0;
  for (const folder of folders)
    for await (const path of imageStore.list(folder)) {
      await imageStore.remove(path);
      files += 1;
    }
  await invalidate(folders);
  return files;
}

/**
 * Takes an image down. It can be repeated after a failure, because a step that is done does nothing.
 * @param request the id and the reason that the operator gave
 * @returns the record of the removal, and the number of removed files. An image that was taken down before keeps
 *   its first record.
 */
export async function takeDown(
  services: TakeDownServices,
  { kind, pick, folders, aiImage, photo }: StoredImage,
  request: Pick<Removal, 'id' | 'reason'>,
): Promise<Removal & { readonly files: number }> {
  if (aiImage) await removeImage(services, aiImage.key);
  const firstRemoval = (await readPickedImage(services, pick))?.removal;
  const at = new Date(services.clock.nowMs()).toISOString();
  const removal = firstRemoval ?? { ...request, at, by: await services.readPrincipal(), kind };
  await markRemoved(services, pick, removal);
  const photos = photo === undefined ? 0 : await removePhotos(services, [photo]);
  const files = photos + (await removeFiles(services, folders, Date.parse(removal.at)));
  return { ...removal, files };
}
