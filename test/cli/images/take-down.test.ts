/** Taking an image down: nothing of it stays, what is being made of it meanwhile included, and other images lose nothing. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { findImage, photoImage, type TakeDownDeps, takeDown } from '../../../cli/images/take-down';
import type { GenerationIndex } from '../../../lambda/generation/generation';
import {
  generationRenditionPath,
  imageFolder,
  imageIdOf,
} from '../../../lambda/generation/generation-identity';
import { pickedKey, pickOfAiImage } from '../../../lambda/images/picked-images';
import { pickIdOf } from '../../../lambda/stock/deliver-candidate';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import type { StoredOperatorImages } from '../../../lambda/stock/operator-images';
import { operatorImagesKey } from '../../../lambda/stock/operator-images';
import { imageKey, libraryPath } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { tablesInMemory } from '../../fakes/observed';
import { createVirtualClock } from '../../fakes/virtual-clock';

const image = { bytes: Buffer.from('x'), mediaType: 'image/webp' };
const ends = { freshUntilMs: 0, staleUntilMs: Date.UTC(2030, 0) };
const [wanted, other] = ['7', '77'].map((id) => pickIdOf('pexels', id)) as [string, string];

function stage(change: Partial<TakeDownDeps> = {}) {
  const { db } = tablesInMemory();
  const clock = createVirtualClock();
  const stockMemory = createItemStore(db, 'images', clock);
  const library = createFakeImageLibrary();
  const done: string[] = [];
  const deps: TakeDownDeps = {
    client: db as DynamoDBDocumentClient,
    stockMemoryTable: 'images',
    stockMemory,
    index: {
      remove: async () => true,
      byImageId: async () => undefined,
    } as Partial<GenerationIndex> as GenerationIndex,
    library,
    photos: { remove: async (ids: readonly string[]) => ids.map((id) => ({ id })) } as never,
    invalidate: async (folders) => void done.push(...folders),
    clock,
    ids: createFakeIds(),
    ...change,
  };
  const put = (path: string) => library.put(libraryPath(path), image);
  const read = async (key: string) => (await stockMemory.readLatest<unknown>(key))?.value;
  const down = (of = photoImage('pexels', '7')) => clock.settle(takeDown(deps, of));
  return { deps, clock, stockMemory, library, put, read, down, done };
}

test('files go, those that are stored meanwhile too, and caches forget them at the end', async () => {
  const { clock, library, put, deps, done } = stage();
  for (const pick of [wanted, other]) await put(`stock/${pick}/a.webp`);
  const taking = takeDown(deps, photoImage('pexels', '7'));
  await clock.advance(900);
  expect([...library.images.keys()]).toEqual([`stock/${other}/a.webp`]);
  await put(`stock/${wanted}/late.webp`);
  expect(done).toEqual([]);
  expect(await clock.settle(taking)).toBe(2);
  expect([...library.images.keys()]).toEqual([`stock/${other}/a.webp`]);
  expect(done).toEqual([`stock/${wanted}/`]);
});

test('no more is kept of it than the colour of its card, and no choice of words but those of other images', async () => {
  const { stockMemory, read, down } = stage();
  const candidate = { id: '7', description: { color: '#112233' } };
  const picks = { 'PICK#pexels#a': '7', 'PICK#pexels#b': '77', 'PICK#pixabay#a': '7' };
  await stockMemory.write(pickedKey(wanted), {
    value: { provider: 'pexels', source: 'stock_b', candidate },
    ...ends,
  });
  for (const [key, id] of Object.entries(picks))
    await stockMemory.write(key, { value: { candidate: { id, note: '7' } }, ...ends });
  await down();
  expect(await read(pickedKey(wanted))).toEqual({ source: 'stock_b', color: '#112233' });
  const left = await Promise.all(Object.keys(picks).map(async (key) => Boolean(await read(key))));
  expect(left).toEqual([false, true, true]);
});

test('it is noted as removed once, up to ten thousand of them', async () => {
  const { stockMemory, read, down } = stage();
  const key = operatorImagesKey;
  const removedNow = async () => ((await read(key)) as StoredOperatorImages).removed;
  for (const _ of [1, 2]) await down();
  expect(await removedNow()).toEqual([wanted]);
  const full = Array.from({ length: 9_999 }, (_, i) => `p${i}`);
  await stockMemory.write(key, { value: { removed: full }, ...ends });
  await down();
  expect(await removedNow()).toEqual([...full, wanted]);
  await expect(down(photoImage('pexels', '8'))).rejects.toThrow('10000 images are removed');
  expect(await down()).toBe(0);
});

test.each(['private', 'public'])(
  'of an AI image, %s, masters and renditions go, and none while it is being generated',
  async (visibility) => {
    const key = imageKey(`G#live#acc_1#${visibility}#${'0'.repeat(64)}`);
    const generation = { key, imageId: imageIdOf(key) };
    const index = (isRemoved: boolean) =>
      ({ remove: async () => isRemoved, byImageId: async () => generation }) as never;
    const { deps, put, library, stockMemory, read, clock } = stage({ index: index(false) });
    const pick = pickOfAiImage(generation.imageId);
    const attribution = { provider: 'bedrock' };
    await stockMemory.write(pickedKey(pick), {
      value: { imageId: generation.imageId, attribution, placeholder: { color: '#112233' } },
      ...ends,
    });
    const found = await findImage(deps, pick);
    expect(await findImage(deps, generation.imageId)).toEqual(found);
    expect(found).toMatchObject({
      kind: 'ai',
      folders: [
        imageFolder(key),
        `${visibility === 'public' ? 'public/ai' : 'private'}/${generation.imageId}/`,
      ],
    });
    await put(generationRenditionPath(key, '0'.repeat(26), '640x360.webp'));
    await expect(takeDown(deps, found as never)).rejects.toThrow('is being generated');
    expect(library.images.size).toBe(1);
    expect(await clock.settle(takeDown({ ...deps, index: index(true) }, found as never))).toBe(1);
    expect(await read(pickedKey(pick))).toEqual({
      imageId: generation.imageId,
      attribution,
      isGone: true,
      color: '#112233',
    });
  },
);

test('what is known by no more than its card is found, and what nobody knows is not', async () => {
  const { deps, stockMemory } = stage();
  await stockMemory.write(pickedKey(wanted), { value: { source: 'stock_a', color: '#112233' }, ...ends });
  expect(await findImage(deps, wanted)).toEqual({
    kind: 'stock',
    pick: wanted,
    folders: [`stock/${wanted}/`],
  });
  expect(await findImage(deps, other)).toBeUndefined();
});

test('a photograph of the operator leaves the library', async () => {
  const removed: unknown[] = [];
  const remove = async (...args: unknown[]) => {
    removed.push(args);
    return [{}];
  };
  const photos = { remove } as never;
  const { down } = stage({ photos });
  expect(await down(photoImage('library', '7'))).toBe(1);
  expect(removed).toEqual([[['7']]]);
});
