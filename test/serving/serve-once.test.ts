/** One charge for an image and day: who pays, who waits, and what a crash leaves behind. */

import { monthWindow } from '../../lambda/base/window';
import { defaultPlans } from '../../lambda/contract/plans';
import { paymentPendingMs, renditionReserveMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import { requestLimitsOf } from '../../lambda/quota/caller-limits';
import { accountLimit } from '../../lambda/quota/charge';
import { limitKey } from '../../lambda/quota/limit';
import { type PaidImages, paidImageOf } from '../../lambda/quota/paid-images';
import { FaultAfterCharge, type FreeBecause, type Payment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest, StockRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { createServeOnce } from '../../lambda/serving/serve-once';
import { serveStock } from '../../lambda/stock/serve-stock';
import { aiRequest } from '../fakes/ai';
import { accountId } from '../fakes/branded';
import { createDeferred, isSettled } from '../fakes/deferred';
import { imageServices } from '../fakes/image-services';
import { createFakeLimits } from '../fakes/limits';
import { createFakePaidImages } from '../fakes/paid-images';
import { createRecordedTelemetry, type RecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { anImage, createFakeStock, request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const noon = Date.parse('2026-11-22T12:00:00Z');
const caller: KeyedCaller = {
  kind: 'live',
  account: accountId('acc_1'),
  plan: 'free',
  keyId: 'sg_1',
  publishedAs: 'signer',
};
const lake = request('lake', { widthPx: 800, heightPx: 600 });

const rateLimit = { limit: 1_000, remaining: 999, window: monthWindow(noon) };
const servedFor = (because?: FreeBecause): Answer => ({
  outcome: 'served',
  image: anImage,
  cache: 'HIT',
  payment: because
    ? { state: 'free', because, units: [], rateLimit }
    : { state: 'charged', units: [], rateLimit },
});
const refusedFor = (code: 'upstream_unavailable' | 'content_refused'): Answer => ({
  outcome: 'refused',
  refusal: { code },
  payment: { state: 'free', because: 'no-image', units: [], rateLimit },
});

function start({ startMs = noon, limit = 1_000 } = {}) {
  const clock = createVirtualClock(startMs);
  const paidImages = createFakePaidImages();
  const telemetry = createRecordedTelemetry();
  const counters = createFakeLimits(clock, telemetry);
  const stock = createFakeStock(counters);
  const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: limit } };
  let requests = 0;
  const contextOf = (by: KeyedCaller = caller): RequestContext => {
    const deadlineMs = clock.nowMs() + requestBudgetMs;
    return aContext(by, clock.nowMs(), { plans, requestId: `r${requests++}`, deadlineMs });
  };
  /** What a new instance decides by, with an empty memory. */
  const payOnce = (change: Partial<Parameters<typeof createServeOnce>[0]> = {}) =>
    createServeOnce({ ...counters.instance(), paidImages, clock, telemetry, ...change });
  /** A new instance of the function. */
  const instance = () => {
    const own = counters.instance();
    const parts = {
      serveStock: (request: StockRequest, context: RequestContext) =>
        serveStock({ ...stock, refusals: own.refusals }, request, context),
      payOnce: payOnce({ refusals: own.refusals }),
    };
    const { services } = imageServices(parts, { clock, limits: counters });
    return (change: Partial<StockRequest> = {}, by: KeyedCaller = caller) =>
      serveImage(services, { ...lake, ...change }, by, contextOf(by));
  };
  const spent = () => counters.used(accountLimit(contextOf().requestLimits));
  const paidImage = () => paidImageOf(caller, lake, accountLimit(contextOf().requestLimits), clock.nowMs());
  return { clock, counters, paidImages, stock, telemetry, payOnce, contextOf, instance, spent, paidImage };
}

const outcomesIn = ({ counts }: RecordedTelemetry) =>
  counts.filter(({ metric }) => metric === 'paidImages').map(({ dimensions }) => dimensions);

describe('an image', () => {
  it('is charged at its first view of the day, whatever size and instance the later ones have', async () => {
    const { instance, spent, telemetry } = start();
    const [one, other] = [instance(), instance()];
    expect(await one()).toMatchObject({ outcome: 'served', payment: { rateLimit: { remaining: 999 } } });
    expect(await one({ widthPx: 320, heightPx: 640 })).toMatchObject({
      outcome: 'served',
      payment: { state: 'free' },
    });
    expect(await other({ query: 'Lake', asJson: true })).toMatchObject({
      outcome: 'served',
      payment: { state: 'free' },
    });
    expect(await spent()).toBe(1);
    expect(outcomesIn(telemetry)).toEqual([{ outcome: 'charged' }, { outcome: 'free' }, { outcome: 'free' }]);
  });

  it.each([
    ['other words', { query: 'sea' }],
    ['another seed', { seed: '2' }],
    ['another slot', { provider: 'stock_b' }],
    ['a filter', { filters: { color: 'red' } }],
  ] as const)('of %s is charged apart', async (_, change) => {
    const { instance, spent } = start();
    const ask = instance();
    await ask();
    await ask(change);
    expect(await spent()).toBe(2);
  });

  it('that is gone costs nothing, and its card no more than one look an hour', async () => {
    const { instance, stock, spent, counters, clock } = start();
    stock.knows({ ...anImage, fallback: 'gone' });
    const ask = instance();
    for (let i = 0; i < 3; i++) expect(await ask()).toMatchObject({ payment: { state: 'free' } });
    expect(await spent()).toBe(0);
    const charges = () => counters.calls.filter(({ operation }) => operation === 'take').length;
    const once = charges();
    await ask();
    expect(charges()).toBe(once);
    await clock.advance(3_600_000);
    await ask();
    expect(charges()).toBeGreaterThan(once);
  });

  it('is charged to each account apart, and to test keys in their hour', async () => {
    const { instance, counters } = start();
    const ask = instance();
    await ask();
    await ask({}, { ...caller, account: accountId('acc_2') });
    await ask({}, { ...caller, kind: 'test' });
    await ask({}, { ...caller, kind: 'test' });
    const charged = counters.calls
      .filter(({ operation, key }) => operation === 'take' && key.startsWith('requests#'))
      .map((call) => call.key);
    expect(charged).toEqual([
      'requests#live#acc_1#2026-11',
      'requests#live#acc_2#2026-11',
      'requests#test#acc_1#2026-11-22T12',
    ]);
  });

  it('costs no call at all once this instance knows that it is paid', async () => {
    const { instance, counters, paidImages, stock } = start();
    const ask = instance();
    await ask();
    stock.knows(anImage);
    const before = [counters.calls.length, paidImages.calls.length];
    for (let i = 0; i < 50; i++) expect(await ask()).toMatchObject({ outcome: 'served', cache: 'HIT' });
    expect([counters.calls.length, paidImages.calls.length]).toEqual(before);
  });

  it('costs another instance one read once', async () => {
    const { instance, counters, paidImages, stock } = start();
    await instance()();
    stock.knows(anImage);
    const before = [counters.calls.length, paidImages.calls.length] as const;
    const ask = instance();
    for (let i = 0; i < 5; i++) await ask();
    expect(counters.calls.slice(before[0])).toEqual([]);
    expect(paidImages.calls.slice(before[1])).toEqual(['read']);
  });

  it('is made in 60 further sizes and formats an hour for its unit, then refused until the next', async () => {
    const { instance, clock, spent } = start();
    await instance()();
    for (let px = 1; px <= 60; px++)
      expect(await instance()({ widthPx: 200 + px })).toMatchObject({ payment: { state: 'free' } });
    expect(await instance()({ widthPx: 300 + 60 })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'rate_limited', of: 'work', counts: 'new renditions of this image' },
    });
    // Another image of the same key has its own.
    expect(await instance()({ query: 'sea', widthPx: 400 })).toMatchObject({ outcome: 'served' });
    expect(await spent()).toBe(2);
    await clock.advance(3_600_000);
    expect(await instance()({ widthPx: 400 })).toMatchObject({ outcome: 'served' });
  });

  it('is the same for seed=1 and none, and for onmiss=ai where a stock image fits', async () => {
    const { instance, spent } = start();
    await instance()();
    expect(await instance()({ seed: '1' })).toMatchObject({ payment: { because: 'paid-before' } });
    const filters = { onmiss: 'ai' } as const;
    expect(await instance()({ filters })).toMatchObject({ payment: { because: 'paid-before' } });
    expect(await instance()({ seed: '2' })).toMatchObject({ payment: { state: 'charged' } });
    expect(await spent()).toBe(2);
  });

  it('is charged again after midnight UTC, and not before', async () => {
    const { instance, spent, clock } = start({ startMs: Date.parse('2026-11-22T23:59:58Z') });
    const ask = instance();
    await ask();
    await clock.advance(1_999);
    await ask();
    expect(await spent()).toBe(1);
    await clock.advance(1);
    await ask();
    await ask();
    expect(await spent()).toBe(2);
  });

  it('is charged once by 200 parallel first views on four instances', async () => {
    const { instance, spent, clock, stock } = start();
    stock.finds(async () => {
      await clock.sleep(1_500);
      return { outcome: 'found', image: anImage, cache: 'MISS' };
    });
    const instances = [instance(), instance(), instance(), instance()];
    const views = Array.from({ length: 200 }, (_, i) =>
      (instances[i % 4] as (typeof instances)[number])({ widthPx: 100 + (i % 50) }),
    );
    const answers = await clock.settle(Promise.all(views));
    expect(answers.filter(({ outcome }) => outcome === 'served')).toHaveLength(200);
    expect(
      answers.filter((answer) => answer.outcome === 'served' && answer.payment.state !== 'free'),
    ).toHaveLength(1);
    expect(await spent()).toBe(1);
  });
});

