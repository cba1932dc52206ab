/** The library of the operator's photographs: searches and changes. */

import { hash } from 'node:crypto';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  addPhotos,
  listPhotos,
  type NewPhoto,
  type Photo,
  type PhotoServices,
  removePhotos,
} from '../../../lambda/stock/library/manage-photos';
import {
  createPhotoIndex,
  createPhotoIndexReader,
  photoIndexTtlMs,
} from '../../../lambda/stock/library/photo-index';
import { parseSubject } from '../../../lambda/stock/subject';
import { stemWords } from '../../../lambda/stock/words';
import { createVirtualClock } from '../../fakes/clock';
import { createFaultyDatabase, startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageStore } from '../../fakes/image-store';
import { makeLostAnswer } from '../../fakes/memory-database';
import { createServicesOn } from '../../fakes/services';

const engine = startFixture(startEngine);

function makePhoto(title: string, more: Partial<NewPhoto> = {}): NewPhoto {
  const bytes = Buffer.from(JSON.stringify([title, more]));
  return {
    file: `${title}.jpg`,
    title,
    keywords: [],
    copyright: '© Acme',
    width: 1_600,
    height: 1_000,
    bytes,
    mediaType: 'image/jpeg',
    sha256: hash('sha256', bytes),
    ...more,
  };
}

async function* streamItems<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function createLibrarySetup() {
  const clock = createVirtualClock();
  const imageStore = createFakeImageStore();
  const services: PhotoServices = {
    ...createServicesOn(engine, { clock }),
    imageStore,
    ids: createFakeIds(),
  };
  const add = (added: readonly NewPhoto[]) => addPhotos(services, streamItems(added));
  const list = () => listPhotos(services);
  const remove = (ids: readonly string[]) => removePhotos(services, ids);
  return { clock, imageStore, services, add, list, remove };
}

afterEach(async () => {
  const { list, remove } = createLibrarySetup();
  const { client, tableNames } = engine;
  await client.send(new DeleteCommand({ TableName: tableNames.images, Key: { pk: 'LIBRARY' } }));
  expect([await list(), await remove(['none'])]).toEqual([[], 0]);
});

const createIndex = (titles: readonly string[]) =>
  createPhotoIndex(
    titles.map(
      (title) =>
        ({
          ...makePhoto(title),
          id: title,
          stems: [...stemWords(title)].join(' '),
          addedAt: '',
          path: 'a.jpg',
        }) as never,
    ),
  );

test.each([
  ['bakery', 'Bakery in the morning'],
  ['a photo of fresh bakeries', 'Bakery in the morning'],
  ['perro', 'Dog on a beach'],
  ['mornning', 'Bakery in the morning'],
  ['Straße im Regen', 'Straße im Regen'],
])('a search for %s finds "%s" first', (query, title) => {
  const searchPhotos = createIndex(['Dog on a beach', 'Bakery in the morning', 'Straße im Regen']);
  expect(searchPhotos(parseSubject(query))[0]?.photo.title).toBe(title);
});

test('photographs are found by all their texts, best match first', async () => {
  const { add, list } = createLibrarySetup();
  await add([
    makePhoto('Hut', { description: 'A lake at dawn' }),
    makePhoto('Hill', { description: 'Green', keywords: ['lake'] }),
    makePhoto('Lake'),
    makePhoto('Lake', { file: 'again.jpg' }),
  ]);
  const photos = await list();
  const findPhotos = (from: readonly Photo[]) =>
    createPhotoIndex(from)(parseSubject('lake')).map(({ photo }) => photo);
  expect(findPhotos(photos).map(({ title }) => title)).toEqual(['Lake', 'Lake', 'Hill', 'Hut']);
  expect(findPhotos([...photos].reverse())).toEqual(findPhotos(photos));
});

test('at most the sixty photographs with the most words are scored', () => {
  const titles = Array.from({ length: 70 }, (_, n) => `Lake ${n}`);
  const searchPhotos = createIndex([...titles, 'Mountain lake']);
  expect(searchPhotos(parseSubject('mountain lake'))).toHaveLength(60);
  expect(searchPhotos(parseSubject('mountain lake'))[0]?.photo.title).toBe('Mountain lake');
});

test('a photograph is matched in the language with the better match', () => {
  const subject = parseSubject('perro');
  expect(createIndex(['Dog (perro)', 'Hill'])(subject)[0]?.subject).toBe(subject);
  expect(createIndex(['Perro', 'Hill'])(subject)[0]?.subject.words).toMatchObject([{ stem: 'perro' }]);
});

