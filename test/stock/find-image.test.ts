/** The lookup of a stock image: which providers are asked, how often, and that equal requests get equal images. */

import { hourWindow } from '../../lambda/base/window';
import { offerKey } from '../../lambda/stock/candidates';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import { understand } from '../../lambda/stock/understand';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { away, candidate, createFakeStockProvider, empty, fetched } from '../fakes/stock-provider';
import { createBench, imageOf } from './stock-bench';

describe('a lookup', () => {
  it('asks the provider of the slot once and returns MISS, then HIT', async () => {
    const { a, b, find, stock } = createBench();
    const first = await find(request('lake'));
    expect(first).toMatchObject({
      outcome: 'found',
      cache: 'MISS',
      image: { source: 'stock_a', widthPx: 1_920 },
    });
    expect(await stock.cachedImages.find(request('Lake'), 'webp')).toMatchObject({ source: 'stock_a' });
    expect(await find(request('lake', { widthPx: 1_280 }))).toMatchObject({
      outcome: 'found',
      cache: 'HIT',
    });
    expect(a.asked).toEqual([{ subject: understand('lake'), orientation: 'landscape' }]);
    expect(b.asked).toEqual([]);
  });

  it('asks again for another orientation, but not for another size or seed', async () => {
    const { a, find } = createBench();
    await find(request('lake'));
    await find(request('lake', { seed: 'other' }));
    await find(request('LAKE', { widthPx: 800, heightPx: 400 }));
    expect(a.asked).toHaveLength(1);
    await find(request('lake', { widthPx: 400, heightPx: 800 }));
    expect(a.asked).toHaveLength(2);
  });

  it('asks again for the same words in another language, and once for each', async () => {
    const { a, find } = createBench();
    for (const lang of ['de', 'nl', 'de']) await find(request('bad', { filters: { lang } }));
    await find(request('bad'));
    expect(a.asked.map(({ subject }) => subject.lang)).toEqual(['de', 'nl', undefined]);
  });

  it('gives the same request the same image in every instance', async () => {
    const { find, instance } = createBench();
    const first = imageOf(await find(request('lake')));
    expect(await find(request('lake'), instance())).toMatchObject({ image: first });
  });

  it('asks once per query for a thousand concurrent requests of ten queries, and returns MISS ten times', async () => {
    const { a, clock, instance } = createBench();
    const instances = [instance(), instance(), instance()];
    const answers = await clock.settle(
      Promise.all(
        Array.from({ length: 1_000 }, (_, index) =>
          (instances[index % 3] ?? instance()).find(
            request(`query ${index % 10}`, { widthPx: 1_000 + (index % 7) }),
            'webp',
            clock.nowMs() + 10_000,
            aSearchCaller,
          ),
        ),
      ),
    );
    expect(a.asked).toHaveLength(10);
    expect(answers.filter(({ outcome }) => outcome === 'found')).toHaveLength(1_000);
    expect(answers.filter((answer) => 'cache' in answer && answer.cache === 'MISS')).toHaveLength(10);
  });

  it('serves requests that wait in another instance as a HIT', async () => {
    const { a, clock, stock, instance } = createBench();
    a.script(async () => {
      await clock.sleep(1_000);
      return [candidate('slow')];
    });
    const endsMs = clock.nowMs() + 10_000;
    const answers = await clock.settle(
      Promise.all([
        stock.find(request('lake'), 'webp', endsMs, aSearchCaller),
        instance().find(request('lake', { widthPx: 1_500 }), 'webp', endsMs, aSearchCaller),
        instance().find(request('lake', { widthPx: 1_600 }), 'webp', endsMs, aSearchCaller),
      ]),
    );
    expect(answers.map((answer) => 'cache' in answer && answer.cache).sort()).toEqual(['HIT', 'HIT', 'MISS']);
    expect(a.asked).toHaveLength(1);
  });

  it('takes over from an instance that crashed during its request', async () => {
    const { a, clock, cache, find } = createBench();
    await cache.lease(
      offerKey('alpha', { subject: understand('lake'), orientation: 'landscape' }),
      'the dead one',
      4_000,
    );
    const beganMs = clock.nowMs();
    expect(await find(request('lake'))).toMatchObject({ cache: 'MISS', image: { source: 'stock_a' } });
    expect(clock.nowMs() - beganMs).toBeGreaterThanOrEqual(4_000);
    expect(a.asked).toHaveLength(1);
  });
});