describe('what pays for one view', () => {
  it.each<[string, Answer, boolean]>([
    ['a charge', servedFor(), true],
    ['the card of an image that is gone', servedFor('no-image'), true],
    ['an alternative, which is free', servedFor('alternative'), false],
    ['a refusal', refusedFor('content_refused'), false],
    ['an outage', refusedFor('upstream_unavailable'), false],
  ])('pays for the next one where it is %s: %#', async (_, answer, isPaid) => {
    const { payOnce, contextOf } = start();
    const once = payOnce()(caller);
    const payments: (Payment | undefined)[] = [];
    const view = () =>
      once(lake, contextOf(), async ({ payment }) => {
        payments.push(payment);
        return answer;
      });
    expect(await view()).toEqual(answer);
    await view();
    expect(payments.map((payment) => payment?.state)).toEqual([undefined, isPaid ? 'free' : undefined]);
  });

  it.each<[keyof PaidImages, Answer | Error]>([
    ['settle', servedFor()],
    ['settle', new FaultAfterCharge({ state: 'unknown', units: [], rateLimit }, undefined)],
    ['release', refusedFor('content_refused')],
    ['release', new FaultAfterCharge({ state: 'refunded', units: [], rateLimit }, undefined)],
  ])('is answered after %s, as the function is frozen then: %#', async (call, ending) => {
    const { payOnce, contextOf, paidImages } = start();
    const { promise, resolve } = createDeferred<void>();
    const once = payOnce({ paidImages: { ...paidImages, [call]: () => promise } });
    const answering = once(caller)(lake, contextOf(), async () => {
      if (ending instanceof Error) throw ending;
      return ending;
    }).catch(() => undefined);
    expect(await isSettled(answering)).toBe(false);
    resolve();
    await answering;
  });
});

