/** What is cached of a provider’s answers: under which key, for how long, and what stands in for a failure. */

import { asOutage } from '../../lambda/base/outage';
import type { Candidate } from '../../lambda/images/image';
import { createCandidates, type Offer, offerKey, usableCandidates } from '../../lambda/stock/candidates';
import type { ProviderReply, ProviderSearch } from '../../lambda/stock/provider-request';
import { understand } from '../../lambda/stock/understand';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider, type FakeStockOptions } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const dayMs = 86_400_000;
const answered = (...ids: readonly string[]): ProviderReply<readonly Candidate[]> => ({
  outcome: 'answered',
  answer: ids.map((id) => candidate(id)),
  requestsSent: 1,
});
const failed = (more: object = {}): ProviderReply<readonly Candidate[]> => ({
  outcome: 'failed',
  requestsSent: 1,
  ...more,
});

/** @param capability of the provider, which keeps an answer for a day and lets it stand in for a week */
function bench({ capability = {} }: FakeStockOptions = {}) {
  const clock = createVirtualClock();
  const cache = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const provider = createFakeStockProvider('alpha', { capability });
  let reply: () => Promise<ProviderReply<readonly Candidate[]>> = async () => answered('a', 'b');
  let sent = 0;
  const instance = () =>
    createCandidates({
      cache,
      send: async (_, __, call) => {
        sent++;
        await call(new AbortController().signal, async () => true);
        return (await reply()) as never;
      },
      clock,
      ids: createFakeIds(),
      telemetry,
    });
  const one = instance();
  const searchOf = (change: Parameters<typeof request>[1] = {}): ProviderSearch => ({
    provider,
    request: request('lake', change),
    subject: understand('lake', change.filters?.lang),
    format: 'jpeg',
    deadlineMs: clock.nowMs() + 10_000,
    caller: aSearchCaller,
    requestsMax: 3,
  });
  return {
    clock,
    cache,
    telemetry,
    provider,
    instance,
    one,
    searchOf,
    sent: () => sent,
    replies(next: ProviderReply<readonly Candidate[]> | (() => never)) {
      reply = async () => (typeof next === 'function' ? next() : next);
    },
    find: (change = {}, by = one) => clock.settle(by.search(searchOf(change), 3)),
  };
}
const idsOf = (offer?: { readonly value: Offer }) => offer?.value.candidates.map(({ id }) => id);

