/** Photographs of the operator's own: what is found among them, for whom, and what a change of the library does. */

import { hash } from 'node:crypto';
import { changeCuration } from '../../lambda/stock/change-curation';
import { createCurate, createCurations, curationSeenMs } from '../../lambda/stock/curation';
import { createManagePhotos, LibraryBusy, type NewPhoto } from '../../lambda/stock/library/manage-photos';
import type { Photo } from '../../lambda/stock/library/photo';
import { createPhotoIndex } from '../../lambda/stock/library/photo-index';
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
  const { current: withPhotos } = createCurate(createCurations(stockMemory, clock), telemetry);
  const add = (added: readonly NewPhoto[], account: string | null = null) => photos.add(each(added), account);
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
          account: null,
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
    const listed = await photos.list(null);
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
  it('adds each photograph of an owner once, and lists it with its file', async () => {
    const { add, photos, library } = bench();
    expect(await add([photo('Lake'), photo('Lake'), photo('Hill')])).toEqual({ added: 2, known: 1 });
    expect(await add([photo('Lake')])).toEqual({ added: 0, known: 1 });
    expect(await add([photo('Lake')], 'acc_a')).toEqual({ added: 1, known: 0 });
    const listed = await photos.list(null);
    expect(listed.map(({ title }) => title)).toEqual(['Lake', 'Hill']);
    for (const { path } of listed) expect(library.images.has(path)).toBe(true);
    const { bytes: _, mediaType: __, sha256, ...said } = photo('Lake');
    expect(listed[0]).toEqual({
      ...said,
      id: expect.stringMatching(/^[0-9a-f]{20}$/),
      account: null,
      addedAt: '2026-11-21T12:00:00.000Z',
      stems: 'lake',
      path: `library/${listed[0]?.id.slice(0, 2)}/${listed[0]?.id}.jpg`,
    });
    expect((await photos.list('acc_a'))[0]).toMatchObject({ account: 'acc_a' });
  });

  it('counts none as added that another run has added meanwhile', async () => {
    const { add, photos } = bench();
    const meanwhile = async function* () {
      yield photo('Lake');
      await add([photo('Lake')]);
      yield photo('Hill');
    };
    expect(await photos.add(meanwhile(), null)).toMatchObject({ added: 1 });
    expect((await photos.list(null)).map(({ title }) => title)).toEqual(['Lake', 'Hill']);
  });

  it('changes nothing of an account while that of everybody cannot be told', async () => {
    const { changing, stockMemory, photos, add } = bench();
    await stockMemory.lease('CURATION#all', 'another', 60_000);
    await expect(add([photo('Lake')], 'acc_a')).rejects.toThrow('everybody is being changed');
    expect(await photos.list('acc_a')).toEqual([]);
    await stockMemory.release('CURATION#all', 'another');
    // The change that failed holds up no other one.
    expect(await changeCuration(changing, 'acc_a', async (before) => before)).toMatchObject({ photos: [] });
  });

  it('removes the photographs that are named, of their owner alone, with their files', async () => {
    const { add, photos, library } = bench();
    await add([photo('Lake'), photo('Hill')]);
    await add([photo('Lake')], 'acc_a');
    const [lake] = await photos.list(null);
    expect(await photos.remove([lake?.id as string, 'unknown'], null)).toMatchObject([{ title: 'Lake' }]);
    expect((await photos.list(null)).map(({ title }) => title)).toEqual(['Hill']);
    expect(await photos.list('acc_a')).toHaveLength(1);
    expect(library.images.has(lake?.path as string)).toBe(false);
    for (const { path } of await photos.list('acc_a')) expect(library.images.has(path)).toBe(true);
  });

  it('keeps one index file for 5,000 photographs', async () => {
    const { add, stockMemory } = bench();
    await add(Array.from({ length: 5_001 }, (_, n) => photo(`Lake ${n}`)));
    const stored = await stockMemory.read<{ photos: readonly { count: number }[] }>('CURATION#all');
    expect(stored?.value.photos.map(({ count }) => count)).toEqual([5_000, 1]);
  });

  it('never relies on a read that may be out of date', async () => {
    const { add, photos, stockMemory } = bench();
    stockMemory.fail('read', true);
    for (const account of [null, 'acc_a']) {
      await add([photo('Lake')], account);
      await add([photo('Hill')], account);
      const [lake] = await photos.list(account);
      expect(await photos.remove([lake?.id ?? ''], account)).toHaveLength(1);
      expect((await photos.list(account)).map(({ title }) => title)).toEqual(['Hill']);
    }
  });

  it('makes one change at a time, and gives way after one that failed', async () => {
    const { changing, photos, add, library } = bench();
    await add([photo('Hill')]);
    const [{ id, path }] = (await photos.list(null)) as [Photo];
    await changeCuration(changing, 'all', async (before) => {
      await expect(photos.add(each([photo('Lake')]), null)).rejects.toBeInstanceOf(LibraryBusy);
      await expect(photos.remove([id], null)).rejects.toBeInstanceOf(LibraryBusy);
      return before;
    });
    expect(library.images.has(path)).toBe(true);
    await expect(changeCuration(changing, 'all', () => Promise.reject(new Error('full')))).rejects.toThrow(
      'full',
    );
    expect(await add([photo('Lake')])).toEqual({ added: 1, known: 0 });
  });
});

