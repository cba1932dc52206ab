/** An image that the operator has removed: never found again, and a card where a page has chosen it. */

import { hourWindow } from '../../lambda/base/window';
import { pickedKey } from '../../lambda/images/picked-images';
import type { StockRequest } from '../../lambda/requests/image-request';
import { createOperatorImages, operatorImagesKey } from '../../lambda/stock/operator-images';
import { createServeStock } from '../../lambda/stock/serve-stock';
import { aContext, generousLedger } from '../fakes/request-context';
import { aPlaceholder, request } from '../fakes/stock';
import { candidate, fetched } from '../fakes/stock-provider';
import { createBench, imageOf, pickOf } from './stock-bench';

/** A bench whose best image of a lake was shown, and is removed. */
async function removed() {
  const bench = createBench({ a: fetched });
  const { a, find, scriptRenderer } = bench;
  scriptRenderer(async () => ({ outcome: 'stored', placeholder: aPlaceholder }));
  a.script(async () => ['one', 'two', 'three'].map((id) => candidate(id)));
  const found = await find(request('lake'));
  const pick = pickOf(found);
  const without = (query: string, change: Partial<StockRequest> = {}) =>
    request(query, { ...change, removed: [pick] });
  return { ...bench, pick, found, without };
}

it('is found no more: not from what is known, not as the pick of its words, not in what its provider offers', async () => {
  const { find, stock, without, pick } = await removed();
  expect(await stock.cachedImages.find(without('lake'), 'webp')).toBeUndefined();
  const instead = await find(without('lake'));
  expect(instead).toMatchObject({ outcome: 'found' });
  expect(instead).not.toMatchObject({ image: { pick } });
  expect(await stock.cachedImages.find(without('lake'), 'webp')).toMatchObject(imageOf(instead));
  for (const change of [{ widthPx: 800 }, { seed: '2' }, { seed: '3' }, { seed: 'any' }])
    expect(await find(without('lake', change))).not.toMatchObject({ image: { pick } });
});

it('gives way to another slot where its provider has no other', async () => {
  const { a, find, without, found } = await removed();
  const id = imageOf(found).title ?? '';
  a.script(async () => [candidate(id)]);
  expect(await find(without('other water'))).toMatchObject({ image: { source: 'stock_b' } });
});

it('is a card in one colour by its pick, of which its provider is not asked', async () => {
  const { find, jobs, stock, without, pick, clock, a, stockMemory } = await removed();
  const asked = a.asked.length;
  await clock.advance(86_400_000);
  const size = { widthPx: 640, heightPx: 480, pick };
  const card = await find(without('', size));
  expect(card).toMatchObject({ image: { fallback: 'gone', pick, widthPx: 640 } });
  expect(jobs.at(-1)?.source).toEqual({ kind: 'card', color: expect.stringMatching(/^#/) });
  expect(card).not.toMatchObject({ image: { placeholder: expect.anything() } });
  expect(await stock.cachedImages.find(without('', { ...size, asJson: true }), 'webp')).toMatchObject({
    fallback: 'gone',
  });
  // The same when nothing but its colour is kept.
  const value = { source: 'stock_a', color: '#123456' };
  const untilMs = clock.nowMs() + 1_000;
  await stockMemory.write(pickedKey(pick), { value, freshUntilMs: untilMs, staleUntilMs: untilMs });
  await find(without('', { ...size, widthPx: 500 }));
  expect(jobs.at(-1)?.source).toEqual({ kind: 'card', color: '#123456' });
  expect(a.asked).toHaveLength(asked);
});

it('is not shown by the card that was drawn of its pixels before it was removed', async () => {
  const { find, clock, a, pick, stock, without } = await removed();
  await clock.advance(86_400_000);
  a.byId = async () => undefined;
  expect(await find(request('', { pick }))).toMatchObject({
    image: { fallback: 'gone', placeholder: aPlaceholder },
  });
  expect(await stock.cachedImages.find(without('', { pick }), 'webp')).toBeUndefined();
});

describe('from one moment to the next', () => {
  const serving = async () => {
    const bench = await removed();
    const { clock, stockMemory, telemetry, instance, pick } = bench;
    const take = async () => {
      const value = { photos: [], removed: [pick] };
      await stockMemory.write(operatorImagesKey, {
        value,
        freshUntilMs: 0,
        staleUntilMs: clock.nowMs() + 1e12,
      });
    };
    const start = () => {
      const ledger = generousLedger({ limit: 10, remaining: 9, window: hourWindow(clock.nowMs()) });
      const operatorImages = createOperatorImages(stockMemory, clock, telemetry);
      const serve = createServeStock({
        ledger,
        ...instance(),
        operatorImages,
        noteUse: async () => undefined,
      });
      return async (of: StockRequest) => {
        const context = aContext({ kind: 'anonymous' }, clock.nowMs(), { renditions: [], format: 'webp' });
        return clock.settle(serve(of, { ...context, deadlineMs: clock.nowMs() + 10_000 }));
      };
    };
    return { ...bench, take, start };
  };

  it.each([{}, { asJson: true }])(
    'is shown (%j) until it is removed, and a second later nowhere',
    async (form) => {
      const { take, start, clock, pick } = await serving();
      const before = start();
      expect(await before(request('lake', form))).toMatchObject({ image: { pick } });
      await take();
      await clock.advance(1_000);
      for (const ask of [before, start()]) {
        expect(await ask(request('lake', form))).not.toMatchObject({ image: { pick } });
        const card = await ask(request('', { ...form, pick }));
        expect(card).toMatchObject({
          image: { fallback: 'gone' },
          payment: { state: 'free', because: 'no-image' },
        });
      }
    },
  );

  it('is not shown either while the table does not answer', async () => {
    const { take, start, clock, stockMemory, pick } = await serving();
    const ask = start();
    await take();
    await ask(request('sea'));
    await clock.advance(1_000);
    stockMemory.fail('read', true);
    expect(await ask(request('lake'))).not.toMatchObject({ image: { pick } });
  });
});
