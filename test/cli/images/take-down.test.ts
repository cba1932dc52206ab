/** Tests the take-down of an image: its files go, and other images lose nothing. */

import {
  findStoredImage,
  makeStoredImage,
  type TakeDownServices,
  takeDown,
} from '../../../cli/images/take-down';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { makeMastersFolder } from '../../../lambda/generation/ai-image-identity';
import { acquireImage, finishImage, readAiImage } from '../../../lambda/generation/ai-image-store';
import {
  makeAiPick,
  makePick,
  readPickedImage,
  storePickedImage,
} from '../../../lambda/images/picked-images';
import { addPhotos, listPhotos } from '../../../lambda/stock/library/manage-photos';
import { storedMaster } from '../../fakes/ai-services';
import { createVirtualClock } from '../../fakes/clock';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageStore } from '../../fakes/image-store';
import { createServicesOn } from '../../fakes/services';
import { makeCandidate } from '../../fakes/stock-provider';
import { makeImageKey, makeStoredPath } from '../../fakes/values';

const file = Buffer.from('x');
const order = { id: 'photo-1', reason: 'asked' };

const engine = startFixture(startEngine);
let names = 0;

function createServices(change: Partial<TakeDownServices> = {}) {
  const clock = { ...createVirtualClock(), sleep: async () => undefined };
  const imageStore = createFakeImageStore();
  const invalidatedFolders: string[] = [];
  const remarks: string[] = [];
  const { database, random, deadline, tables, telemetry } = createServicesOn(engine, { clock });
  const services: TakeDownServices = {
    ...{ database, random, deadline, tables, clock, imageStore, ids: createFakeIds() },
    invalidate: async (folders) => void invalidatedFolders.push(...folders),
    storedLateMs: 56_000,
    printRemark: (text) => void remarks.push(text),
    readPrincipal: async () => 'me',
    ...change,
  };
  const storeServices = {
    ...services,
    telemetry,
    stockMemory: { writtenLately: createExpiringCache<true>(9) },
  };
  const put = (path: string) => imageStore.put(makeStoredPath(path), file);
  const removePhoto = (id: string) => takeDown(services, makeStoredImage('pexels', id), order);
  const id = `photo-${++names}`;
  return { services, storeServices, clock, imageStore, put, invalidatedFolders, remarks, removePhoto, id };
}

test('taking an image down also deletes the files that are stored meanwhile', async () => {
  const { clock, imageStore, put, services, invalidatedFolders, remarks, id } = createServices();
  const [removedPick, keptPick] = [makePick('pexels', id), makePick('pexels', 'other')];
  for (const pick of [removedPick, keptPick]) await put(`stock/${pick}/a.webp`);
  const filesLeft: string[][] = [];
  const sleep = async (ms: number) => {
    expect(remarks).toEqual([`Waiting ${ms / 1_000} s for files that were being made…`]);
    filesLeft.push([...imageStore.images.keys()]);
    expect(invalidatedFolders).toEqual([`stock/${removedPick}/`]);
    await put(`stock/${removedPick}/late.webp`);
  };
  const slowServices = { ...services, clock: { ...clock, sleep } };
  const removal = await takeDown(slowServices, makeStoredImage('pexels', id), order);
  const removedAt = new Date(clock.nowMs()).toISOString();
  expect(removal).toEqual({ ...order, at: removedAt, by: 'me', kind: 'stock', files: 2 });
  filesLeft.push([...imageStore.images.keys()]);
  expect(filesLeft).toEqual([[`stock/${keptPick}/a.webp`], [`stock/${keptPick}/a.webp`]]);
  expect(invalidatedFolders).toEqual([`stock/${removedPick}/`, `stock/${removedPick}/`]);
});

test('taking an image down again returns the record of the first time', async () => {
  const { services, storeServices, removePhoto, id } = createServices();
  const pick = makePick('pexels', id);
  const photo = {
    provider: 'pexels',
    source: 'stock_b',
    candidate: makeCandidate(id),
    fit: 'exact',
  } as const;
  await storePickedImage(storeServices, pick, { ...photo, checkedMs: 1 }, '#112233');
  expect(await findStoredImage(services, pick)).toMatchObject({
    kind: 'stock',
    pick,
    folders: [`stock/${pick}/`],
  });
  const { files: _, ...removal } = await removePhoto(id);
  expect(await readPickedImage(services, pick)).toEqual({ color: '#112233', removal });
  expect(await findStoredImage(services, pick)).toMatchObject({ kind: 'stock', pick });
  expect(await removePhoto(id)).toEqual({ ...removal, files: 0 });
});

test.each([
  ['private', 'ready'],
  ['public', 'ready'],
  ['public', 'making'],
] as const)(
  'taking down a %s AI image in the state %s deletes master and renditions',
  async (visibility, state) => {
    const key = makeImageKey(`G#live#acc_${++names}#${visibility}#${'0'.repeat(64)}`);
    const { services, storeServices, put, imageStore, clock, invalidatedFolders } = createServices();
    const generationId = '01'.repeat(13);
    await acquireImage(services, { key, generationId });
    if (state === 'ready') await finishImage(services, { key, generationId }, storedMaster);
    const { imageId } = (await readAiImage(services, key)) ?? { imageId: '' };
    const pick = makeAiPick(imageId);
    await storePickedImage(storeServices, pick, { imageId }, '#112233');
    const image = (await findStoredImage(services, pick)) as NonNullable<
      Awaited<ReturnType<typeof findStoredImage>>
    >;
    expect(await findStoredImage(services, imageId)).toEqual(image);
    expect(image).toMatchObject({ kind: 'ai', pick });
    expect(image.folders[0]).toBe(makeMastersFolder(key));
    for (const folder of image.folders) await put(`${folder}a.webp`);
    const waited: number[] = [];
    const sleep = async (ms: number) => {
      waited.push(ms);
      await put(`${image.folders[1]}late.webp`);
    };
    const removal = await takeDown({ ...services, clock: { ...clock, sleep } }, image, order);
    expect(removal).toMatchObject({ kind: 'ai', files: 3 });
    expect([waited, imageStore.images.size]).toEqual([[56_000], 0]);
    expect(invalidatedFolders).toEqual([...image.folders, ...image.folders]);
    expect(await readAiImage(services, key)).toMatchObject({ state: 'removed' });
    expect(await readPickedImage(services, pick)).toMatchObject({ image: { imageId } });
    const later = { ...clock, nowMs: () => clock.nowMs() + 60_000, sleep };
    await takeDown({ ...services, clock: later }, image, order);
    expect(waited).toEqual([56_000]);
  },
);

test('an unknown id leads to no image', async () => {
  expect(await findStoredImage(createServices().services, '0'.repeat(20))).toBeUndefined();
});

test('a photograph of the library that was never shown can be taken down', async () => {
  const { services, imageStore } = createServices();
  await addPhotos(
    services,
    (async function* () {
      yield {
        ...{ file: 'a.jpg', title: 'Lake', keywords: [], width: 900, height: 600 },
        ...{ bytes: Buffer.from('a'), mediaType: 'image/jpeg', sha256: 'ab'.repeat(32) },
      };
    })(),
  );
  const [photo] = await listPhotos(services);
  const image = await findStoredImage(services, photo?.id ?? '');
  expect(image).toMatchObject({ kind: 'library' });
  const removal = await takeDown(services, image as never, order);
  expect(removal).toMatchObject({ kind: 'library', files: 1 });
  expect(await listPhotos(services)).toEqual([]);
  expect([...imageStore.images.keys()].filter((path) => path.endsWith('.jpg'))).toEqual([]);
});
