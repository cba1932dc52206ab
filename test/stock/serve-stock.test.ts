/** A stock request: charged concurrently with the cache read, and refunded when no image is found. */

import { hourWindow } from '../../lambda/base/window';
import type { Answer } from '../../lambda/images/answer';
import type { ServedImage } from '../../lambda/images/image';
import { type FairUse, serviceUnavailable } from '../../lambda/problems/problem';
import { createLedger } from '../../lambda/quota/ledger';
import { FaultAfterCharge } from '../../lambda/quota/payment';
import type { Limit } from '../../lambda/quota/quota';
import type { CounterCharge } from '../../lambda/quota/quota-counters';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { FoundImage } from '../../lambda/stock/found';
import { serveStock } from '../../lambda/stock/serve-stock';
import { accountId } from '../fakes/branded';
import { breathe, createDeferred, isSettled } from '../fakes/deferred';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { anImage, createFakeStock, request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const lake = request('lake');

const contextOf = (quota: Limit, requestId = 'r') =>
  aContext({ kind: 'anonymous' }, Date.now(), { quota, requestId, format: 'jpeg', renditions: [] });

function start() {
  const clock = createVirtualClock();
  const counters = createFakeQuotaCounters();
  const telemetry = createRecordedTelemetry();
  const stock = createFakeStock();
  const ledger = createLedger({ counters, clock, telemetry });
  const serve = (of: StockRequest, context: RequestContext) => serveStock({ ledger, ...stock }, of, context);
  const quota: Limit = {
    counter: { kind: 'ip', ipHash: 'a' },
    limit: 10,
    window: hourWindow(clock.nowMs()),
  };
  let n = 0;
  /** A request whose charge is answered by the test. */
  const askAndCharge = () => {
    const charging = createDeferred<CounterCharge>();
    const slow = { ...createFakeQuotaCounters(), charge: () => charging.promise };
    const slowLedger = createLedger({ counters: slow, clock, telemetry });
    return { charging, answer: serveStock({ ledger: slowLedger, ...stock }, lake, contextOf(quota)) };
  };
  const ask = (): Promise<Answer> => serve(lake, contextOf(quota, `r${n++}`));
  const refunds = () => counters.calls.filter(({ operation }) => operation === 'refund').length;
  return { counters, telemetry, stock, ledger, quota, ask, askAndCharge, refunds };
}

describe('a stock request', () => {
  it('of a key is answered when the use of its known image is noted, as the function is frozen then', async () => {
    const { ledger, stock } = start();
    stock.knows({ ...anImage, use: { provider: 'alpha', url: 'https://api.example/1' } });
    const noting = createDeferred<void>();
    const noted: string[] = [];
    const reportUse = async (_: object, owner: string) => {
      noted.push(owner);
      await noting.promise;
    };
    const caller = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' } as const;
    const answering = serveStock({ ledger, ...stock, reportUse }, lake, aContext(caller, Date.now()));
    expect([await isSettled(answering), noted]).toEqual([false, ['acc_1']]);
    noting.resolve();
    expect(await answering).toMatchObject({ outcome: 'served', cache: 'HIT' });
  });

  it('is charged once and served from what is known, without looking further', async () => {
    const { ask, stock, counters } = start();
    stock.knows(anImage);
    expect(await ask()).toMatchObject({
      outcome: 'served',
      cache: 'HIT',
      image: anImage,
      payment: { state: 'charged', rateLimit: { remaining: 9 } },
    });
    expect(stock.calls).toEqual(['cached']);
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['charge']);
  });

  it('that ends in the card of an image that is gone is served and given back', async () => {
    const { ask, stock, counters, quota } = start();
    stock.knows({ ...anImage, fallback: 'gone' });
    expect(await ask()).toMatchObject({
      outcome: 'served',
      payment: { state: 'free', because: 'no-image', rateLimit: { remaining: 10 } },
    });
    expect(await counters.taken(quota)).toBe(0);
  });

  it('that is not cached is looked up, and reports whether a provider was asked', async () => {
    const { ask, stock } = start();
    expect(await ask()).toMatchObject({
      outcome: 'served',
      cache: 'MISS',
      payment: { rateLimit: { remaining: 9 } },
    });
    stock.finds({ outcome: 'found', image: anImage, cache: 'HIT' });
    expect(await ask()).toMatchObject({
      outcome: 'served',
      cache: 'HIT',
      payment: { rateLimit: { remaining: 8 } },
    });
  });

  it('begins the look into the cache before the charge has been answered', async () => {
    const { stock, askAndCharge } = start();
    stock.knows(anImage);
    const { charging, answer } = askAndCharge();
    await breathe();
    expect(stock.calls).toEqual(['cached']);
    charging.resolve({ outcome: 'charged', taken: 1 });
    expect(await answer).toMatchObject({ outcome: 'served' });
  });

  it('begins the charge before the cache has answered', async () => {
    const { ask, stock, counters } = start();
    const looking = createDeferred<undefined>();
    stock.knows(looking.promise);
    const answer = ask();
    await breathe();
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['charge']);
    looking.resolve(undefined);
    expect(await answer).toMatchObject({ outcome: 'served', cache: 'MISS' });
  });

  it('searches no provider before the charge has succeeded', async () => {
    const { stock, askAndCharge } = start();
    const { charging, answer } = askAndCharge();
    await breathe();
    charging.resolve({ outcome: 'exhausted' });
    expect(await answer).toMatchObject({ outcome: 'refused', refusal: { code: 'rate_limited' } });
    expect(stock.calls).toEqual(['cached']);
  });

  it('of a caller whose window is used up costs no look at a provider, though the image is known', async () => {
    const { ask, stock, refunds } = start();
    stock.knows(anImage);
    for (let i = 0; i < 10; i++) await ask();
    expect(await ask()).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'rate_limited', rateLimit: { limit: 10, remaining: 0 } },
    });
    expect(stock.calls).not.toContain('find');
    expect(refunds()).toBe(0);
  });

  it.each<[FoundImage, object]>([
    [{ outcome: 'none' }, { code: 'no_image_found' }],
    [{ outcome: 'refused', refusal: serviceUnavailable, isOfCaller: false }, serviceUnavailable],
  ])('that ends in %j is refused with %j and given back', async (end, refusal) => {
    const { ask, stock, refunds, ledger, quota } = start();
    stock.finds(end);
    expect(await ask()).toMatchObject({
      outcome: 'refused',
      refusal,
      payment: { state: 'refunded', rateLimit: { remaining: 10 } },
    });
    expect(refunds()).toBe(1);
    expect(await ledger.status({ quota })).toMatchObject({ remaining: 10 });
  });

  it('that fails is refunded, and the fault carries the rate limit status', async () => {
    const { ask, stock, refunds } = start();
    stock.finds(new Error('the table burns'));
    const fault = await ask().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(FaultAfterCharge);
    expect(fault).toMatchObject({
      payment: { state: 'refunded', rateLimit: { limit: 10, remaining: 10 } },
      cause: { message: 'the table burns' },
    });
    expect(refunds()).toBe(1);
  });

  it.each([
    ['nothing found', { outcome: 'none' } as const],
    ['a fault', new Error('broken')],
  ])('whose charge is unknown is not given back after %s', async (_, answer) => {
    const { ask, stock, counters, refunds } = start();
    counters.script.push({ outcome: 'unknown' });
    stock.finds(answer);
    await ask().catch(() => undefined);
    expect(refunds()).toBe(0);
  });

  it('whose charge is unknown is served', async () => {
    const { ask, counters, stock } = start();
    counters.script.push({ outcome: 'unknown' });
    stock.knows(anImage);
    expect(await ask()).toMatchObject({ outcome: 'served', cache: 'HIT' });
  });

  it('whose refund fails is still answered, with the rateLimit that holds', async () => {
    const { ask, stock, counters, telemetry } = start();
    stock.finds({ outcome: 'none' });
    counters.failRefunds(new Error('lost'));
    expect(await ask()).toMatchObject({
      refusal: { code: 'no_image_found' },
      payment: { state: 'owed', rateLimit: { remaining: 9 } },
    });
    expect(telemetry.counted('refundFailed')).toBe(1);
  });

  it('that cannot be charged fails without having been charged or looked up', async () => {
    const { ask, stock, counters, refunds } = start();
    counters.script.push(new Error('no such table'));
    await expect(ask()).rejects.toThrow('no such table');
    expect(stock.calls).toEqual(['cached']);
    expect(refunds()).toBe(0);
  });
});

