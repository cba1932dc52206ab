/** The image of a pick. If it is gone, a card is shown and no other image. */

import { dayMs } from '../../../lambda/base/window';
import { makePick, markRemoved, storePickedImage } from '../../../lambda/images/picked-images';
import type { Limit } from '../../../lambda/quota/limit';
import { readUsedUnits } from '../../../lambda/quota/take';
import { readBudgetLimits } from '../../../lambda/stock/provider-budget';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { failUnavailable, fetched, makeCandidate } from '../../fakes/stock-provider';
import { lookupContext, makeStockRequest, noImage } from '../../fakes/values';
import { createStockSetup, makeCandidates, makeNewRequest } from '../stock-setup';

const engine = startFixture(startEngine);
/** Makes a request for the image of a pick. */
const requestPick = (pick = '', widthPx = 321) => makeStockRequest('', { pick, widthPx });

test('a pick shows its image at every size without a provider request', async () => {
  const { findServed, a } = createStockSetup(engine, fetched);
  const { pick } = await findServed(makeNewRequest());
  const queriesBefore = a.queries.length;
  expect(await findServed(requestPick(pick))).toMatchObject({ pick, widthPx: 321 });
  expect([a.queries.length, a.idQueries]).toEqual([queriesBefore, []]);
});

test('a pick shows a card for a day after its file is gone', async () => {
  const { a, findServed, setRender, failToRender, clock } = createStockSetup(engine, fetched);
  a.script(async () => makeCandidates('gone'));
  const { pick } = await findServed(makeNewRequest());
  failToRender('gone');
  expect(await findServed(requestPick(pick, 322))).toMatchObject({ fallback: 'gone', pick });
  setRender(async () => ({ outcome: 'stored' }));
  expect(await findServed(requestPick(pick, 323))).toMatchObject({ fallback: 'gone' });
  await clock.advance(dayMs);
  expect(await findServed(requestPick(pick, 324))).not.toMatchObject({ fallback: 'gone' });
});

test('the pick of a removed AI image finds nothing', async () => {
  const { createInstance, find } = createStockSetup(engine);
  const pick = makePick('x', 'an AI image');
  await markRemoved(createInstance(), pick, { id: 'x', kind: 'ai', at: '', by: 'me', reason: '' });
  expect(await find(requestPick(pick))).toEqual(noImage);
});

test('with imageDelivery=own, the pick of a photo of Unsplash finds nothing', async () => {
  const { createInstance, find } = createStockSetup(engine);
  const services = createInstance({ imageDelivery: 'own' });
  const pick = makePick('unsplash', 'u');
  const photo = { provider: 'unsplash', source: 'stock_a', candidate: makeCandidate('u') } as const;
  await storePickedImage(services, pick, { ...photo, fit: 'exact', checkedMs: 0 }, undefined);
  expect(await find(requestPick(pick), lookupContext, services)).toEqual(noImage);
});

test('an unknown pick finds nothing', async () => {
  expect(await createStockSetup(engine).find(requestPick('0'.repeat(20)))).toEqual(noImage);
});

test('a pick is refused while the server of its image does not answer', async () => {
  const { a, findServed, findCreditOrCode, failToRender } = createStockSetup(engine, fetched);
  a.script(async () => makeCandidates('silent'));
  const { pick } = await findServed(makeNewRequest());
  failToRender('silent', { isTemporary: true });
  expect(await findCreditOrCode(requestPick(pick))).toBe('upstream_unavailable');
});

test('an image with an ended URL is shown by the new URL of its provider', async () => {
  const ending = { ...fetched, capability: { urlTtlMs: dayMs }, quota: { perDay: 1_000 } };
  const { findServed, a, clock, jobs, createInstance } = createStockSetup(engine, ending);
  a.script(async () => makeCandidates('ends'));
  const readUsedBy = async (share: 'all' | 'upkeep') =>
    readUsedUnits(createInstance(), (await readBudgetLimits(a, share, clock.nowMs()))[0] as Limit);
  const { pick } = await findServed(makeNewRequest());
  await clock.advance(2 * dayMs);
  const description = { rank: 1, title: 'A reply by id says less' };
  a.script(async () => [
    makeCandidate('ends', { sourceUrl: 'https://images.example/renewed.jpg', description }),
  ]);
  expect(await findServed(requestPick(pick, 327))).not.toHaveProperty('title');
  expect(jobs.at(-1)?.source).toMatchObject({ url: 'https://images.example/renewed.jpg' });
  await findServed(requestPick(pick, 328));
  expect(a.idQueries).toEqual(['ends']);
  expect([await readUsedBy('all'), await readUsedBy('upkeep')]).toEqual([0, 1]);
  // The old URL is tried while the provider does not answer.
  await clock.advance(2 * dayMs);
  a.script(failUnavailable);
  await clock.settle(findServed(requestPick(pick, 329)));
});

test('an image at a broken old URL is not gone while its provider does not answer', async () => {
  const { a, clock, findServed, findCreditOrCode, failToRender } = createStockSetup(engine, {
    ...fetched,
    capability: { urlTtlMs: dayMs },
  });
  a.script(async () => makeCandidates('old'));
  const { pick } = await findServed(makeNewRequest());
  await clock.advance(2 * dayMs);
  a.script(failUnavailable);
  failToRender('old');
  expect(await clock.settle(findCreditOrCode(requestPick(pick)))).toBe('upstream_unavailable');
});
