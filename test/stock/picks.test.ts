/** One image at every size, for good: what makes a pick, what it survives, and when it is replaced. */

import type { Candidate } from '../../lambda/images/image';
import { createPicks, pickKey, type StoredPick } from '../../lambda/stock/picks';
import type { ProviderReply } from '../../lambda/stock/provider-request';
import { understand } from '../../lambda/stock/understand';
import { createDeferred, isSettled } from '../fakes/deferred';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, empty, type FakeStockOptions, fetched } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';
import { createBench } from './stock-bench';

const dayMs = 24 * 3_600_000;
const named = (id: string, rank: number, change: Partial<Candidate> = {}) =>
  candidate(id, { description: { rank, title: id }, ...change });
const lakes = Array.from({ length: 20 }, (_, index) => named(`lake-${index + 1}`, index + 1));
/** Widths of next/image that are at least 100 pixels, at 3:2. */
const widths = [128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

function createLakes(options: FakeStockOptions = {}) {
  const bench = createBench({ a: options });
  let offered: readonly Candidate[] = lakes;
  bench.a.script(async () => offered);
  const idOf = async (change: Parameters<typeof request>[1] = {}, by = bench.stock): Promise<string> => {
    const answer = await bench.find(request('mountain lake', change), by);
    if (answer.outcome !== 'found') throw new Error(answer.outcome);
    return answer.image.attribution.creditLine.replace('Image ', '');
  };
  return {
    ...bench,
    idOf,
    offer(next: readonly Candidate[]) {
      offered = next;
    },
  };
}

describe('a pick', () => {
  it('is the best image without a seed, and another one for each of the seeds 1 to 6', async () => {
    const { idOf } = createLakes();
    expect(await idOf()).toBe('lake-1');
    const ids = [];
    for (const seed of ['1', '2', '3', '4', '5', '6']) ids.push(await idOf({ seed }));
    expect(ids).toEqual(['lake-1', 'lake-2', 'lake-3', 'lake-4', 'lake-5', 'lake-6']);
  });

  it('is the same at every size, in any order and in every instance', async () => {
    for (const order of [widths, [...widths].reverse()]) {
      const { idOf, instance } = createLakes();
      for (const widthPx of order) {
        const size = { widthPx, heightPx: Math.round((widthPx * 2) / 3) };
        expect(await idOf({ ...size, seed: 'blue hour' }, instance())).toBe(
          await idOf({ seed: 'blue hour' }),
        );
      }
    }
  });

  it('survives one more candidate, a re-ordered answer, a second day and new instances', async () => {
    const { idOf, offer, clock, instance, a } = createLakes();
    const before = await idOf();
    offer([
      named('better', 1, { description: { rank: 1, title: 'Mountain lake' } }),
      ...[...lakes].reverse(),
    ]);
    expect(await idOf({ widthPx: 900, heightPx: 600 })).toBe(before);
    await clock.advance(25 * 3_600_000);
    expect(await idOf({ widthPx: 600, heightPx: 400 }, instance())).toBe(before);
    await clock.advance(300 * dayMs);
    expect(await idOf({}, instance())).toBe(before);
    expect(a.asked).toHaveLength(1);
    expect(a.askedById).toEqual([before, before]);
  });

  it('survives the loss of the cache, which is no part of what must be kept', async () => {
    const { idOf, offer, cache, instance } = createLakes();
    const before = await idOf({ seed: 'blue hour' });
    offer([...lakes].reverse());
    cache.forgetAll();
    expect(await idOf({ seed: 'blue hour' }, instance())).toBe(before);
  });

  it('is asked about once a day, by one of all sizes and instances', async () => {
    const { idOf, clock, instance, a } = createLakes();
    await idOf();
    await clock.advance(25 * 3_600_000);
    await Promise.all(widths.map((widthPx) => idOf({ widthPx, heightPx: widthPx / 2 }, instance())));
    expect(a.askedById).toHaveLength(1);
  });

  it('holds while its provider does not answer', async () => {
    const { idOf, clock, a } = createLakes();
    const before = await idOf();
    await clock.advance(25 * 3_600_000);
    a.script(async () => {
      throw new Error('away');
    });
    expect(await idOf()).toBe(before);
  });

  it('ends 400 days after its last use', async () => {
    const { idOf, offer, clock } = createLakes();
    await idOf();
    offer([...lakes].reverse().map(({ id }, index) => named(id, index + 1)));
    // A use is recorded at most a day late.
    await clock.advance(401 * dayMs - 1);
    expect(await idOf()).toBe('lake-1');
    await clock.advance(402 * dayMs);
    expect(await idOf()).toBe('lake-20');
  });

  it('is chosen anew for another orientation, provider, seed or filter, but not for another crop', async () => {
    const { idOf, stockMemory } = createLakes();
    const picks = () =>
      new Set(stockMemory.calls.filter(({ key }) => key.startsWith('PICK#')).map(({ key }) => key)).size;
    await idOf();
    await idOf({ filters: { crop: 'top' } });
    await idOf({ query: 'Mountain-Lake', seed: '1' });
    expect(picks()).toBe(1);
    await idOf({ seed: '2' });
    await idOf({ widthPx: 400, heightPx: 900 });
    await idOf({ filters: { avoid: ['people'] } });
    await idOf({ filters: { color: 'blue' } });
    await idOf({ filters: { license: 'public-domain' } });
    await idOf({ filters: { lang: 'de' } });
    expect(picks()).toBe(7);
  });
});

describe('an image that was removed at its source', () => {
  it('is replaced once, at every size, and counted once', async () => {
    const { idOf, clock, offer, instance, telemetry } = createLakes();
    expect(await idOf()).toBe('lake-1');
    await clock.advance(25 * 3_600_000);
    offer(lakes.slice(1));
    const ids = await Promise.all(
      widths.map((widthPx) => idOf({ widthPx, heightPx: Math.round((widthPx * 2) / 3) }, instance())),
    );
    expect(new Set(ids)).toEqual(new Set(['lake-2']));
    await clock.advance(25 * 3_600_000);
    offer(lakes); // It comes back, too late.
    expect(await idOf()).toBe('lake-2');
    expect(telemetry.counted('picks_replaced')).toBe(1);
  });

  it('stays while its file still answers', async () => {
    const { idOf, clock, offer, jobs, telemetry } = createLakes(fetched);
    await idOf();
    await clock.advance(25 * 3_600_000);
    offer(lakes.slice(1));
    expect(await idOf()).toBe('lake-1');
    expect(jobs.at(-1)?.anew).toBe(true);
    expect(telemetry.counted('picks_replaced')).toBe(0);
  });

  it('is replaced on the same day where a new size finds its file gone', async () => {
    const { idOf, scriptRenderer, telemetry } = createLakes(fetched);
    await idOf();
    scriptRenderer(async ({ source }) =>
      source.kind === 'remote' && source.url.endsWith('/lake-1.jpg')
        ? { outcome: 'unusable', reason: 'the status is 404' }
        : { outcome: 'stored' },
    );
    expect(await idOf({ widthPx: 900, heightPx: 600 })).toBe('lake-2');
    expect(await idOf({ widthPx: 600, heightPx: 400 })).toBe('lake-2');
    expect(telemetry.counted('picks_replaced')).toBe(1);
  });

  it('is not replaced where its server is away for a while: another image is shown meanwhile', async () => {
    const { find, idOf, scriptRenderer, telemetry } = createLakes(fetched);
    await idOf();
    scriptRenderer(async ({ source }) =>
      source.kind === 'remote' && source.url.endsWith('/lake-1.jpg')
        ? { outcome: 'unusable', reason: 'the status is 503', because: 'unanswered' }
        : { outcome: 'stored' },
    );
    const size = { widthPx: 900, heightPx: 600 };
    expect(await find(request('mountain lake', size))).toMatchObject({
      image: { attribution: { creditLine: 'Image lake-2' } },
    });
    scriptRenderer(async () => ({ outcome: 'stored' }));
    expect(await idOf({ widthPx: 600, heightPx: 400 })).toBe('lake-1');
    expect(telemetry.counted('picks_replaced')).toBe(0);
  });
});

describe('a size that the pick is too small for', () => {
  const small = named('lake-small', 1, { widthPx: 1_200, heightPx: 800 });
  const tooSmall: FakeStockOptions = {
    sourceFor: ({ sourceUrl, widthPx = 0 }, size) =>
      widthPx * 3 < size.widthPx ? undefined : { kind: 'hotlink', url: sourceUrl },
  };

  it('is enlarged up to three times, rather than another image', async () => {
    const { idOf, offer } = createLakes(tooSmall);
    offer([small, named('lake-tiny', 2, { widthPx: 900, heightPx: 600 })]);
    expect(await idOf({ widthPx: 3_600, heightPx: 2_400 })).toBe('lake-small');
  });

  it('gets another image, the same one every time, and says so', async () => {
    const { find, offer, clock } = createLakes(tooSmall);
    offer([small, named('lake-tiny', 2, { widthPx: 900, heightPx: 600 })]);
    const large = { widthPx: 4_000, heightPx: 2_600 };
    expect(await find(request('mountain lake', large))).toMatchObject({ image: { source: 'stock_b' } });
    offer([small, named('lake-wide', 9, { widthPx: 1_900, heightPx: 1_300 })]);
    await clock.advance(25 * 3_600_000);
    const other = await find(request('a lake', { ...large, widthPx: 3_990 }));
    expect(other).toMatchObject({ image: { attribution: { creditLine: 'Image lake-wide' } } });
  });

  it('is preferred among originals that fill 1,920 pixels, then among the largest', async () => {
    const { idOf, offer } = createLakes();
    offer([small, named('lake-2', 2, { widthPx: 1_600, heightPx: 1_000 }), named('lake-3', 3)]);
    expect(await idOf()).toBe('lake-3');
    offer([small, named('lake-2', 2, { widthPx: 1_600, heightPx: 1_000 })]);
    expect(await idOf({ seed: 'x', widthPx: 400, heightPx: 800 })).toBe('lake-2');
  });
});

describe('the requests to a provider', () => {
  it('are at most three for a search, attempts and broader searches together', async () => {
    const { a, find } = createLakes();
    let sent = 0;
    a.search = async (_query, _signal, takeRequest) => {
      sent += 1;
      while (await takeRequest?.()) sent += 1;
      throw new Error('away');
    };
    await find(request('mountain lake'));
    expect(sent).toBe(3);
  });

  it('are not sent to a provider without images under the licence, and an image under another one is not served', async () => {
    const free = { capability: { unmetLicenses: ['public-domain'] as const } };
    const { a, b, c, find } = createBench({ a: free, c: free });
    b.script(async () => [
      candidate('paid', {
        attribution: { ...candidate('x').attribution, license: { id: 'cc-by-4.0', name: '' } },
      }),
    ]);
    expect(await find(request('lake', { filters: { license: 'public-domain' } }))).toEqual({
      outcome: 'none',
    });
    expect([a.asked.length, b.asked.length, c.asked.length]).toEqual([0, 1, 0]);
  });

  it('carry the filters that the provider searches by, and no others', async () => {
    const { a, b, find } = createBench({ a: { capability: { searchFilters: ['color'] } } });
    const filters = { color: 'blue', license: 'attribution-free', avoid: ['people'] } as const;
    await find(request('lake', { filters }));
    await find(request('lake', { filters, provider: 'stock_b' }));
    expect(a.asked).toMatchObject([{ subject: { query: 'lake' }, color: 'blue' }]);
    expect(b.asked.map(({ color }) => color)).toEqual([undefined]);
  });
});

it('what fits is said: all of the subject, some, or hardly anything', async () => {
  const { b, c, offer, find } = createLakes();
  offer([named('Mountain above the lake', 1), named('A lake', 2), named('DSC_0412', 3)]);
  for (const other of [b, c]) other.script(empty);
  const fits = [];
  for (const seed of ['1', '2', '3']) {
    const answer = await find(request('mountain lake', { seed }));
    fits.push(answer.outcome === 'found' && answer.image.fit);
  }
  expect(fits).toEqual(['exact', 'partial', 'loose']);
});

describe('the key of a pick', () => {
  const keyOf = (
    query: string,
    change: Parameters<typeof request>[1] = {},
    kind: 'usual' | 'larger' = 'usual',
  ) => pickKey('alpha', request(query, change), kind);

  it('is the same however the words are written, and for the seeds that mean the best', () => {
    const key = keyOf('mountain lake');
    for (const query of ['Mountain-Lake', ' mountain  lake ', 'mountain_ -lake', '-mountain lake-'])
      expect(keyOf(query)).toBe(key);
    expect(keyOf('mountain lake', { seed: '1' })).toBe(key);
  });

  it('is another one for whatever decides the image', () => {
    const changes = [
      { filters: { avoid: ['people'] } },
      { filters: { color: 'blue' } },
      { filters: { license: 'public-domain' } },
      { filters: { lang: 'de' } },
      { seed: '2' },
      { seed: 'blue hour' },
      { heightPx: 4_000 },
    ] as const;
    const keys = [
      keyOf('lake'),
      keyOf('lake', {}, 'larger'),
      ...changes.map((change) => keyOf('lake', change)),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[0]).toMatch(/^PICK#alpha#landscape#[0-9a-f]{64}$/);
    expect(keys[1]).toBe(`${keys[0]}#larger`);
  });
});

describe('the check of a pick', () => {
  const key = 'PICK#1';
  const refusal = {
    code: 'rate_limited',
    use: 'searches',
    rateLimit: { limit: 1, remaining: 0, window: { kind: 'hour' } as never },
  } as const;

  function checking(
    reply: () => Promise<ProviderReply<Candidate | undefined>>,
    isAskable = true,
    withinMs = 90 * dayMs,
  ) {
    const clock = createVirtualClock();
    const stockMemory = createFakeItemStore(clock);
    const telemetry = createRecordedTelemetry();
    const { provider, ...search } = {
      provider: createBench().a,
      request: request('lake'),
      subject: understand('lake'),
      format: 'jpeg',
      deadlineMs: clock.nowMs() + withinMs,
      caller: aSearchCaller,
      requestsMax: 3,
    } as const;
    const { byId, ...without } = provider;
    const sent: number[] = [];
    const picks = createPicks({
      stockMemory,
      cache: stockMemory,
      send: async (_, requestsMax, call) => {
        sent.push(requestsMax);
        await call(new AbortController().signal, async () => true);
        return (await reply()) as never;
      },
      clock,
      ids: createFakeIds(),
      telemetry,
    });
    const nowMs = clock.nowMs();
    const value: StoredPick = {
      candidate: candidate('a'),
      fit: 'exact',
      offeredMs: nowMs,
      isGone: true,
    };
    const stored = { value, freshUntilMs: nowMs + dayMs, staleUntilMs: nowMs + 99 * dayMs };
    const check = async (afterMs: number) => {
      await stockMemory.write(key, stored);
      await clock.advance(afterMs);
      const of = { ...search, provider: isAskable ? provider : without };
      return clock.settle(stockMemory.whole(picks.check(of, key, stored, 2)));
    };
    const read = () => stockMemory.read<StoredPick>(key);
    return { clock, stockMemory, telemetry, picks, sent, value, stored, check, read };
  }
  const answered = (answer?: Candidate): ProviderReply<Candidate | undefined> => ({
    outcome: 'answered',
    answer,
    requestsSent: 1,
  });

  it('is left out while it was checked lately', async () => {
    const { check, sent, value, stored } = checking(async () => answered());
    expect(await check(dayMs - 1)).toEqual({
      pick: value,
      isGone: false,
      requestsSent: 0,
      checkedUntilMs: stored.freshUntilMs,
    });
    expect(sent).toEqual([]);
  });

  it.each([true, false])(
    'confirms what its provider still has, or is not asked about (asked: %j)',
    async (isAskable) => {
      const { description: _, ...now } = candidate('a', { sourceUrl: 'https://images.example/moved.jpg' });
      const { check, clock, sent, value, read } = checking(
        async () => answered({ ...now, description: { rank: 9 } }),
        isAskable,
      );
      const checked = await check(dayMs);
      const { isGone: _gone, ...kept } = value;
      const pick = {
        ...kept,
        offeredMs: clock.nowMs(),
        candidate: isAskable ? { ...now, description: value.candidate.description } : value.candidate,
      };
      const checkedUntilMs = clock.nowMs() + dayMs;
      expect(checked).toEqual({ pick, isGone: false, checkedUntilMs, requestsSent: isAskable ? 1 : 0 });
      expect(sent).toEqual(isAskable ? [2] : []);
      expect(await read()).toEqual({
        value: pick,
        freshUntilMs: checkedUntilMs,
        staleUntilMs: clock.nowMs() + 401 * dayMs,
      });
    },
  );

  it('says what its provider has no more', async () => {
    const { check, clock } = checking(async () => answered());
    expect(await check(dayMs)).toMatchObject({
      isGone: true,
      requestsSent: 1,
      checkedUntilMs: clock.nowMs() + 60_000,
    });
  });

  it.each<[string, () => Promise<ProviderReply<undefined>>, object]>([
    ['fails', async () => ({ outcome: 'failed', requestsSent: 2 }), { requestsSent: 2 }],
    [
      'may not be asked',
      async () => ({ outcome: 'failed', requestsSent: 0, refusal }),
      { requestsSent: 0, refusal },
    ],
    ['cannot be asked', () => Promise.reject(new Error('out of order')), { requestsSent: 0 }],
  ])('lets it stand for eight days where its provider %s', async (_, reply, met) => {
    const { check, clock, value, read } = checking(reply);
    expect(await check(8 * dayMs - 1)).toEqual({
      pick: value,
      isGone: false,
      isFailed: true,
      checkedUntilMs: clock.nowMs() + 60_000,
      ...met,
    });
    expect((await read())?.freshUntilMs).toBe(clock.nowMs() + 60_000);
    const late = checking(reply);
    expect(await late.check(8 * dayMs)).not.toHaveProperty('pick');
    // Whoever comes next need not wait for the lease.
    expect((await late.stockMemory.lease(key, 'next', 1)).outcome).toBe('leased');
  });

  it('is left to another request that has just done it', async () => {
    const { check, stockMemory, clock, sent, value } = checking(async () => answered());
    const freshUntilMs = clock.nowMs() + 2 * dayMs;
    const fresh = { value: { ...value, fit: 'partial' }, freshUntilMs, staleUntilMs: freshUntilMs };
    stockMemory.lease = async () => ({ outcome: 'fresh', stored: fresh }) as never;
    expect(await check(dayMs)).toMatchObject({ pick: fresh.value, checkedUntilMs: freshUntilMs });
    expect(sent).toEqual([]);
  });

  it('is waited for no longer than its request may, while another does it', async () => {
    const { check, stockMemory, clock, value, sent } = checking(async () => answered(), true, dayMs + 1_000);
    stockMemory.lease = async () => ({ outcome: 'busy' });
    expect(await check(dayMs)).toMatchObject({ pick: value, isGone: false, requestsSent: 0 });
    expect([sent, clock.nowMs() - value.offeredMs]).toEqual([[], dayMs + 1_000]);
  });

  it.each([true, false])(
    'is followed by a count of what is replaced, of one of all instances: %j',
    async (isFirst) => {
      const { clock, stockMemory, telemetry } = checking(async () => answered());
      const takes: unknown[] = [];
      const counting = createDeferred<boolean>();
      const take = (...asked: unknown[]) => {
        takes.push(asked.slice(1));
        return counting.promise;
      };
      const send = () => Promise.reject(new Error('Nothing is asked.'));
      const picks = createPicks({
        stockMemory,
        cache: { take },
        send,
        clock,
        ids: createFakeIds(),
        telemetry,
      });
      const keeping = picks.keep('alpha', {
        key,
        candidate: candidate('b'),
        fit: 'exact',
        checkedUntilMs: 0,
        replaces: 'a',
      });
      expect(await isSettled(keeping)).toBe(false);
      counting.resolve(isFirst);
      await keeping;
      expect(takes).toEqual([[[{ name: 'n', limit: 1 }], clock.nowMs() + dayMs]]);
      const replaced = { metric: 'picks_replaced', dimensions: { provider: 'alpha' } };
      expect(telemetry.counts).toEqual(isFirst ? [replaced] : []);
    },
  );

  it('is done without by a table that gives no lease', async () => {
    const { check, stockMemory, telemetry, value, sent } = checking(async () => answered());
    stockMemory.fail('lease', true);
    expect(await check(dayMs)).toMatchObject({ pick: value, isGone: false });
    expect([sent, telemetry.errors.length]).toEqual([[], 1]);
  });
});
