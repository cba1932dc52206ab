/** The limits of a search: the caller's work, and the shares of a provider's budget. */

import { computeHourWindow } from '../../../lambda/base/window';
import { makePick, markRemoved } from '../../../lambda/images/picked-images';
import type { Limit } from '../../../lambda/quota/limit';
import { readUsedUnits } from '../../../lambda/quota/take';
import type { LookupContext } from '../../../lambda/stock/search/lookup';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { failUnavailable, fetched, findNothing } from '../../fakes/stock-provider';
import { lookupContext, makeAccountId, makeStockRequest } from '../../fakes/values';
import { createStockSetup, enlarge, makeNewRequest, makeNewWords, scriptLoose } from '../stock-setup';

const engine = startFixture(startEngine);
const makeLimit = (max: number, nowMs: number): Limit => ({
  kind: 'work',
  owner: makeNewWords(),
  max,
  window: computeHourWindow(nowMs),
  unitName: 'work',
});
const unpaidContext = { ...lookupContext, searchTakesUnit: true };
const { account: __, ...anonymousContext } = lookupContext;

test('a caller without work left gets images of stored choices only', async () => {
  const { clock, find, createInstance, findCreditOrCode } = createStockSetup(engine);
  const caller = { ...unpaidContext, workLimits: [makeLimit(0, clock.nowMs())] };
  const request = makeNewRequest();
  const services = createInstance({ fallbackProvider: 'sandbox' });
  expect(await find(request, caller, services)).toMatchObject({ refusal: { code: 'rate_limited' } });
  await find(request);
  expect(await findCreditOrCode(enlarge(request), caller)).toMatch(/^Image/);
});

test('a caller without work left gets the loose image of a stored choice', async () => {
  const { a, b, c, clock, findCreditOrCode } = createStockSetup(engine);
  a.script(scriptLoose('loose'));
  for (const provider of [b, c]) provider.script(failUnavailable);
  const request = makeNewRequest();
  await clock.settle(findCreditOrCode(request));
  const caller = { ...unpaidContext, workLimits: [makeLimit(0, clock.nowMs())] };
  expect(await findCreditOrCode(enlarge(request), caller)).toBe('Image loose');
});

test.each([
  ['another account', { account: makeAccountId('acc_2') }],
  ['a caller of the same kind', {}],
])('a refused caller does not stop the concurrent search of %s', async (_, other) => {
  const { clock, find, createInstance } = createStockSetup(engine, fetched);
  const refused = { ...unpaidContext, workLimits: [makeLimit(0, clock.nowMs())] };
  const [request, services] = [makeNewRequest(), createInstance()];
  const [first, second] = await Promise.all([
    find(request, refused, services),
    find(request, { ...lookupContext, ...other }, services),
  ]);
  expect(first.outcome).toBe('refused');
  expect(second).toMatchObject({ outcome: 'served', image: { source: 'stock_a' } });
});

function createCounter() {
  const setup = createStockSetup(engine, fetched);
  const limit = makeLimit(20, setup.clock.nowMs());
  /** Counts the units of a search for new words. */
  const countUnits = async (context: LookupContext) => {
    const unitsBefore = await readUsedUnits(setup.createInstance(), limit);
    await setup.find(makeNewRequest(), { ...context, workLimits: [limit] });
    return (await readUsedUnits(setup.createInstance(), limit)) - unitsBefore;
  };
  return { ...setup, countUnits };
}

test('a new rendition takes a unit of work, unless its image has answered the same request before', async () => {
  const { countUnits, setRender } = createCounter();
  setRender(async () => ({ outcome: 'stored', isNew: true }));
  for (const [id, units] of Object.entries({ 'openverse-a': 0, 'openverse-b': 1 })) {
    const recentPick = makePick('openverse', id);
    expect(await countUnits({ ...lookupContext, recentPick })).toBe(units);
  }
});

test('all searches of an unpaid request take one unit, all its renditions another', async () => {
  const { a, b, countUnits, failToRender } = createCounter();
  a.script(findNothing);
  failToRender('-a.');
  expect([await countUnits(unpaidContext), a.queries.length, b.queries.length]).toEqual([2, 1, 1]);
});

test('a pick with a broken file takes one unit for the attempt and its card', async () => {
  const { clock, find, findServed, createInstance, setRender } = createStockSetup(engine, fetched);
  const { pick } = await findServed(makeNewRequest());
  const limit = makeLimit(20, clock.nowMs());
  setRender(async ({ source }) =>
    source.kind === 'card'
      ? { outcome: 'stored', isNew: true }
      : { outcome: 'unusable', reason: 'not loaded' },
  );
  const request = makeStockRequest('', { ...(pick !== undefined && { pick }), widthPx: 340 });
  expect(await find(request, { ...lookupContext, workLimits: [limit] })).toMatchObject({
    image: { fallback: 'gone' },
  });
  expect(await readUsedUnits(createInstance(), limit)).toBe(1);
});

test('a new card of a removed image takes a unit of work', async () => {
  const { clock, find, createInstance, setRender } = createStockSetup(engine, fetched);
  const pick = makePick('openverse', makeNewWords());
  await markRemoved(createInstance(), pick, { id: 'x', kind: 'stock', at: '', by: 'me', reason: '' });
  const caller = { ...lookupContext, workLimits: [makeLimit(1, clock.nowMs())] };
  const outcomes: string[] = [];
  for (const [widthPx, isNew] of [false, true, true].entries()) {
    setRender(async () => ({ outcome: 'stored', isNew }));
    outcomes.push((await find(makeStockRequest('', { pick, widthPx: 330 + widthPx }), caller)).outcome);
  }
  expect(outcomes).toEqual(['served', 'served', 'refused']);
});

test('all callers without keys together get half of a provider’s budget', async () => {
  const { a, b, c, clock, findCreditOrCode } = createStockSetup(engine, { quota: { perMinute: 20 } });
  // A day later, so that no other test has taken from the budget.
  await clock.advance(86_400_000);
  for (const provider of [b, c]) provider.readQuota = async () => ({ perMinute: 1 });
  for (let n = 0; n < 12; n++) await findCreditOrCode(makeNewRequest(), anonymousContext);
  expect(a.queries).toHaveLength(9);
  expect(await findCreditOrCode(makeNewRequest())).toMatch(/^Image openverse/);
});