describe('views on one instance', () => {
  it.each<['no_image_found' | 'upstream_unavailable', number]>([
    ['no_image_found', 1],
    ['upstream_unavailable', 3],
  ])('that meet %s make %i searches together', async (code, searches) => {
    const { payOnce, contextOf, clock } = start();
    const once = payOnce()(caller);
    let served = 0;
    const view = () =>
      once(lake, contextOf(), async () => {
        served += 1;
        await clock.sleep(10);
        return { outcome: 'refused', refusal: { code } };
      });
    const answers = await clock.settle(Promise.all([view(), view(), view()]));
    expect(answers).toEqual(Array(3).fill({ outcome: 'refused', refusal: { code } }));
    expect(served).toBe(searches);
  });

  it.each<[ImageRequest, string]>([
    [lake, 'upstream_unavailable'],
    [{ ...aiRequest, query: 'lake' }, 'generation_in_progress'],
  ])('wait for the one that pays no longer than they may: %#', async (request, code) => {
    const { payOnce, contextOf, clock } = start();
    const once = payOnce()(caller);
    const never = createDeferred<Answer>();
    const first = once(request, contextOf(), () => never.promise);
    const second = once(request, contextOf(), () => never.promise);
    const answer = await clock.settle(second);
    expect(answer).toMatchObject({ outcome: 'refused', refusal: { code, retryAfterS: 5 } });
    expect(clock.nowMs() - noon).toBe(requestBudgetMs - renditionReserveMs);
    never.resolve(servedFor());
    await first;
  });
});

