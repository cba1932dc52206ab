/** The images that the seeds of a query show: which, under which number, and what is kept of them. */

import { hourWindow } from '../../lambda/base/window';
import type { Candidate } from '../../lambda/images/image';
import { pickedKey } from '../../lambda/images/picked-images';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { away, candidate, createFakeStockProvider, empty, fetched } from '../fakes/stock-provider';
import { createBench, pickOf } from './stock-bench';

const dayMs = 86_400_000;
/** Candidates by how much of the subject they cover, the best first. */
const covering = (coverages: Readonly<Record<string, number>>): readonly Candidate[] =>
  Object.entries(coverages).map(([id, coverage], at) =>
    candidate(id, { description: { rank: at + 1, title: id, match: { score: coverage, coverage } } }),
  );
const offering = (coverages: Readonly<Record<string, number>>) => async () => covering(coverages);

function bench(options: Parameters<typeof createBench>[0] = {}) {
  const made = createBench(options);
  const { a, b, c, clock, stock } = made;
  for (const other of [b, c]) other.script(empty);
  a.script(offering({ one: 1, two: 0.5, three: 1 }));
  const sheet = async (by = stock, change: Parameters<typeof request>[1] = {}, caller = aSearchCaller) =>
    clock.settle(by.makeSheet(request('lake', change), clock.nowMs() + 10_000, caller));
  /** What a sheet shows: number, slot, id and fit of each image. */
  const shown = async (...of: Parameters<typeof sheet>) => {
    const made = await sheet(...of);
    if (made.outcome !== 'found') throw new Error(made.outcome);
    return made.images.map(({ number, slot, candidate: { id }, fit }) => `${number} ${slot} ${id} ${fit}`);
  };
  return { ...made, sheet, shown };
}

it('shows each image once, under the lowest seed that shows it, with a small size of it', async () => {
  const { sheet, shown, find, jobs } = bench();
  expect(await shown()).toEqual(['1 stock_a one exact', '2 stock_a three exact', '3 stock_a two partial']);
  const again = await sheet();
  expect(again).toMatchObject({
    cache: 'HIT',
    images: [
      {
        number: 1,
        pick: pickIdOf('alpha', 'one'),
        thumbnail: { kind: 'remote', url: 'https://images.example/one.jpg' },
        isHotlinked: true,
      },
      { number: 2 },
      { number: 3 },
    ],
  });
  for (const [at, id] of ['one', 'three', 'two'].entries())
    expect(pickOf(await find(request('lake', { seed: String(at + 1) })))).toBe(pickIdOf('alpha', id));
  expect(jobs).toEqual([]);
});

it('says whether a provider was asked, and whether it delivers the small sizes', async () => {
  const { sheet, instance, clock } = bench();
  expect(await sheet()).toMatchObject({ cache: 'MISS' });
  const own = instance({ imageDelivery: 'own' });
  expect(await sheet(own)).toMatchObject({ cache: 'HIT', images: [{ isHotlinked: false }, {}, {}] });
  await clock.advance(dayMs);
  expect(await sheet()).toMatchObject({ cache: 'MISS' });
  expect(await bench({ a: fetched }).sheet()).toMatchObject({ images: [{ isHotlinked: false }, {}, {}] });
});

it('keeps what it shows for the first time under its pick, and leaves what is there', async () => {
  const { sheet, find, stockMemory, clock } = bench();
  await find(request('lake'));
  const kept = () =>
    Promise.all(['one', 'two'].map((id) => stockMemory.read(pickedKey(pickIdOf('alpha', id)))));
  const [found] = await kept();
  await clock.advance(1_000);
  await sheet();
  const [before, noted] = await kept();
  expect(before).toEqual(found);
  expect(noted).toMatchObject({
    value: {
      provider: 'alpha',
      source: 'stock_a',
      candidate: { id: 'two' },
      fit: 'partial',
      offeredMs: clock.nowMs(),
    },
    freshUntilMs: clock.nowMs() - 1_000 + dayMs,
    staleUntilMs: clock.nowMs() + 400 * dayMs,
  });
});

it('shows what stands for a seed, whatever its provider offers now', async () => {
  const { shown, find, a, cache } = bench();
  await find(request('lake', { seed: '2' }));
  cache.forgetAll();
  a.script(offering({ new: 1, newer: 1, newest: 1 }));
  expect(await shown()).toEqual(['1 stock_a new exact', '2 stock_a three exact', '3 stock_a newest exact']);
});

