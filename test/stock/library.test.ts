/** Photographs of the operator's own: what is found among them, and what a change of the library does. */

import { hash } from 'node:crypto';
import { changeOperatorImages } from '../../lambda/stock/change-operator-images';
import { createManagePhotos, LibraryBusy, type NewPhoto } from '../../lambda/stock/library/manage-photos';
import type { Photo } from '../../lambda/stock/library/photo';
import { createPhotoIndex } from '../../lambda/stock/library/photo-index';
import {
  createOperatorImages,
  operatorImagesKey,
  operatorImagesSeenMs,
  type StoredOperatorImages,
} from '../../lambda/stock/operator-images';
import { createPhotoProvider, createReadPhotoIndex } from '../../lambda/stock/providers/library';
import { understand } from '../../lambda/stock/understand';
import { stemsOf } from '../../lambda/stock/words';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';
import { createBench } from './stock-bench';

function photo(title: string, more: Partial<NewPhoto> = {}): NewPhoto {
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

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function bench() {
  const clock = createVirtualClock();
  const stockMemory = createFakeItemStore(clock);
  const library = createFakeImageLibrary();
  const changing = { stockMemory, clock, ids: createFakeIds() };
  const photos = createManagePhotos({ ...changing, library });
  const telemetry = createRecordedTelemetry();
  const { current: withPhotos } = createOperatorImages(stockMemory, clock, telemetry);
  const add = (added: readonly NewPhoto[]) => photos.add(each(added));
  return { clock, stockMemory, library, changing, photos, telemetry, withPhotos, add };
}

const indexed = (titles: readonly string[], more: Partial<Photo> = {}) =>
  createPhotoIndex(
    titles.map(
      (title) =>
        ({
          ...photo(title),
          id: title,
          stems: [...stemsOf(title)].join(' '),
          addedAt: '',
          path: 'a.jpg',
          ...more,
        }) as never,
    ),
  );

describe('a search among photographs', () => {
  it.each([
    ['bakery', 'Bakery in the morning'],
    ['a photo of fresh bakeries', 'Bakery in the morning'],
    ['perro', 'Dog on a beach'],
    ['mornning', 'Bakery in the morning'],
    ['Straße im Regen', 'Straße im Regen'],
  ])('%s finds "%s" first', (query, title) => {
    const index = indexed(['Dog on a beach', 'Bakery in the morning', 'Straße im Regen']);
    expect(index.search(understand(query), 3)[0]?.photo.title).toBe(title);
  });

  it('finds them by every word that they say, the better match first, and the same order of equals', async () => {
    const { add, photos } = bench();
    await add([
      photo('Hut', { description: 'A lake at dawn' }),
      photo('Hill', { description: 'Green', keywords: ['lake'] }),
      photo('Lake'),
      photo('Lake', { file: 'again.jpg' }),
    ]);
    const listed = await photos.list();
    const found = (from: readonly Photo[]) =>
      createPhotoIndex(from)
        .search(understand('lake'), 9)
        .map(({ photo }) => photo);
    expect(found(listed).map(({ title }) => title)).toEqual(['Lake', 'Lake', 'Hill', 'Hut']);
    expect(found([...listed].reverse())).toEqual(found(listed));
    expect(createPhotoIndex(listed).byId(listed[0]?.id ?? '')).toEqual(listed[0]);
  });

  it('compares the sixty closely that name most of the subject', () => {
    const titles = Array.from({ length: 70 }, (_, n) => `Lake ${n}`);
    const index = indexed([...titles, 'Mountain lake']);
    expect(index.search(understand('mountain lake'), 99)).toHaveLength(60);
    expect(index.search(understand('mountain lake'), 1)[0]?.photo.title).toBe('Mountain lake');
  });

  it('finds them in the language of the query as in English', () => {
    const found = (title: string) => indexed([title, 'Hill']).search(understand('perro'), 3);
    for (const title of ['Perro negro', 'Black dog'])
      expect(found(title)).toMatchObject([{ photo: { title } }]);
  });

  it('finds one by the words that it names best, those in English where it names both as well', () => {
    const subject = understand('perro');
    expect(indexed(['Dog (perro)', 'Hill']).search(subject, 3)[0]?.subject).toBe(subject);
    expect(indexed(['Perro', 'Hill']).search(subject, 3)[0]?.subject.words).toMatchObject([
      { stem: 'perro' },
    ]);
  });

  it('finds nothing for words that no photograph has, and no more than are asked for', () => {
    const index = indexed(['Dog one', 'Dog two', 'Dog three']);
    expect(index.search(understand('submarine'), 3)).toEqual([]);
    expect(index.search(understand('dog'), 2)).toHaveLength(2);
  });
});

describe('the library', () => {
  it('adds each photograph once, and lists it with its file', async () => {
    const { add, photos, library } = bench();
    expect(await add([photo('Lake'), photo('Lake'), photo('Hill')])).toEqual({ added: 2, known: 1 });
    expect(await add([photo('Lake')])).toEqual({ added: 0, known: 1 });
    const listed = await photos.list();
    expect(listed.map(({ title }) => title)).toEqual(['Lake', 'Hill']);
    for (const { path } of listed) expect(library.images.has(path)).toBe(true);
    const { bytes: _, mediaType: __, sha256, ...said } = photo('Lake');
    expect(listed[0]).toEqual({
      ...said,
      id: expect.stringMatching(/^[0-9a-f]{20}$/),
      addedAt: '2026-11-21T12:00:00.000Z',
      stems: 'lake',
      path: `library/${listed[0]?.id.slice(0, 2)}/${listed[0]?.id}.jpg`,
    });
  });

  it('counts none as added that another run has added meanwhile', async () => {
    const { add, photos } = bench();
    const meanwhile = async function* () {
      yield photo('Lake');
      await add([photo('Lake')]);
      yield photo('Hill');
    };
    expect(await photos.add(meanwhile())).toMatchObject({ added: 1 });
    expect((await photos.list()).map(({ title }) => title)).toEqual(['Lake', 'Hill']);
  });

  it('removes the photographs that are named, with their files', async () => {
    const { add, photos, library } = bench();
    await add([photo('Lake'), photo('Hill')]);
    const [lake] = await photos.list();
    expect(await photos.remove([lake?.id as string, 'unknown'])).toMatchObject([{ title: 'Lake' }]);
    expect((await photos.list()).map(({ title }) => title)).toEqual(['Hill']);
    expect(library.images.has(lake?.path as string)).toBe(false);
    for (const { path } of await photos.list()) expect(library.images.has(path)).toBe(true);
  });

  it('keeps one index file for 5,000 photographs', async () => {
    const { add, stockMemory, library } = bench();
    await add(Array.from({ length: 5_001 }, (_, n) => photo(`Lake ${n}`)));
    const stored = await stockMemory.read<StoredOperatorImages>(operatorImagesKey);
    const lists = stored?.value.photos.map(
      (path) => JSON.parse(Buffer.from(library.images.get(path)?.bytes ?? []).toString()).length,
    );
    expect(lists).toEqual([5_000, 1]);
  });

  it('never relies on a read that may be out of date', async () => {
    const { add, photos, stockMemory } = bench();
    stockMemory.fail('read', true);
    await add([photo('Lake')]);
    await add([photo('Hill')]);
    const [lake] = await photos.list();
    expect(await photos.remove([lake?.id ?? ''])).toHaveLength(1);
    expect((await photos.list()).map(({ title }) => title)).toEqual(['Hill']);
  });

  it('makes one change at a time, and gives way after one that failed', async () => {
    const { changing, photos, add, library } = bench();
    await add([photo('Hill')]);
    const [{ id, path }] = (await photos.list()) as [Photo];
    await changeOperatorImages(changing, async (before) => {
      await expect(photos.add(each([photo('Lake')]))).rejects.toBeInstanceOf(LibraryBusy);
      await expect(photos.remove([id])).rejects.toBeInstanceOf(LibraryBusy);
      return before;
    });
    expect(library.images.has(path)).toBe(true);
    await expect(changeOperatorImages(changing, () => Promise.reject(new Error('full')))).rejects.toThrow(
      'full',
    );
    expect(await add([photo('Lake')])).toEqual({ added: 1, known: 0 });
  });
});

describe('what a request may show', () => {
  it('are the photographs that there are, within a second of a change', async () => {
    const { add, withPhotos, stockMemory, clock } = bench();
    expect((await withPhotos(request('lake'))).photos).toBeUndefined();
    await add([photo('Lake')]);
    await clock.advance(operatorImagesSeenMs - 1);
    expect((await withPhotos(request('lake'))).photos).toBeUndefined();
    await clock.advance(1);
    const stored = await stockMemory.read<StoredOperatorImages>(operatorImagesKey);
    expect((await withPhotos(request('lake'))).photos).toEqual(stored?.value.photos);
    stockMemory.fail('read', true);
    await clock.advance(operatorImagesSeenMs);
    // What was seen last holds while the table does not answer.
    expect((await withPhotos(request('lake'))).photos).toEqual(stored?.value.photos);
  });

  it('is no photograph while the table has not answered yet', async () => {
    const { withPhotos, stockMemory, telemetry } = bench();
    stockMemory.fail('read', true);
    expect(await withPhotos(request('lake'))).toEqual(request('lake'));
    expect(telemetry.errors).toHaveLength(1);
  });
});

describe('a search at a slot that is bound to the library', () => {
  async function found(photos: readonly NewPhoto[], query: string) {
    const { add, withPhotos, library } = bench();
    await add(photos);
    const readIndex = createReadPhotoIndex(library);
    const libraryOf = (paths: readonly string[]) => createPhotoProvider(readIndex, paths);
    const stock = createBench();
    const instance = stock.instance({ libraryOf, slots: { stock_a: libraryOf([]) } });
    return { image: await stock.find(await withPhotos(request(query)), instance), stock };
  }

  it.each([
    ['exact', 'Mountain lake'],
    ['partial', 'Mountain hut'],
  ])(
    'serves one whose fit is %s, asks no provider, and takes its rendition from the file',
    async (fit, title) => {
      const { image, stock } = await found([photo(title)], 'mountain lake');
      expect(image).toMatchObject({
        cache: 'HIT',
        image: { source: 'stock_a', fit, attribution: { creditLine: '© Acme' } },
      });
      expect([stock.b.asked, stock.c.asked]).toEqual([[], []]);
      expect(stock.jobs[0]?.source).toMatchObject({
        kind: 'stored',
        path: expect.stringMatching(/^library\//),
      });
    },
  );

  const small = photo('Mountain lake', { width: 200, height: 120 });
  it.each([
    ['nothing that covers a word', [photo('Bakery')], 'mountain lake'],
    ['one that is too small alone', [small], 'mountain lake'],
    [
      'one that is too small, though one that fits less is not',
      [small, photo('Mountain hut')],
      'mountain lake',
    ],
    ['a loose one alone', [photo('Lake')], 'foggy alpine lake village church tower'],
  ])('asks the next slot where there is %s', async (_, photos, query) => {
    const { image, stock } = await found(photos, query);
    expect(image).toMatchObject({ image: { source: 'stock_b', attribution: { providerName: 'Fake' } } });
    expect(stock.b.asked).toHaveLength(1);
  });
});
