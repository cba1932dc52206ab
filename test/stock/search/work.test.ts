/** The limits of a search's caller: units of work, and the share of a provider's budget. */

import { hourWindow } from '../../../lambda/base/window';
import { markRemoved, pickOf } from '../../../lambda/images/picked-images';
import type { Limit } from '../../../lambda/quota/limit';
import { readUsed } from '../../../lambda/quota/take';
import type { SearchContext } from '../../../lambda/stock/search/search-types';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { empty, fetched } from '../../fakes/stock-provider';
import { accountId, aSearchContext, request as requestFor } from '../../fakes/values';
import { createBench, larger, newRequest, newWords } from '../stock-bench';

const engine = fixtureOf(startEngine);
const limitOf = (max: number, nowMs: number): Limit => ({
  kind: 'work',
  owner: newWords(),
  max,
  window: hourWindow(nowMs),
  counts: 'work',
});
const unpaid = { ...aSearchContext, isPaidBefore: false };
const { account: __, ...anonymous } = aSearchContext;

test('a caller without work left is served a stored choice, but no search', async () => {
  const { clock, find, instance, shown } = createBench(engine, fetched);
  const caller = { ...unpaid, workLimits: [limitOf(0, clock.nowMs())] };
  const request = newRequest();
  const by = instance({ fallbackProvider: 'sandbox' });
  expect(await find(request, caller, by)).toMatchObject({ refusal: { code: 'rate_limited' } });
  await find(request);
  expect(await shown(larger(request), caller)).toMatch(/^Image/);
});

test('a caller is served while another without work left asks at the same time', async () => {
  const { clock, find, instance } = createBench(engine, fetched);
  const refused = { ...unpaid, workLimits: [limitOf(0, clock.nowMs())] };
  const [request, by] = [newRequest(), instance()];
  const found = [
    find(request, refused, by),
    find(request, { ...aSearchContext, account: accountId('acc_2') }, by),
  ];
  expect((await Promise.all(found)).map(({ outcome }) => outcome)).toEqual(['refused', 'served']);
});

function createCounter() {
  const bench = createBench(engine, fetched);
  const limit = limitOf(20, bench.clock.nowMs());
  /** Counts the units of a search for new words. */
  const countUnits = async (context: SearchContext) => {
    const before = await readUsed(bench.instance(), limit);
    await bench.find(newRequest(), { ...context, workLimits: [limit] });
    return (await readUsed(bench.instance(), limit)) - before;
  };
  return { ...bench, countUnits };
}
const paidFirst = { ...aSearchContext, isRenditionCounted: false };
const unpaidFirst = { ...unpaid, isRenditionCounted: false };

test('a search that nothing has paid takes a unit', async () => {
  const { countUnits } = createCounter();
  expect([await countUnits(paidFirst), await countUnits(unpaidFirst)]).toEqual([0, 1]);
});

test('a new rendition takes a unit unless one was counted for its request', async () => {
  const { countUnits, renders } = createCounter();
  renders(async () => ({ outcome: 'stored', isNew: true }));
  expect([await countUnits(paidFirst), await countUnits(aSearchContext)]).toEqual([1, 0]);
});

test('the searches at all slots share a unit, as do all images that are tried', async () => {
  const { a, b, countUnits, rendersAllBut } = createCounter();
  a.script(empty);
  rendersAllBut('-a.');
  expect([await countUnits(unpaidFirst), a.asked.length, b.asked.length]).toEqual([2, 1, 1]);
});

test('the card of a removed image takes a unit when it is new', async () => {
  const { clock, find, instance, renders } = createBench(engine, fetched);
  const pick = pickOf('openverse', newWords());
  await markRemoved(instance(), pick, { id: 'x', kind: 'stock', files: 0, at: '', by: 'me', reason: '' });
  const caller = { ...paidFirst, workLimits: [limitOf(1, clock.nowMs())] };
  const outcomes: string[] = [];
  for (const [widthPx, isNew] of [false, true, true].entries()) {
    renders(async () => ({ outcome: 'stored', isNew }));
    outcomes.push((await find(requestFor('', { pick, widthPx: 330 + widthPx }), caller)).outcome);
  }
  expect(outcomes).toEqual(['served', 'served', 'refused']);
});

test('callers without keys have half of a provider’s budget together', async () => {
  const { a, b, c, clock, shown } = createBench(engine, { quota: { perMinute: 20 } });
  // Later than all that other tests have taken.
  await clock.advance(86_400_000);
  for (const provider of [b, c]) provider.readQuota = async () => ({ perMinute: 1 });
  for (let n = 0; n < 12; n++) await shown(newRequest(), anonymous);
  expect(a.asked).toHaveLength(9);
  expect(await shown(newRequest())).toMatch(/^Image openverse/);
});
