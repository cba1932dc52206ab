/** A stock request: charged concurrently with the cache read, and refunded when no image is found. */

import { hourWindow } from '../../lambda/base/window';
import type { Answer } from '../../lambda/images/answer';
import type { ServedImage } from '../../lambda/images/image';
import { serviceUnavailable } from '../../lambda/problems/problem';
import type { Limit } from '../../lambda/quota/limit';
import { FaultAfterCharge, type Payment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import { take } from '../../lambda/quota/take';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { FoundImage } from '../../lambda/stock/found';
import { serveStock } from '../../lambda/stock/serve-stock';
import { accountId } from '../fakes/branded';
import { breathe, createDeferred, isSettled } from '../fakes/deferred';
import { createFakeStock, type FakeStock } from '../fakes/fake-stock';
import { createFakeLimits } from '../fakes/limits';
import type { ScriptedImages } from '../fakes/new-images';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { anImage, request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const lake = request('lake');

/** The stock side, told of uses in another way. */
const reporting = (stock: FakeStock, reportKnownUse: ScriptedImages['reportKnownUse']): FakeStock => ({
  ...stock,
  scripted: { ...stock.scripted, reportKnownUse },
});

const contextOf = (quota: Limit, requestId = 'r') =>
  aContext({ kind: 'anonymous' }, Date.now(), {
    requestLimits: [quota],
    requestId,
    format: 'jpeg',
    workLimits: [],
  });

function start() {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const limits = createFakeLimits(clock, telemetry);
  const { services } = limits;
  const stock = createFakeStock(limits);
  const serve = (of: StockRequest, context: RequestContext) => serveStock(stock, of, context);
  const quota: Limit = {
    kind: 'requests',
    owner: 'ip#a',
    max: 10,
    window: hourWindow(clock.nowMs()),
    counts: 'requests',
  };
  let n = 0;
  /** A request whose charge is answered when the test lets it. */
  const askAndCharge = () => {
    const charging = createDeferred<void>();
    limits.script.push(charging.promise);
    return { charging, answer: serve(lake, contextOf(quota)) };
  };
  const ask = (): Promise<Answer> => serve(lake, contextOf(quota, `r${n++}`));
  const refunds = () => limits.calls.filter(({ operation }) => operation === 'giveBack').length;
  return { limits, services, telemetry, stock, quota, ask, askAndCharge, refunds };
}

describe('a stock request', () => {
  it('of a key is answered when the use of its known image is noted, as the function is frozen then', async () => {
    const { stock } = start();
    stock.knows({ ...anImage, use: { provider: 'alpha', url: 'https://api.example/1' } });
    const noting = createDeferred<void>();
    const noted: string[] = [];
    const reportKnownUse = async (_: object, owner: string) => {
      noted.push(owner);
      await noting.promise;
    };
    const caller = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' } as const;
    const answering = serveStock(reporting(stock, reportKnownUse), lake, aContext(caller, Date.now()));
    expect([await isSettled(answering), noted]).toEqual([false, ['acc_1']]);
    noting.resolve();
    expect(await answering).toMatchObject({ outcome: 'served', cache: 'HIT' });
  });

  it('is charged once and served from what is known, without looking further', async () => {
    const { ask, stock, limits } = start();
    stock.knows(anImage);
    expect(await ask()).toMatchObject({
      outcome: 'served',
      cache: 'HIT',
      image: anImage,
      payment: { state: 'charged', rateLimit: { remaining: 9 } },
    });
    expect(stock.calls).toEqual(['cached']);
    expect(limits.calls.map(({ operation }) => operation)).toEqual(['take']);
  });

  it('that ends in the card of an image that is gone is served and given back', async () => {
    const { ask, stock, limits, quota } = start();
    stock.knows({ ...anImage, fallback: 'gone' });
    expect(await ask()).toMatchObject({
      outcome: 'served',
      payment: { state: 'free', because: 'no-image', rateLimit: { remaining: 10 } },
    });
    expect(await limits.used(quota)).toBe(0);
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
    charging.resolve();
    expect(await answer).toMatchObject({ outcome: 'served' });
  });

  it('begins the charge before the cache has answered', async () => {
    const { ask, stock, limits } = start();
    const looking = createDeferred<undefined>();
    stock.knows(looking.promise);
    const answer = ask();
    await breathe();
    expect(limits.calls.map(({ operation }) => operation)).toEqual(['take']);
    looking.resolve(undefined);
    expect(await answer).toMatchObject({ outcome: 'served', cache: 'MISS' });
  });

  it('searches no provider before the charge has succeeded', async () => {
    const { stock, askAndCharge, quota, limits } = start();
    for (let i = 0; i < 10; i++) await take(limits.services, [quota], `${i}`);
    const { charging, answer } = askAndCharge();
    await breathe();
    charging.resolve();
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
    const { ask, stock, refunds, limits, quota } = start();
    stock.finds(end);
    expect(await ask()).toMatchObject({
      outcome: 'refused',
      refusal,
      payment: { state: 'refunded', rateLimit: { remaining: 10 } },
    });
    expect(refunds()).toBe(1);
    expect(await limits.used(quota)).toBe(0);
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
    const { ask, stock, limits, refunds } = start();
    limits.script.push('unknown');
    stock.finds(answer);
    await ask().catch(() => undefined);
    expect(refunds()).toBe(0);
  });

  it('whose charge is unknown is served', async () => {
    const { ask, limits, stock } = start();
    limits.script.push('unknown');
    stock.knows(anImage);
    expect(await ask()).toMatchObject({ outcome: 'served', cache: 'HIT' });
  });

  it('whose refund fails is still answered, with the rateLimit that holds', async () => {
    const { ask, stock, limits, telemetry } = start();
    stock.finds({ outcome: 'none' });
    limits.failRefunds(new Error('lost'));
    expect(await ask()).toMatchObject({
      refusal: { code: 'no_image_found' },
      payment: { state: 'unknown', rateLimit: { remaining: 9 } },
    });
    expect(telemetry.counted('refundFailed')).toBe(1);
  });

  it('that cannot be charged fails without having been charged or looked up', async () => {
    const { ask, stock, limits, refunds } = start();
    limits.script.push(new Error('no such table'));
    await expect(ask()).rejects.toThrow('no such table');
    expect(stock.calls).toEqual(['cached']);
    expect(refunds()).toBe(0);
  });
});

describe('what costs a caller nothing', () => {
  it.each([
    ['a search', { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' }],
    ['a rendition', { kind: 'anonymous' }],
  ] as const)('%s that is known to be refused is neither charged nor refunded', async (_, caller) => {
    const { stock, limits } = start();
    const serve = (of: StockRequest, context: RequestContext) => serveStock(stock, of, context);
    const work: Limit = {
      kind: 'work',
      owner: 'o',
      max: caller.kind === 'anonymous' ? 2 : 1,
      window: hourWindow(Date.now()),
      counts: 'searches',
    };
    const ask = () => serve(lake, aContext(caller, Date.now(), { workLimits: [work] }));
    const calls = () => limits.calls;
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
    const { stock } = start();
    if (known?.outcome === 'found') stock.knows(known.image);
    const told: unknown[] = [];
    const reportKnownUse = async (_: object, owner: string) => void told.push(['use', owner]);
    const of = aContext(caller, Date.now(), context);
    const answer = await serveStock(reporting(stock, reportKnownUse), { ...lake, ...change }, of);
    return { answer, told };
  };
  const hit = (change: Partial<ServedImage> = {}) =>
    ({ outcome: 'found', image: { ...anImage, ...change }, cache: 'HIT' }) as const;
  const use = { provider: 'alpha', url: 'https://api.example/1' };
  const rateLimit = { limit: 1, remaining: 0, window: hourWindow(0) };
  const payment: Payment = { state: 'charged', units: [], rateLimit };

  it.each<[string, Parameters<typeof asked>, readonly unknown[]]>([
    ['of a key', [hit()], []],
    ['whose use is reported', [hit({ use })], [['use', 'acc_1']]],
    ['without a key', [hit({ use }), { caller: { kind: 'anonymous' } }], [['use', 'anonymous']]],
    ['that was paid before', [hit(), { context: { payment } }], []],
    ['that is new', [undefined], []],
  ])('is what an image %s', async (_, given, told) => expect((await asked(...given)).told).toEqual(told));
});

it('does not know what it has charged where it cannot give it back for the card of an image that is gone', async () => {
  const { ask, stock, limits } = start();
  stock.knows({ ...anImage, fallback: 'gone' });
  limits.failRefunds(new Error('lost'));
  expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'unknown' } });
});