it('goes on to other slots for seeds whose image is loose, and shows the best loose one where none has better', async () => {
  const { shown, a, b, c } = bench();
  a.script(offering({ fits: 1, loose: 0.1 }));
  b.script(offering({ other: 1, better: 0.5, looser: 0.2 }));
  expect(await shown()).toEqual([
    '1 stock_a fits exact',
    '2 stock_b better partial',
    '3 stock_b looser loose',
  ]);
  expect(c.asked).toHaveLength(1);
  const full = bench();
  full.a.script(offering(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`of-${at}`, 1]))));
  expect(await full.shown()).toHaveLength(20);
  expect(full.b.asked).toEqual([]);
});

it('shows nothing loose beside what fits while slots are left that could not be searched', async () => {
  const sheetOf = async (coverages: Readonly<Record<string, number>>) => {
    const { shown, a, b, c } = bench();
    a.search = async (_query, _signal, takeRequest) => {
      while (await takeRequest?.());
      return covering(coverages);
    };
    const images = await shown();
    return [images, b.asked.length + c.asked.length];
  };
  expect(await sheetOf({ fits: 1, loose: 0.1 })).toEqual([['1 stock_a fits exact'], 0]);
  expect(await sheetOf({ loose: 0.1 })).toEqual([['1 stock_a loose loose'], 0]);
});

it('is nothing, limited or unavailable as a single image is', async () => {
  const { sheet, a } = bench();
  a.script(empty);
  expect(await sheet()).toEqual({ outcome: 'none' });
  const rateLimit = { limit: 1, remaining: 0, window: hourWindow(0) };
  const refusal = { code: 'rate_limited', use: 'searches', rateLimit } as const;
  const limited = { ...aSearchCaller, chargeSearch: async () => refusal };
  expect(await bench().sheet(undefined, {}, limited)).toEqual({ outcome: 'limited', refusal });
  const failing = bench();
  failing.a.script(away);
  expect(await failing.sheet()).toMatchObject({
    outcome: 'unavailable',
    refusal: { code: 'upstream_unavailable' },
  });
  const without = bench({ a: { sourceFor: () => undefined } });
  expect(await without.sheet()).toEqual({ outcome: 'none' });
});

describe('with photographs of the operator’s own', () => {
  const photos = createFakeStockProvider('library');
  photos.script(offering({ photo: 1, view: 0.5 }));
  const change = { photos: [{ files: [] }] };
  const ownPhotos = (isFirst: boolean) => ({ isFirst, providerOf: () => photos });

  it('begins with those that fit exactly, where they come first', async () => {
    const { instance, shown } = bench();
    expect(await shown(instance({ ownPhotos: ownPhotos(true) }), change)).toEqual([
      '1 stock_a photo exact',
      '2 stock_a three exact',
      '3 stock_a two partial',
    ]);
    expect(await shown(instance({ ownPhotos: ownPhotos(false) }), change)).toHaveLength(3);
    expect((await shown(instance({ ownPhotos: ownPhotos(true) })))[0]).toBe('1 stock_a one exact');
  });

  it('shows the account’s before everybody’s, and goes on without those that cannot be read', async () => {
    const { instance, shown, telemetry } = bench();
    const own = createFakeStockProvider('library-acc_1');
    own.script(offering({ mine: 1 }));
    const providerOf = ({ account }: { readonly account?: string }) => (account ? own : photos);
    const both = { photos: [{ account: 'acc_1', files: [] }, { files: [] }] };
    const withBoth = () => shown(instance({ ownPhotos: { isFirst: true, providerOf } }), both);
    expect((await withBoth()).slice(0, 2)).toEqual(['1 stock_a mine exact', '2 stock_a three exact']);
    own.script(away);
    expect((await withBoth())[0]).toBe('1 stock_a photo exact');
    expect(telemetry.errors).toHaveLength(1);
  });

  it('shows all of them in their slot', async () => {
    const { instance, shown } = bench();
    const slots = { stock_a: createFakeStockProvider('library') };
    expect(await shown(instance({ ownPhotos: ownPhotos(false), slots }), change)).toEqual([
      '1 stock_a photo exact',
      '2 stock_a view partial',
    ]);
    await expect(shown(instance({ slots }), change)).rejects.toThrow('none');
  });
});
