/** `chargeAndServe` with a stock request: its charge, and its refund when no image is found. */

import { computeHourWindow } from '../../lambda/base/window';
import type { Caller } from '../../lambda/credentials/caller';
import type { BatchMember } from '../../lambda/images/batch-member';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import { serviceUnavailable } from '../../lambda/problems/problem';
import type { Limit } from '../../lambda/quota/limit';
import { ErrorAfterCharge } from '../../lambda/quota/payment';
import { takeUnits } from '../../lambda/quota/take';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { Answer } from '../../lambda/serving/answer';
import { chargeAndServe } from '../../lambda/serving/charge-and-serve';
import type { RequestContext } from '../../lambda/serving/request-context';
import { createDeferred, createVirtualClock, isSettled, letOthersRun } from '../fakes/clock';
import { createScriptedServices, type ScriptedImages } from '../fakes/image-services';
import { createFakeLimits } from '../fakes/limits';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeAccountId, makeContext, makeStockRequest, noImage, servedImage } from '../fakes/values';

const lake = makeStockRequest('lake');
const anonymous: Caller = { kind: 'anonymous' };

function createStockSide(scripted: Partial<ScriptedImages> = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const limits = createFakeLimits(clock, telemetry);
  const { services } = limits;
  const { services: images, stock } = createScriptedServices(scripted, {
    clock: services.clock,
    telemetry,
    limits,
  });
  const serve = (
    request: StockRequest,
    context: RequestContext,
    caller: Caller = anonymous,
    batchMember?: BatchMember,
  ) => chargeAndServe(images, { request, caller, context, ...(batchMember && { batchMember }) });
  const quota: Limit = {
    kind: 'requests',
    owner: 'ip#a',
    max: 10,
    window: computeHourWindow(clock.nowMs()),
    unitName: 'requests',
  };
  const makeAskContext = (requestId = 'r') =>
    makeContext(anonymous, Date.now(), {
      requestLimits: [quota],
      requestId,
      format: 'jpeg',
      workLimits: [],
    });
  let n = 0;
  /** Sends a request whose charge is answered when the test lets it. */
  const askAndCharge = () => {
    const charging = createDeferred<void>();
    limits.script.push(charging.promise);
    return { charging, answer: serve(lake, makeAskContext()) };
  };
  const ask = (): Promise<Answer> => serve(lake, makeAskContext(`r${n++}`));
  const countRefunds = () => limits.calls.filter(({ operation }) => operation === 'giveBackUnits').length;
  return { limits, services, telemetry, serve, stock, quota, ask, askAndCharge, countRefunds };
}

test('a stock request for a known image is charged without a search', async () => {
  const { ask, stock, limits } = createStockSide();
  stock.setStoredAnswer(servedImage);
  expect(await ask()).toMatchObject({
    outcome: 'served',
    cache: 'HIT',
    image: servedImage,
    payment: { state: 'charged', rateLimit: { remaining: 9 } },
  });
  expect(stock.calls).toEqual(['read stored answer']);
  expect(limits.calls.map(({ operation }) => operation)).toEqual(['take']);
});

test('a stock request gives its unit back when it serves the card of a gone image', async () => {
  const { ask, stock, limits, quota } = createStockSide();
  stock.setStoredAnswer({ ...servedImage, fallback: 'gone' });
  expect(await ask()).toMatchObject({
    outcome: 'served',
    payment: { state: 'free', freeReason: 'no-image', rateLimit: { remaining: 10 } },
  });
  expect(await limits.readUsedUnits(quota)).toBe(0);
});

test('a stock request searches no provider before the charge has succeeded', async () => {
  const { stock, askAndCharge, quota, limits } = createStockSide();
  for (let i = 0; i < 10; i++) await takeUnits(limits.services, [quota], `${i}`);
  const { charging, answer } = askAndCharge();
  await letOthersRun();
  charging.resolve();
  expect(await answer).toMatchObject({ outcome: 'refused', refusal: { code: 'rate_limited' } });
  expect(stock.calls).toEqual(['read stored answer']);
});

test('a stock request is refused without a search when the window of its caller is used up', async () => {
  const { ask, stock, countRefunds } = createStockSide();
  stock.setStoredAnswer(servedImage);
  for (let i = 0; i < 10; i++) await ask();
  expect(await ask()).toMatchObject({
    outcome: 'refused',
    refusal: { code: 'rate_limited', rateLimit: { limit: 10, remaining: 0 } },
  });
  // The refusal is remembered: the next request reads nothing.
  await ask();
  expect(stock.calls).toEqual(Array(11).fill('read stored answer'));
  expect(countRefunds()).toBe(0);
});