describe('what costs a caller nothing', () => {
  const limitOf = (use: FairUse, limit: number): Limit => ({
    counter: { kind: 'fair-use', use, owner: 'o' },
    limit,
    window: hourWindow(Date.now()),
  });
  const begin = (limits: Partial<RequestContext>) => {
    const { stock, counters, ledger } = start();
    const context = () => aContext({ kind: 'anonymous' }, Date.now(), { renditions: [], ...limits });
    const ask = (changes: Partial<StockRequest> = {}) =>
      serveStock({ ledger, ...stock }, { ...lake, ...changes }, context());
    const calls = () => counters.calls.map(({ operation, key }) => `${operation} ${key.split('#')[1]}`);
    return { stock, ask, calls };
  };

  it.each([
    ['a search', 'searches'],
    ['a rendition', 'renditions'],
  ] as const)('%s that is known to be refused is neither charged nor refunded', async (_, name) => {
    const limit = limitOf(name === 'searches' ? 'searches' : 'anonymous-renditions', 1);
    const { stock, ask, calls } = begin({ [name]: [limit] });
    stock.finds(async (caller) => {
      const refusal = await caller.takeSearch();
      return refusal
        ? { outcome: 'refused', refusal, isOfCaller: true }
        : { outcome: 'found', image: anImage, cache: 'MISS' };
    });
    expect(await ask()).toMatchObject({ outcome: 'served' });
    expect(await ask()).toMatchObject({ outcome: 'refused', refusal: { code: 'rate_limited' } });
    const before = calls().length;
    expect(await ask()).toMatchObject({ outcome: 'refused', refusal: { code: 'rate_limited' } });
    expect(calls()).toHaveLength(before);
    // What is known is served as before.
    stock.knows(anImage);
    expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'charged' } });
  });
});