describe('a caller that has searched as often as it may', () => {
  const limited = (searches: number): SearchCaller => {
    let left = searches;
    const rateLimit = { limit: searches, remaining: 0, window: hourWindow(0) };
    return {
      share: 'anonymous',
      owner: 'anonymous',
      chargeSearch: async () =>
        left-- > 0 ? undefined : { code: 'rate_limited', rateLimit, use: 'searches' },
    };
  };

  it('is refused without the provider being asked, and leaves the words to be asked for by the next', async () => {
    const { a, find, stock } = createBench();
    const refused = await find(request('lake'), stock, limited(0));
    expect(refused).toMatchObject({ outcome: 'limited', refusal: { code: 'rate_limited', use: 'searches' } });
    expect(a.asked).toHaveLength(0);
    expect(await find(request('lake'))).toMatchObject({ outcome: 'found', cache: 'MISS' });
  });

  it('gets what another has asked for', async () => {
    const { find, stock } = createBench();
    await find(request('lake'));
    const other = await find(request('lake', { widthPx: 1_500 }), stock, limited(0));
    expect(other).toMatchObject({ outcome: 'found', cache: 'HIT' });
  });

  it.each(['anonymous', 'keyed'] as const)(
    '(%s) does not stop another that waits for the same words',
    async (share) => {
      const { a, clock, stock } = createBench();
      const endsMs = clock.nowMs() + 10_000;
      const [first, second] = await clock.settle(
        Promise.all([
          stock.find(request('lake'), 'webp', endsMs, { ...limited(0), share }),
          stock.find(request('lake'), 'webp', endsMs, aSearchCaller),
        ]),
      );
      expect([first?.outcome, second?.outcome]).toEqual(['limited', 'found']);
      expect(a.asked).toHaveLength(1);
    },
  );

  it('gets another provider’s image where half of a provider’s budget is used up without a key, and a keyed caller goes on', async () => {
    const { a, find, stock } = createBench({ a: { capability: { quota: { perHour: 4 } } } });
    for (let i = 0; i < 3; i++) await find(request(`lake ${i}`), stock, limited(9));
    expect(a.asked).toHaveLength(2);
    expect(await find(request('sea'), stock, limited(9))).toMatchObject({ image: { source: 'stock_b' } });
    expect(await find(request('wood'))).toMatchObject({ outcome: 'found', image: { source: 'stock_a' } });
  });

  it('leaves the same words to a keyed caller where the anonymous half is used up, at once and while both wait', async () => {
    const { a, clock, instance } = createBench({ a: { capability: { quota: { perHour: 6 } } } });
    const stock = instance({ slots: { stock_b: a, stock_c: a } });
    const anonymous = limited(9);
    const find = (query: string, caller = anonymous) =>
      clock.settle(stock.find(request(query), 'webp', clock.nowMs() + 10_000, caller));
    for (const query of ['lake', 'moor', 'hill']) await find(query);
    const waiting = await Promise.all([find('sea'), find('sea', aSearchCaller)]);
    const inTurn = [await find('wood'), await find('wood', aSearchCaller)];
    expect([...waiting, ...inTurn].map(({ outcome }) => outcome)).toEqual([
      'unavailable',
      'found',
      'unavailable',
      'found',
    ]);
  });
});

