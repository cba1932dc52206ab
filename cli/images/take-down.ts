/** Takes an image down for good: no function shows it, its files and what is remembered of it are deleted, caches forget it. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { itemsOf } from '../../lambda/aws/dynamodb/items';
import type { Clock, Ids } from '../../lambda/base/clock';
import type { StockMemory } from '../../lambda/base/item-store';
import { stockFolder } from '../../lambda/contract/image-paths';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { imageFolder, renditionsFolder } from '../../lambda/generation/generation-identity';
import type { ImageLibrary } from '../../lambda/images/image-library';
import {
  appearanceOf,
  type PickedImage,
  type PickedPhoto,
  pickedKey,
  pickOfAiImage,
} from '../../lambda/images/picked-images';
import { changeOperatorImages, keptForMs } from '../../lambda/stock/change-operator-images';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import type { ManagePhotos } from '../../lambda/stock/library/manage-photos';
import { operatorImagesSeenMs } from '../../lambda/stock/operator-images';
import { failed } from '../failure';

/** Images that may be removed: every function reads their ids once a second, in one item of at most 400 KB. */
const removedMax = 10_000;

/** Where an image is from: a provider, a generator, or the operator’s own photographs. */
export type ImageKind = 'stock' | 'ai' | 'library';

/** What holds images, and what has been told of them. */
export interface TakeDownDeps {
  readonly client: DynamoDBDocumentClient;
  readonly stockMemoryTable: string;
  readonly stockMemory: StockMemory;
  readonly index: GenerationIndex;
  readonly library: ImageLibrary;
  readonly photos: ManagePhotos;
  /** Has the distributions forget what lies below these folders. */
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
}

/** An image as it is stored. */
export interface StoredImage {
  readonly kind: ImageKind;
  readonly pick: string;
  /** Folders of all its files but a photograph's own. */
  readonly folders: readonly string[];
  /** Of an AI image. */
  readonly generation?: Generation;
  /** Of another one, where more than its card is stored. */
  readonly photo?: Pick<PickedPhoto, 'provider'> & { readonly id: string };
}

/** A photo of a provider, or of the operator's own. */
export function photoImage(provider: string, id: string): StoredImage {
  const pick = pickIdOf(provider, id);
  return {
    kind: provider === 'library' ? 'library' : 'stock',
    pick,
    folders: [stockFolder(pick)],
    photo: { provider, id },
  };
}

/** @param id a pick, or the id of an AI image */
export async function findImage(
  { stockMemory, index }: Pick<TakeDownDeps, 'stockMemory' | 'index'>,
  id: string,
): Promise<StoredImage | undefined> {
  const value = (await stockMemory.readLatest<PickedImage>(pickedKey(id)))?.value;
  if (value && 'candidate' in value) return photoImage(value.provider, value.candidate.id);
  const generation = await index.byImageId(value && 'imageId' in value ? value.imageId : id);
  if (!generation) return value && { kind: 'stock', pick: id, folders: [stockFolder(id)] };
  const { key, imageId } = generation;
  const folders = [imageFolder(key), renditionsFolder(key)];
  return { kind: 'ai', pick: pickOfAiImage(imageId), folders, generation };
}

/**
 * May be repeated after a failure: every step ends where it ended before.
 * @returns how many files were deleted
 * @throws `Failure` when something else is being changed at the moment
 */
export async function takeDown(deps: TakeDownDeps, image: StoredImage): Promise<number> {
  const { index, library, photos, invalidate, clock } = deps;
  const { pick, folders, generation, photo, kind } = image;
  if (generation) {
    if (!(await index.remove(generation.key)))
      throw failed('The image is being generated. Repeat the command in a minute.');
  } else await noteRemoved(deps, pick);
  await keepColor(deps, pick);
  if (kind === 'stock' && photo) await forgetPicks(deps, photo);
  let files = kind === 'library' && photo ? (await photos.remove([photo.id])).length : 0;
  // Twice: by the second time, nobody shows it any more, and what was being made of it is stored.
  for (const waitMs of [0, operatorImagesSeenMs]) {
    await clock.sleep(waitMs);
    for (const folder of folders)
      for await (const path of library.list(folder)) {
        await library.remove(path);
        files += 1;
      }
  }
  await invalidate(folders);
  return files;
}

/** From the next second on, no function finds or shows the image. */
async function noteRemoved({ stockMemory, clock, ids }: TakeDownDeps, pick: string): Promise<void> {
  const changed = await changeOperatorImages({ stockMemory, clock, ids }, async (before) => {
    if (before.removed.includes(pick)) return before;
    if (before.removed.length >= removedMax)
      throw failed(`${removedMax} images are removed, which is the most.`);
    return { ...before, removed: [...before.removed, pick] };
  });
  if (!changed) throw failed('Another command is changing images. Repeat this one in a minute.');
}

/** Leaves of what is stored under the pick no more than the colour of its card. */
async function keepColor({ stockMemory, clock }: TakeDownDeps, pick: string): Promise<void> {
  const stored = (await stockMemory.readLatest<PickedImage>(pickedKey(pick)))?.value ?? { source: 'stock_a' };
  const { source, placeholder, color = placeholder?.color } = appearanceOf(stored);
  const { placeholder: _, ...removed } =
    'imageId' in stored ? { ...stored, isGone: true } : { placeholder, source };
  const value: PickedImage = { ...removed, ...(color !== undefined && { color }) };
  const staleUntilMs = clock.nowMs() + keptForMs;
  await stockMemory.write(pickedKey(pick), { value, freshUntilMs: 0, staleUntilMs });
}

/** Deletes the choices of an image as the pick of words, whose keys say nothing of the image. */
async function forgetPicks(
  { client, stockMemoryTable, stockMemory }: TakeDownDeps,
  { provider, id }: NonNullable<StoredImage['photo']>,
): Promise<void> {
  const scan = new ScanCommand({
    TableName: stockMemoryTable,
    FilterExpression: 'begins_with(pk, :pk) AND contains(#value, :id)',
    ExpressionAttributeNames: { '#value': 'value' },
    ExpressionAttributeValues: { ':pk': `PICK#${provider}#`, ':id': JSON.stringify(id) },
  });
  for await (const { pk, value } of itemsOf(client, scan))
    if (JSON.parse(String(value)).candidate.id === id)
      await stockMemory.write(String(pk), { value: null, freshUntilMs: 0, staleUntilMs: 0 });
}