describe('a credential whose own limit is used up', () => {
  it('costs one read for each further image', async () => {
    const { instance, counters, paidImages } = start();
    const ask = instance();
    const bounded = { ...caller, maxPerMonth: 1 };
    await ask({}, bounded);
    await ask({ query: 'sea' }, bounded);
    const before = [counters.calls.length, paidImages.calls.length] as const;
    expect(await ask({ query: 'sea' }, bounded)).toMatchObject({
      refusal: { counts: 'requests of this key' },
    });
    expect([counters.calls.length, paidImages.calls.slice(before[1])]).toEqual([before[0], ['read']]);
  });
});

describe('an exhausted quota', () => {
  it('refuses new images and goes on to show those that were paid today', async () => {
    const { instance, spent } = start({ limit: 1 });
    const ask = instance();
    await ask();
    expect(await ask({ query: 'sea' })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'quota_exceeded' },
    });
    expect(await ask()).toMatchObject({ outcome: 'served' });
    expect(await instance()()).toMatchObject({ outcome: 'served' });
    expect(await spent()).toBe(1);
  });

  it('costs one read once its refusal is known', async () => {
    const { instance, counters, paidImages } = start({ limit: 1 });
    const ask = instance();
    await ask();
    await ask({ query: 'sea' });
    const before = [counters.calls.length, paidImages.calls.length] as const;
    expect(await ask({ query: 'sea' })).toMatchObject({ refusal: { code: 'quota_exceeded' } });
    expect(counters.calls.length).toBe(before[0]);
    expect(paidImages.calls.slice(before[1])).toEqual(['read']);
  });

  it('refuses all 50 parallel views of a new image', async () => {
    const { instance, clock, spent, paidImages, paidImage } = start({ limit: 1 });
    await instance()({ query: 'sea' });
    const ask = instance();
    const answers = await clock.settle(Promise.all(Array.from({ length: 50 }, () => ask())));
    expect(answers.filter(({ outcome }) => outcome === 'refused')).toHaveLength(50);
    expect(await spent()).toBe(1);
    expect(paidImages.markOf(paidImage().key)).toEqual({ state: 'absent' });
  });
});