describe('a search of several slots', () => {
  it('is one for each request whose caller shows an image once', async () => {
    const { clock, stock } = createBench();
    const claimed: string[] = [];
    const caller = { ...aSearchCaller, claim: async (pick: string) => void claimed.push(pick) };
    const find = () => stock.find(request('lake'), 'webp', clock.nowMs() + 10_000, caller);
    await clock.settle(Promise.all([find(), find()]));
    expect(claimed).toHaveLength(2);
  });

  it('leaves out photographs where there are none', async () => {
    const library = createFakeStockProvider('library');
    const { find, instance } = createBench();
    expect(await find(request('lake'), instance({ slots: { stock_a: library } }))).toMatchObject({
      image: { source: 'stock_b' },
    });
    expect(library.asked).toEqual([]);
  });

  it('ends with the requests that it may send', async () => {
    const { a, b, find } = createBench();
    a.search = async (_query, _signal, takeRequest) => {
      while (await takeRequest?.());
      return [];
    };
    expect(await find(request('lake'))).toEqual({ outcome: 'none' });
    expect(b.asked).toEqual([]);
  });

  it('serves a loose image to a caller that may search no other slot', async () => {
    const { a, find, stock } = createBench();
    const loose = { description: { rank: 1, title: '', match: { score: 0, coverage: 0.1 } } };
    a.script(async () => [candidate('loose', loose)]);
    let left = 1;
    const rateLimit = { limit: 1, remaining: 0, window: hourWindow(0) };
    const caller: SearchCaller = {
      ...aSearchCaller,
      chargeSearch: async () =>
        left-- > 0 ? undefined : { code: 'rate_limited', rateLimit, use: 'searches' },
    };
    expect(await find(request('lake'), stock, caller)).toMatchObject({ image: { fit: 'loose' } });
  });

  it('says that it is an outage where one of them could not be searched for that', async () => {
    const { a, b, c, find, stock } = createBench();
    for (const provider of [a, b]) provider.script(empty);
    c.script(away);
    let searches = 0;
    const chargeSearch = async () => {
      if (++searches === 2) throw Object.assign(new Error('away'), { isOutage: true });
      return undefined;
    };
    expect(await find(request('lake'), stock, { ...aSearchCaller, chargeSearch })).toMatchObject({
      outcome: 'unavailable',
      refusal: { code: 'service_unavailable' },
    });
  });
});

describe('a search never throws', () => {
  type Bench = ReturnType<typeof createBench>;
  const boom = (): never => {
    throw new Error('Everything is out of order.');
  };
  const operations = ['read', 'write', 'lease', 'release', 'take', 'counts'] as const;
  const tables =
    (...failing: readonly (typeof operations)[number][]) =>
    ({ cache, stockMemory }: Bench) => {
      for (const operation of failing) for (const store of [cache, stockMemory]) store.fail(operation, true);
    };
  const adapters =
    (broken: object) =>
    ({ a, b, c }: Bench) => {
      for (const provider of [a, b, c]) Object.assign(provider, broken);
    };

  it.each<[string, (bench: Bench) => void, SearchCaller?]>([
    ...operations.map((each): [string, (bench: Bench) => void] => [`each table on ${each}`, tables(each)]),
    ['each table on everything', tables(...operations)],
    ['all of an adapter', adapters({ search: boom, byId: boom, sourceFor: boom })],
    ['what searches', adapters({ search: boom, byId: boom })],
    ['what names a source', adapters({ sourceFor: boom })],
    ['the renderer', ({ scriptRenderer }) => scriptRenderer(boom)],
    ['the charge of the search', () => undefined, { ...aSearchCaller, chargeSearch: boom }],
  ])('where %s throws: there is an image or an outage', async (_, spoil, caller = aSearchCaller) => {
    for (const options of [{}, { a: fetched, b: fetched, c: fetched }]) {
      const bench = createBench(options);
      await bench.find(request('known'));
      await bench.clock.advance(25 * 3_600_000);
      spoil(bench);
      const outcomes = [];
      for (const query of ['known', 'new'])
        outcomes.push(await bench.find(request(query), bench.stock, caller));
      // The pick is too old now to stand while its provider cannot be asked.
      await bench.clock.advance(30 * 24 * 3_600_000);
      outcomes.push(await bench.find(request('known'), bench.stock, caller));
      for (const { outcome } of outcomes) expect(outcome).toMatch(/^(found|unavailable)$/);
    }
  });
});