describe('what an answer tells others', () => {
  const ofKey = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' } as const;
  const asked = async (
    known: FoundImage | undefined,
    {
      caller = ofKey,
      context = {},
      change = {},
    }: {
      caller?: Parameters<typeof aContext>[0];
      context?: Partial<RequestContext>;
      change?: Partial<StockRequest>;
    } = {},
  ) => {
    const { stock, ledger } = start();
    if (known?.outcome === 'found') stock.knows(known.image);
    const told: unknown[] = [];
    const reportUse = async (_: object, owner: string) => void told.push(['use', owner]);
    const of = aContext(caller, Date.now(), context);
    const answer = await serveStock({ ledger, ...stock, reportUse }, { ...lake, ...change }, of);
    return { answer, told };
  };
  const hit = (change: Partial<ServedImage> = {}) =>
    ({ outcome: 'found', image: { ...anImage, ...change }, cache: 'HIT' }) as const;
  const use = { provider: 'alpha', url: 'https://api.example/1' };
  const rateLimit = { limit: 1, remaining: 0, window: hourWindow(0) };
  const payment = { state: 'charged', rateLimit } as const;

  it.each<[string, Parameters<typeof asked>, readonly unknown[]]>([
    ['of a key', [hit()], []],
    ['whose use is reported', [hit({ use })], [['use', 'acc_1']]],
    ['without a key', [hit({ use }), { caller: { kind: 'anonymous' } }], [['use', 'anonymous']]],
    ['that was paid before', [hit(), { context: { payment } }], []],
    ['that is new', [undefined], []],
  ])('is what an image %s', async (_, given, told) => expect((await asked(...given)).told).toEqual(told));
});

it('owes what it cannot give back for the card of an image that is gone', async () => {
  const { ask, stock, counters } = start();
  stock.knows({ ...anImage, fallback: 'gone' });
  counters.failRefunds(new Error('lost'));
  expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'owed' } });
});