describe('no image', () => {
  it('is no charge, and the next view may pay', async () => {
    const { instance, stock, spent } = start();
    const ask = instance();
    stock.finds({ outcome: 'none' });
    expect(await ask()).toMatchObject({ refusal: { code: 'no_image_found' } });
    expect(await spent()).toBe(0);
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    expect(await ask()).toMatchObject({ outcome: 'served' });
    expect(await spent()).toBe(1);
  });

  it('after a lookup that failed is no charge either', async () => {
    const { instance, stock, spent, paidImages, paidImage } = start();
    stock.finds(new Error('no such table'));
    await expect(instance()()).rejects.toThrow('A request failed after it was charged');
    expect(await spent()).toBe(0);
    expect(paidImages.markOf(paidImage().key)).toEqual({ state: 'absent' });
  });

  it('that could not be refunded pays for the next view', async () => {
    const { instance, stock, counters, spent, telemetry } = start();
    const ask = instance();
    stock.finds({ outcome: 'none' });
    counters.failRefunds(new Error('lost'));
    expect(await ask()).toMatchObject({ outcome: 'refused', payment: { state: 'unknown' } });
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(await spent()).toBe(1);
    expect(outcomesIn(telemetry)).toContainEqual({ outcome: 'unknown' });
  });

  it('that came from a lookup which failed, and could not be refunded, pays for the next view', async () => {
    const { instance, stock, counters, spent, telemetry } = start();
    const ask = instance();
    stock.finds(new Error('no such table'));
    counters.failRefunds(new Error('lost'));
    await expect(ask()).rejects.toThrow();
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(await spent()).toBe(1);
    expect(outcomesIn(telemetry)).toEqual([{ outcome: 'unknown' }, { outcome: 'free' }]);
  });
});

describe('an unknown outcome', () => {
  it('of a request that failed without saying what it has charged is never charged again', async () => {
    const { payOnce, contextOf, instance, spent } = start();
    const failing = payOnce()(caller)(lake, contextOf(), () => Promise.reject(new Error('no answer')));
    await expect(failing).rejects.toThrow('no answer');
    expect(await instance()()).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(await spent()).toBe(0);
  });

  it('of the charge is never charged again', async () => {
    const { instance, counters, spent } = start();
    const ask = instance();
    counters.script.push('unknown');
    expect(await ask()).toMatchObject({ outcome: 'served' });
    expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(await spent()).toBe(0);
  });

  it('of the charge, where no image is found, is never charged again', async () => {
    const { instance, counters, stock } = start();
    const ask = instance();
    counters.script.push('unknown');
    stock.finds({ outcome: 'none' });
    expect(await ask()).toMatchObject({ outcome: 'refused', payment: { state: 'unknown' } });
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
  });

  it('of the mark leaves an image that is served and counts as paid for others in the end', async () => {
    const { instance, paidImages, clock, spent, telemetry } = start();
    paidImages.fail('settle');
    expect(await instance()()).toMatchObject({ outcome: 'served' });
    expect(telemetry.errors.map(({ message }) => message)).toEqual(['A paid image was not marked']);
    paidImages.fail();
    const view = instance()();
    expect(await clock.settle(view)).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(clock.nowMs() - noon).toBeGreaterThanOrEqual(paymentPendingMs);
    expect(await spent()).toBe(1);
    expect(outcomesIn(telemetry)).toContainEqual({ outcome: 'unknown' });
  });

  it('of a release gives the image away once, and charges nothing', async () => {
    const { instance, paidImages, stock, clock, spent, telemetry } = start();
    stock.finds({ outcome: 'none' });
    paidImages.fail('release');
    await instance()();
    expect(telemetry.errors.map(({ message }) => message)).toEqual(['A pending payment was not released']);
    paidImages.fail();
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    expect(await clock.settle(instance()())).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(await spent()).toBe(0);
  });

  it('of the beginning charges nothing', async () => {
    const { instance, paidImages, counters } = start();
    paidImages.fail('begin');
    await expect(instance()()).rejects.toThrow('did not answer begin');
    expect(counters.calls).toEqual([]);
  });
});

