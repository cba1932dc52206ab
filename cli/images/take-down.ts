/** Takes an image down for good: no answer shows it, its files are deleted, and caches lose it. */

import { stockFolder } from '../../lambda/contract/image-paths';
import { mastersFolder, renditionsFolder } from '../../lambda/generation/ai-image-identity';
import { type AiImage, findAiImageById, removeImage } from '../../lambda/generation/ai-image-store';
import {
  markRemoved,
  pickOf,
  pickOfAiImage,
  type Removal,
  readPickedImage,
} from '../../lambda/images/picked-images';
import { listPhotos, type PhotoServices, removePhotos } from '../../lambda/stock/library/manage-photos';

/** The tables, image store and caches that hold images. */
export interface TakeDownServices extends PhotoServices {
  readonly tables: Readonly<Record<'images' | 'generationIndex', string>>;
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
  /** How long a file that was being made at a removal may still be stored, in milliseconds. */
  readonly storedLateMs: number;
  /** Reads who runs the command. */
  readonly readPrincipal: () => Promise<string>;
}

/** An image by what is stored of it. */
interface StoredImage {
  readonly kind: Removal['kind'];
  readonly pick: string;
  /** Folders of all its files, but of the original of the operator's photograph. */
  readonly folders: readonly string[];
  readonly aiImage?: AiImage;
  /** Id of a photograph of the operator's library. */
  readonly photo?: string;
}

/** Names the stored image of a provider, or of the operator's library. */
export function describePhoto(provider: string, id: string): StoredImage {
  const pick = pickOf(provider, id);
  const stored = { pick, folders: [stockFolder(pick)] };
  return provider === 'library' ? { ...stored, kind: 'library', photo: id } : { ...stored, kind: 'stock' };
}

/**
 * Finds an image by its id, or `undefined`.
 * @param id a pick, the id of an AI image, or the id of a photograph, which need not have been shown yet
 */
export async function findImage(services: TakeDownServices, id: string): Promise<StoredImage | undefined> {
  const { image, removal } = (await readPickedImage(services, id)) ?? {};
  if (image && 'candidate' in image) return describePhoto(image.provider, image.candidate.id);
  const aiImage = await findAiImageById(services, image ? image.imageId : id);
  if (aiImage) {
    const { key, imageId } = aiImage;
    const folders = [mastersFolder(key), renditionsFolder(key)];
    return { kind: 'ai', pick: pickOfAiImage(imageId), folders, aiImage };
  }
  if (removal) return { kind: removal.kind, pick: id, folders: [stockFolder(id)] };
  const isPhoto = (await listPhotos(services)).some((photo) => photo.id === id);
  return isPhoto ? describePhoto('library', id) : undefined;
}

type FileServices = Pick<TakeDownServices, 'imageStore' | 'clock' | 'invalidate' | 'storedLateMs'>;

/**
 * Removes all files below some folders, and again once none that was being made can still be stored.
 * @param removedMs moment (epoch, milliseconds) of the removal; where it is long ago, once is enough
 * @returns how many files were removed
 */
export async function removeFiles(
  services: FileServices,
  folders: readonly string[],
  removedMs: number,
): Promise<number> {
  const files = await removeStoredFiles(services, folders);
  const lateMs = removedMs + services.storedLateMs - services.clock.nowMs();
  if (lateMs <= 0) return files;
  process.stderr.write(`Waiting ${Math.ceil(lateMs / 1_000)} s for files that were being made…\n`);
  await services.clock.sleep(lateMs);
  return files + (await removeStoredFiles(services, folders));
}

async function removeStoredFiles({ imageStore, invalidate }: FileServices, folders: readonly string[]) {
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
 * Takes an image down. May be repeated after a failure: a step that was done before does nothing.
 * @param order the id that the operator gave, and why it is removed
 * @returns the record of the removal; of the first one where the image was taken down before
 */
export async function takeDown(
  services: TakeDownServices,
  { kind, pick, folders, aiImage, photo }: StoredImage,
  order: Pick<Removal, 'id' | 'reason'>,
): Promise<Removal> {
  if (aiImage) await removeImage(services, aiImage.key);
  const earlier = (await readPickedImage(services, pick))?.removal;
  const at = new Date(services.clock.nowMs()).toISOString();
  const removal = earlier ?? { ...order, at, by: await services.readPrincipal(), kind, files: 0 };
  await markRemoved(services, pick, removal);
  const photos = photo === undefined ? 0 : await removePhotos(services, [photo]);
  const files = photos + (await removeFiles(services, folders, Date.parse(removal.at)));
  if (earlier || files === 0) return removal;
  await markRemoved(services, pick, { ...removal, files });
  return { ...removal, files };
}