describe('what a request may show', () => {
  it("is the account's photographs before everybody's, within a second of a change", async () => {
    const { add, withPhotos, clock } = bench();
    expect((await withPhotos(request('lake'), 'acc_a')).photos).toBeUndefined();
    await add([photo('Lake')]);
    await add([photo('Lake')], 'acc_a');
    await clock.advance(curationSeenMs);
    expect((await withPhotos(request('lake'), 'acc_a')).photos?.map(({ account }) => account)).toEqual([
      'acc_a',
      undefined,
    ]);
    for (const other of ['acc_b', undefined])
      expect((await withPhotos(request('lake'), other)).photos).toHaveLength(1);
  });

  it('is no photograph while the table does not answer', async () => {
    const { withPhotos, stockMemory, telemetry } = bench();
    stockMemory.fail('read', true);
    expect(await withPhotos(request('lake'), undefined)).toEqual(request('lake'));
    expect(telemetry.errors).toHaveLength(1);
  });
});

describe('a search for an image, with photographs of the operator', () => {
  async function found(photos: readonly NewPhoto[], query: string, isFirst = true) {
    const { add, withPhotos, library } = bench();
    await add(photos);
    const readIndex = createReadPhotoIndex(library);
    const stock = createBench();
    const instance = stock.instance({
      ownPhotos: { isFirst, providerOf: (photos) => createPhotoProvider(readIndex, photos) },
    });
    const image = await stock.find(await withPhotos(request(query), undefined), instance);
    return { image, stock };
  }

  it('serves one that fits exactly, asks no provider, and takes its rendition from the stored file', async () => {
    const { image, stock } = await found([photo('Mountain lake')], 'mountain lake');
    expect(image).toMatchObject({
      cache: 'HIT',
      image: { source: 'stock_a', fit: 'exact', attribution: { creditLine: '© Acme' } },
    });
    expect(stock.a.asked).toEqual([]);
    expect(stock.jobs[0]?.source).toMatchObject({
      kind: 'stored',
      path: expect.stringMatching(/^library\//),
    });
  });

  const small = photo('Mountain lake', { width: 200, height: 120 });
  it.each([
    ['that fits in part only', [photo('Mountain hut')], true],
    ['that is too small', [small], true],
    ['that is too small, though one that fits less is not', [small, photo('Mountain hut')], true],
    ['where the library does not come first', [photo('Mountain lake')], false],
  ])('asks the providers before one %s', async (_, photos, isFirst) => {
    const { image, stock } = await found(photos, 'mountain lake', isFirst);
    expect(image).toMatchObject({ image: { attribution: { providerName: 'Fake' } } });
    expect(stock.a.asked).toHaveLength(1);
  });
});