test('after a stored answer has ended, the rendition of its image takes no second unit of work', async () => {
  const { stock, ask } = createStockSide();
  stock.setStoredAnswer({ ...servedImage, pick: 'the-pick' }, 0);
  const recentPicks: unknown[] = [];
  stock.setSearchResult(async ({ recentPick }) => {
    recentPicks.push(recentPick);
    return noImage;
  });
  await ask();
  expect(recentPicks).toEqual(['the-pick']);
});

test.each<[string, ImageOutcome, object]>([
  ['finds no image', noImage, { code: 'no_image_found' }],
  ['meets an outage', { outcome: 'refused', refusal: serviceUnavailable }, serviceUnavailable],
])('a stock request that %s is refunded', async (_, end, refusal) => {
  const { ask, stock, countRefunds, limits, quota } = createStockSide();
  stock.setSearchResult(end);
  expect(await ask()).toMatchObject({
    outcome: 'refused',
    refusal,
    payment: { state: 'refunded', rateLimit: { remaining: 10 } },
  });
  expect(countRefunds()).toBe(1);
  expect(await limits.readUsedUnits(quota)).toBe(0);
});

test('when a charged stock request fails, it is refunded', async () => {
  const { ask, stock, countRefunds } = createStockSide();
  stock.setSearchResult(new Error('the table burns'));
  const fault = await ask().catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(ErrorAfterCharge);
  expect(fault).toMatchObject({
    payment: { state: 'refunded', rateLimit: { limit: 10, remaining: 10 } },
    cause: { message: 'the table burns' },
  });
  expect(countRefunds()).toBe(1);
});

test.each([
  ['without an image', noImage, 'refused'],
  ['with an image', { outcome: 'served', image: servedImage, cache: 'HIT' } as const, 'served'],
  ['that fails', new Error('broken'), undefined],
])(
  'when the answer to its charge is lost, a stock request %s gives nothing back',
  async (_, answer, outcome) => {
    const { ask, stock, limits, countRefunds } = createStockSide();
    limits.script.push('unknown');
    stock.setSearchResult(answer);
    expect((await ask().catch(() => undefined))?.outcome).toBe(outcome);
    expect(countRefunds()).toBe(0);
  },
);

test('a stock request keeps its answer and its rate limit status when its refund fails', async () => {
  const { ask, stock, limits, telemetry } = createStockSide();
  stock.setSearchResult(noImage);
  limits.failRefunds(new Error('lost'));
  expect(await ask()).toMatchObject({
    refusal: { code: 'no_image_found' },
    payment: { state: 'unknown', rateLimit: { remaining: 9 } },
  });
  expect(telemetry.countRecorded('refundFailed')).toBe(1);
});

test('a stock request fails without a charge or a search when it cannot be charged', async () => {
  const { ask, stock, limits, countRefunds } = createStockSide();
  limits.script.push(new Error('no such table'));
  await expect(ask()).rejects.toThrow('no such table');
  expect(stock.calls).toEqual(['read stored answer']);
  expect(countRefunds()).toBe(0);
});

test.each([
  ['acc_1', { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'k' }],
  ['anonymous', { kind: 'anonymous' }],
] as const)(
  'the use of a known image is reported for %s before its request is answered',
  async (owner, caller) => {
    const noting = createDeferred<void>();
    const reportingOwners: string[] = [];
    const reportFirstUseOfDay = async (_: object, owner: string) => {
      reportingOwners.push(owner);
      await noting.promise;
    };
    const { serve, stock } = createStockSide({ reportFirstUseOfDay });
    stock.setStoredAnswer(servedImage);
    await serve(lake, makeContext(caller, Date.now()), caller);
    expect(reportingOwners).toEqual([]);
    stock.setStoredAnswer({ ...servedImage, use: { provider: 'unsplash', url: 'https://api.example/1' } });
    const answering = serve(lake, makeContext(caller, Date.now()), caller);
    expect([await isSettled(answering), reportingOwners]).toEqual([false, [owner]]);
    noting.resolve();
    expect(await answering).toMatchObject({ outcome: 'served', cache: 'HIT' });
  },
);

test('if the refund of the card of a gone image fails, its payment is unknown', async () => {
  const { ask, stock, limits } = createStockSide();
  stock.setStoredAnswer({ ...servedImage, fallback: 'gone' });
  limits.failRefunds(new Error('lost'));
  expect(await ask()).toMatchObject({ outcome: 'served', payment: { state: 'unknown' } });
});
