/** The image of a pick: shown at every size, or replaced by a card, and by no other image. */

import { dayMs } from '../../../lambda/base/window';
import { markRemoved, pickOf, type Removal, storePickedImage } from '../../../lambda/images/picked-images';
import type { Limit } from '../../../lambda/quota/limit';
import { readUsed } from '../../../lambda/quota/take';
import { readBudgetLimits } from '../../../lambda/stock/provider-budget';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { away, candidate, fetched } from '../../fakes/stock-provider';
import { aSearchContext, noImage, request as requestFor } from '../../fakes/values';
import { createBench, named, newRequest } from '../stock-bench';

const engine = fixtureOf(startEngine);
const removal: Removal = { id: 'x', kind: 'stock', files: 0, at: '2026-11-21', by: 'me', reason: 'asked' };
/** Requests the image of a pick. */
const picked = (pick = '', widthPx = 321) => requestFor('', { pick, widthPx });

test('a pick shows its image at every size without a request to its provider', async () => {
  const { findServed, a } = createBench(engine, fetched);
  const { pick } = await findServed(newRequest());
  const asked = a.asked.length;
  expect(await findServed(picked(pick))).toMatchObject({ pick, widthPx: 321 });
  expect([a.asked.length, a.askedById]).toEqual([asked, []]);
});

test('a pick shows a card for a day after its file is gone', async () => {
  const { a, findServed, renders, rendersAllBut, clock } = createBench(engine, fetched);
  a.script(async () => named('gone'));
  const { pick } = await findServed(newRequest());
  rendersAllBut('gone');
  expect(await findServed(picked(pick, 322))).toMatchObject({ fallback: 'gone', pick });
  renders(async () => ({ outcome: 'stored' }));
  expect(await findServed(picked(pick, 323))).toMatchObject({ fallback: 'gone' });
  await clock.advance(dayMs);
  expect(await findServed(picked(pick, 324))).not.toMatchObject({ fallback: 'gone' });
});

test('the pick of a removed image shows a card', async () => {
  const { a, findServed, instance } = createBench(engine, fetched);
  a.script(async () => named('removed'));
  const { pick = '' } = await findServed(newRequest());
  await markRemoved(instance(), pick, removal);
  expect(await findServed(picked(pick))).toMatchObject({ fallback: 'gone' });
});

test('the pick of a removed AI image finds nothing', async () => {
  const { instance, find } = createBench(engine);
  const pick = pickOf('x', 'an AI image');
  await markRemoved(instance(), pick, { ...removal, kind: 'ai' });
  expect(await find(picked(pick))).toEqual(noImage);
});

test('the pick of an image that may only be hotlinked finds nothing with imageDelivery=own', async () => {
  const { instance, find } = createBench(engine);
  const by = instance({ imageDelivery: 'own' });
  const pick = pickOf('unsplash', 'u');
  const photo = { provider: 'unsplash', source: 'stock_a', candidate: candidate('u') } as const;
  await storePickedImage(by, pick, { ...photo, fit: 'exact', checkedMs: 0 }, undefined);
  expect(await find(picked(pick), aSearchContext, by)).toEqual(noImage);
});

test('an unknown pick finds nothing', async () => {
  expect(await createBench(engine).find(picked('0'.repeat(20)))).toEqual(noImage);
});

test('a pick is refused while its server does not answer', async () => {
  const { a, findServed, shown, rendersAllBut } = createBench(engine, fetched);
  a.script(async () => named('silent'));
  const { pick } = await findServed(newRequest());
  rendersAllBut('silent', { isTemporary: true });
  expect(await shown(picked(pick))).toBe('upstream_unavailable');
});

test('a pick whose URL has ended is shown by the URL that its provider names now', async () => {
  const ending = { ...fetched, capability: { urlTtlMs: dayMs }, quota: { perDay: 1_000 } };
  const { findServed, a, clock, jobs, instance } = createBench(engine, ending);
  a.script(async () => named('ends'));
  const readUsedBy = async (share: 'all' | 'upkeep') =>
    readUsed(instance(), (await readBudgetLimits(a, share, clock.nowMs()))[0] as Limit);
  const { pick } = await findServed(newRequest());
  await clock.advance(2 * dayMs);
  a.script(async () => [candidate('ends', { sourceUrl: 'https://images.example/renewed.jpg' })]);
  await findServed(picked(pick, 327));
  expect(jobs.at(-1)?.source).toMatchObject({ url: 'https://images.example/renewed.jpg' });
  await findServed(picked(pick, 328));
  expect(a.askedById).toEqual(['ends']);
  expect([await readUsedBy('all'), await readUsedBy('upkeep')]).toEqual([0, 1]);
  // The old URL is tried while the provider does not answer.
  await clock.advance(2 * dayMs);
  a.script(away);
  await clock.settle(findServed(picked(pick, 329)));
});