describe('a request that meets a pending payment', () => {
  it('waits, and takes over none of it while its holder may still end it', async () => {
    const { instance, clock, stock, spent } = start();
    stock.finds(async () => {
      await clock.sleep(5_000);
      return { outcome: 'none' };
    });
    const first = instance()();
    await clock.advance(100);
    stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
    const second = instance()();
    expect(await clock.settle(second)).toMatchObject({ outcome: 'served' });
    expect(await first).toMatchObject({ refusal: { code: 'no_image_found' } });
    expect(clock.nowMs() - noon).toBeGreaterThanOrEqual(5_000);
    expect(await spent()).toBe(1);
  });

  it('takes the image as paid when its holder has crashed, and counts that', async () => {
    const { instance, clock, paidImages, paidImage, spent, telemetry } = start();
    await paidImages.begin(paidImage(), 'crashed', noon + paymentPendingMs);
    expect(await clock.settle(instance()())).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(clock.nowMs()).toBeGreaterThanOrEqual(noon + paymentPendingMs);
    expect(await spent()).toBe(0);
    expect(outcomesIn(telemetry)).toEqual([{ outcome: 'unknown' }, { outcome: 'free' }]);
  });

  it('takes it for abandoned by a clock ahead, and its holder, then refused, is served what is paid', async () => {
    const { instance, paidImages, paidImage, stock, spent } = start();
    stock.finds(async () => {
      await paidImages.settle(paidImage(), 'r0');
      stock.finds({ outcome: 'found', image: anImage, cache: 'MISS' });
      return { outcome: 'none' };
    });
    expect(await instance()()).toMatchObject({
      outcome: 'served',
      payment: { state: 'free', because: 'paid-before' },
    });
    expect(await spent()).toBe(0);
  });

  it('waits for the next holder too, where the first one lets go of it', async () => {
    const { instance, clock, paidImages, paidImage } = start();
    const image = paidImage();
    await paidImages.begin(image, 'a', noon + paymentPendingMs);
    const view = instance()();
    await clock.advance(10);
    await paidImages.release(image, 'a');
    await paidImages.begin(image, 'b', noon + paymentPendingMs);
    await clock.advance(1_000);
    await paidImages.settle(image, 'b');
    expect(await clock.settle(view)).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
    expect(clock.nowMs()).toBeLessThan(noon + 2_000);
  });

  it('ends when it can wait no longer, with an error that may be retried', async () => {
    const { instance, clock, paidImages, paidImage } = start();
    await paidImages.begin(paidImage(), 'slow clock', noon + 10 * paymentPendingMs);
    expect(await clock.settle(instance()())).toEqual({
      outcome: 'refused',
      refusal: { code: 'upstream_unavailable', retryAfterS: 5 },
    });
    expect(clock.nowMs() - noon).toBe(requestBudgetMs - renditionReserveMs);
  });

  it('keeps looking when a look fails', async () => {
    const { instance, clock, paidImages, paidImage } = start();
    await paidImages.begin(paidImage(), 'a', noon + paymentPendingMs);
    const view = instance()();
    await clock.advance(10);
    paidImages.fail('read');
    await clock.advance(1_000);
    paidImages.fail();
    await paidImages.settle(paidImage(), 'a');
    expect(await clock.settle(view)).toMatchObject({ outcome: 'served', payment: { state: 'free' } });
  });
});

it('a month that ends while a request runs is charged for its own day', () => {
  const endMs = Date.UTC(2026, 11, 1);
  const quota = accountLimit(requestLimitsOf(caller, '', defaultPlans, endMs - 1));
  expect(limitKey(quota)).toBe('requests#live#acc_1#2026-11');
  expect(paidImageOf(caller, lake, quota, endMs + 50).key).toMatch(/#2026-11-30$/);
});