test('each added photograph is listed once for a hundred years', async () => {
  const { add, clock, list, imageStore } = createLibrarySetup();
  expect(await add([makePhoto('Lake'), makePhoto('Lake'), makePhoto('Hill')])).toEqual({
    added: 2,
    known: 1,
  });
  expect(await add([makePhoto('Lake')])).toEqual({ added: 0, known: 1 });
  const photos = await list();
  expect(photos.map(({ title }) => title)).toEqual(['Lake', 'Hill']);
  for (const { path } of photos) expect(imageStore.images.has(path)).toBe(true);
  const { bytes: _, mediaType: __, sha256, ...said } = makePhoto('Lake');
  expect(photos[0]).toEqual({
    ...said,
    id: expect.stringMatching(/^[0-9a-f]{20}$/),
    addedAt: '2026-11-21T12:00:00.000Z',
    stems: 'lake',
    path: `library/${photos[0]?.id.slice(0, 2)}/${photos[0]?.id}.jpg`,
  });
  const item = { TableName: engine.tableNames.images, Key: { pk: 'LIBRARY' } };
  const { Item } = await engine.client.send(new GetCommand(item));
  expect((Item?.['ttl'] - clock.nowMs() / 1_000) / 86_400).toBe(36_500);
});

test('photographs that another run adds meanwhile are not counted', async () => {
  const { add, list, services } = createLibrarySetup();
  const yieldPhotosWithChange = async function* () {
    yield makePhoto('Lake');
    await add([makePhoto('Lake')]);
    yield makePhoto('Hill');
  };
  expect(await addPhotos(services, yieldPhotosWithChange())).toMatchObject({ added: 1 });
  expect((await list()).map(({ title }) => title)).toEqual(['Lake', 'Hill']);
});

test('removed photographs lose their files', async () => {
  const { add, list, remove, imageStore } = createLibrarySetup();
  await add([makePhoto('Lake'), makePhoto('Hill')]);
  const [lake] = await list();
  expect(await remove([lake?.id as string, 'unknown'])).toBe(1);
  expect((await list()).map(({ title }) => title)).toEqual(['Hill']);
  expect(imageStore.images.has(lake?.path as string)).toBe(false);
  for (const { path } of await list()) expect(imageStore.images.has(path)).toBe(true);
});

test('the second of two concurrent changes of the library fails without a loss', async () => {
  const { add, list, services, imageStore } = createLibrarySetup();
  await add([makePhoto('Hill')]);
  const { put } = imageStore;
  let isFirst = true;
  const slow: PhotoServices = {
    ...services,
    imageStore: {
      ...imageStore,
      async put(path, image) {
        if (path.endsWith('.json') && isFirst) {
          isFirst = false;
          await add([makePhoto('Lake')]);
        }
        return put(path, image);
      },
    },
  };
  await expect(addPhotos(slow, streamItems([makePhoto('Tree')]))).rejects.toThrow('Another change');
  expect((await list()).map(({ title }) => title)).toEqual(['Hill', 'Lake']);
});

test('the index of photographs is read again when its table answers again', async () => {
  const { clock, services } = createLibrarySetup();
  let isSilent = true;
  const database = createFaultyDatabase(engine, (_, send) =>
    isSilent ? Promise.reject(makeLostAnswer()) : send(),
  );
  const readIndex = createPhotoIndexReader({ ...services, database });
  await expect(clock.settle(readIndex())).rejects.toThrow();
  isSilent = false;
  await clock.advance(60_000);
  expect((await readIndex())(parseSubject('lake'))).toEqual([]);
});

test('the index of photographs is read again a second after a change', async () => {
  const { add, clock, imageStore, services } = createLibrarySetup();
  const gets: string[] = [];
  let isAway = true;
  const get: typeof imageStore.get = async (path) => {
    gets.push(path);
    if (isAway) throw new Error('away');
    return imageStore.get(path);
  };
  const readIndex = createPhotoIndexReader({ ...services, imageStore: { get } });
  const findTitles = async (words: string) =>
    (await readIndex())(parseSubject(words)).map((match) => match.photo.title);
  expect(await findTitles('lake')).toEqual([]);
  await add([makePhoto('Lake')]);
  expect(await findTitles('lake')).toEqual([]);
  await clock.advance(photoIndexTtlMs);
  await expect(findTitles('lake')).rejects.toThrow('away');
  isAway = false;
  for (const _ of [1, 2]) expect(await findTitles('lake')).toEqual(['Lake']);
  await clock.advance(photoIndexTtlMs);
  expect(await findTitles('lake')).toEqual(['Lake']);
  expect(gets).toHaveLength(2);
});