it('has a key of its own for each provider, orientation, query, colour, licence and language', () => {
  const query = { subject: understand('lake'), orientation: 'landscape' } as const;
  const keys = [
    offerKey('alpha', query),
    offerKey('beta', query),
    offerKey('alpha', { ...query, orientation: 'square' }),
    offerKey('alpha', { ...query, subject: understand('sea') }),
    offerKey('alpha', { ...query, subject: understand('lake', 'de') }),
    offerKey('alpha', { ...query, subject: understand('lake', 'fr') }),
    offerKey('alpha', { ...query, color: 'blue' }),
    offerKey('alpha', { ...query, color: 'red' }),
    offerKey('alpha', { ...query, license: 'public-domain' }),
    offerKey('alpha', { ...query, license: 'attribution-free' }),
    offerKey('alpha', { ...query, color: 'blue', license: 'public-domain' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it('hands a provider the filters that it searches by, and no others', async () => {
  const filters = { color: 'blue', license: 'public-domain' } as const;
  for (const searchFilters of [[], ['color'], ['license'], ['color', 'license']] as const) {
    const { find, provider } = bench({ capability: { searchFilters } });
    await find({ filters });
    await find({});
    const subject = understand('lake');
    const taken = Object.fromEntries(searchFilters.map((name) => [name, filters[name]]));
    expect(provider.asked.map((query) => ({ ...query }))).toEqual(
      [
        { subject, orientation: 'landscape', ...taken },
        { subject, orientation: 'landscape' },
      ].slice(0, searchFilters.length === 0 ? 1 : 2),
    );
  }
});

it.each<[string, readonly string[], FakeStockOptions, number]>([
  ['an answer', ['a'], {}, dayMs],
  ['an empty one', [], {}, 600_000],
  ['an empty one of a provider that says so', [], { capability: { emptyFreshForMs: 5_000 } }, 5_000],
])('keeps %s for its time', async (_, ids, options, freshForMs) => {
  const { find, clock, replies, sent, instance } = bench(options);
  replies(answered(...ids));
  const { offer, ...met } = await find();
  expect([idsOf(offer), met]).toEqual([ids, { isStale: false, requestsSent: 1 }]);
  await clock.advance(freshForMs - 1);
  expect(await find({}, instance())).toMatchObject({ isStale: false, requestsSent: 0 });
  expect(sent()).toBe(1);
  await clock.advance(1);
  await find();
  expect(sent()).toBe(2);
});

it('is stood in for by the answer before where the provider fails, for a week', async () => {
  const { find, clock, replies, sent } = bench();
  await find();
  await clock.advance(dayMs);
  replies(failed());
  const retryAtMs = clock.nowMs() + 10_000;
  const { offer, ...met } = await find();
  expect([idsOf(offer), met]).toEqual([
    ['a', 'b'],
    { isStale: true, isFailed: true, requestsSent: 1, retryAtMs },
  ]);
  await clock.advance(9_999);
  expect(await find()).toMatchObject({ isStale: true, requestsSent: 0 });
  expect(sent()).toBe(2);
  for (let failures = 3; failures < 6; failures++) {
    await clock.advance(10_000);
    expect(idsOf((await find()).offer)).toEqual(['a', 'b']);
    expect(sent()).toBe(failures);
  }
  await clock.advance(7 * dayMs);
  const late = await find();
  expect([late.offer, late.isStale, late.isFailed]).toEqual([undefined, false, true]);
});

it('waits as long as the provider asks for, and ten seconds at least', async () => {
  for (const [askedForMs, waitsMs] of [
    [60_000, 60_000],
    [1_000, 10_000],
  ] as const) {
    const { find, clock, replies } = bench();
    replies(failed({ retryAtMs: clock.nowMs() + askedForMs }));
    expect(await find()).toMatchObject({ isFailed: true, retryAtMs: clock.nowMs() + waitsMs });
  }
});

it('takes a refusal of these words for an empty answer', async () => {
  const { find, replies } = bench();
  replies({ outcome: 'rejected', requestsSent: 1 });
  const { offer, ...met } = await find();
  expect([idsOf(offer), met]).toEqual([[], { isStale: false, requestsSent: 1 }]);
});

const rateLimit = { limit: 1, remaining: 0, window: { kind: 'hour' } } as never;
const refusal = { code: 'rate_limited', use: 'searches', rateLimit } as const;

it('stores nothing of what ended for this caller alone', async () => {
  const { find, replies, sent } = bench();
  replies(failed({ requestsSent: 0, refusal }));
  expect(await find()).toEqual({ isStale: false, isFailed: true, requestsSent: 0, refusal });
  replies(failed({ requestsSent: 0, isAnonymousSpent: true }));
  expect(await find()).toMatchObject({ isFailed: true, isAnonymousSpent: true });
  replies({ ...answered('a'), refusal });
  expect(await find()).toMatchObject({ isStale: false, refusal, offer: { value: { unusable: {} } } });
  expect(sent()).toBe(3);
  expect(await find()).not.toHaveProperty('refusal');
  expect(sent()).toBe(3);
});

it.each([
  ['an outage', asOutage(new Error('away')), true],
  ['any other fault', new Error('broken'), undefined],
])('has nothing after %s, and logs it', async (_, fault, isOutage) => {
  const { find, replies, telemetry } = bench();
  replies(() => {
    throw fault;
  });
  expect(await find()).toEqual({
    isStale: false,
    isFailed: true,
    requestsSent: 0,
    ...(isOutage && { isOutage }),
  });
  expect(telemetry.errors).toMatchObject([{ error: fault, fields: { provider: 'alpha' } }]);
});

it.each<[string, Parameters<typeof bench>[0], number, number]>([
  ['as long as a search may take', {}, 10_000, 6_000],
  ['no longer than it may', {}, 1_000, 1_000],
])(
  'serves what it had to whoever waits in vain for another instance, %s',
  async (_, options, withinMs, waitsMs) => {
    const { find, cache, clock, searchOf, instance, sent } = bench(options);
    await find();
    await clock.advance(dayMs);
    const { subject } = searchOf();
    await cache.lease(offerKey('alpha', { subject, orientation: 'landscape' }), 'another', 60_000);
    const beganMs = clock.nowMs();
    const search = { ...searchOf(), deadlineMs: beganMs + withinMs };
    const found = await clock.settle(instance().search(search, 3));
    expect(found).toMatchObject({ isStale: true, isFailed: true, requestsSent: 0 });
    expect([clock.nowMs() - beganMs, sent()]).toEqual([waitsMs, 1]);
  },
);

it('passes over broken images for ten minutes each', async () => {
  const { find, one, clock, searchOf, cache } = bench();
  const usable = async () => {
    const { offer } = await find();
    return offer && usableCandidates(offer.value, clock.nowMs()).map(({ id }) => id);
  };
  const mark = async (...ids: readonly string[]) => {
    const { offer } = await find();
    if (offer) await one.markBroken(searchOf(), offer, ids);
  };
  await mark('a');
  expect(await usable()).toEqual(['b']);
  await clock.advance(300_000);
  await mark('b');
  expect(await usable()).toEqual([]);
  await clock.advance(299_999);
  expect(await usable()).toEqual([]);
  await clock.advance(1);
  expect(await usable()).toEqual(['a']);
  await mark('a');
  const { offer } = await find();
  expect(Object.keys(offer?.value.unusable ?? {}).sort()).toEqual(['a', 'b']);
  await clock.advance(300_000);
  await mark('a');
  expect(Object.keys((await find()).offer?.value.unusable ?? {})).toEqual(['a']);
  // Nothing is written without a broken image, or over a stale offer, which may just be replaced.
  const writes = () => cache.calls.filter(({ operation }) => operation === 'write').length;
  const before = writes();
  await mark();
  await clock.advance(dayMs);
  if (offer) await one.markBroken(searchOf(), offer, ['a']);
  expect(writes()).toBe(before);
});
