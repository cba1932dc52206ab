/** `claimForDay` and `endClaim`: an image of a page is paid once a day, whoever views it. */

import { createDeadline } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { makeFreePayment, type Payment } from '../../lambda/quota/payment';
import type { ImageRequest } from '../../lambda/requests/image-request';
import type { RequestContext } from '../../lambda/serving/request-context';
import type { LookupContext } from '../../lambda/stock/search/lookup';
import { createVirtualClock, isSettled } from '../fakes/clock';
import { createFakeLimits } from '../fakes/limits';
import { type Find, servePaidOnce, signer } from '../fakes/paid-once';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeContext, makeStockRequest, noImage, servedImage } from '../fakes/values';

const noon = Date.parse('2026-11-22T12:00:00Z');
const lake = makeStockRequest('lake', { widthPx: 800, heightPx: 600 });

const servedOutcome = { outcome: 'served', image: servedImage, cache: 'HIT' } as const;
const show: Find = async () => servedOutcome;
const refuse: Find = async () => noImage;
const fail: Find = async () => {
  throw new Error('no search');
};
const showCard: Find = async () => ({ ...servedOutcome, image: { ...servedImage, fallback: 'gone' } });

/** Processes on the same tables. */
function createPages(startMs = noon) {
  const clock = createVirtualClock(startMs);
  const telemetry = createRecordedTelemetry();
  const limits = createFakeLimits(clock, telemetry);
  let requests = 0;
  const createInstance = () => {
    const services = { ...limits.createInstance(), clock, freeImages: createExpiringCache<true>(100) };
    const ask = (
      find: Find = show,
      request: ImageRequest = lake,
      change: Partial<RequestContext> = {},
      earlier?: Payment,
    ) => {
      const context = { ...makeContext(signer, clock.nowMs(), { requestId: `r${requests++}` }), ...change };
      return clock.settle(servePaidOnce(services, request, context, find, earlier));
    };
    return { ask, services };
  };
  const readCharged = () => limits.readUsedUnits(makeContext(signer, clock.nowMs()).requestLimits[0]);
  const listMarks = () =>
    [...limits.memory.listItems('quotaCounters')].filter(([pk]) => pk.startsWith('PAID#'));
  const listOutcomes = () =>
    telemetry.counts.flatMap(({ metric, dimensions }) =>
      metric === 'paidImages' ? [dimensions?.['outcome']] : [],
    );
  return { clock, limits, createInstance, readCharged, listMarks, listOutcomes };
}

describe('claimForDay', () => {
  test('an image is charged at its first view of the day, at any size and in any process', async () => {
    const { createInstance, readCharged, listOutcomes } = createPages();
    const [one, other] = [createInstance(), createInstance()];
    expect(await one.ask()).toMatchObject({ outcome: 'served', payment: { state: 'charged' } });
    const free = { outcome: 'served', payment: { state: 'free', freeReason: 'paid-before' } };
    expect(await one.ask(show, { ...lake, widthPx: 320, heightPx: 640 })).toMatchObject(free);
    expect(await other.ask(show, { ...lake, query: 'Lake', asJson: true })).toMatchObject(free);
    expect([await readCharged(), listOutcomes()]).toEqual([1, ['charged', 'free', 'free']]);
  });

  test('an image is charged once by 200 first views at once on four processes', async () => {
    const { createInstance, readCharged } = createPages();
    const processes = [createInstance(), createInstance(), createInstance(), createInstance()];
    const views = Array.from({ length: 200 }, (_, i) => processes[i % 4]?.ask());
    const answers = await Promise.all(views);
    expect(new Set(answers.map((answer) => answer?.outcome))).toEqual(new Set(['served']));
    expect(await readCharged()).toBe(1);
  });

  test('while the charge of a first view hangs, another view waits and is then shown', async () => {
    const { createInstance, limits, listOutcomes } = createPages();
    // The claim is written, the charge is not.
    limits.script.push(undefined, new Promise(() => undefined));
    const first = servePaidOnce(createInstance().services, lake, makeContext(signer, noon), show);
    expect(await isSettled(first)).toBe(false);
    expect(await createInstance().ask()).toMatchObject({ payment: { state: 'free' } });
    expect(listOutcomes()).toEqual(['unknown']);
  });

  test('an image is charged again on the next day', async () => {
    const { createInstance, readCharged, clock } = createPages();
    const { ask } = createInstance();
    await ask();
    await clock.advance(86_400_000);
    await ask();
    expect(await readCharged()).toBe(2);
  });

  test('with a used-up quota, an image that was paid today is still shown', async () => {
    const { createInstance, limits } = createPages();
    const { ask } = createInstance();
    await ask();
    limits.script.push(...Array(2).fill(undefined));
    const [account] = makeContext(signer, noon).requestLimits;
    const usedUp = { requestLimits: [{ ...account, max: 1 }] as const };
    expect(await ask(show, makeStockRequest('sea'), usedUp)).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'quota_exceeded' },
    });
    expect(await ask(show, lake, usedUp)).toMatchObject({ outcome: 'served' });
  });

  test('if the charge was refunded, the next request is charged', async () => {
    for (const find of [refuse, fail]) {
      const { createInstance, readCharged, listMarks } = createPages();
      const { ask } = createInstance();
      await ask(find).catch(() => undefined);
      expect(listMarks()).toEqual([
        [expect.anything(), expect.not.objectContaining({ by: expect.anything() })],
      ]);
      expect(await ask()).toMatchObject({ payment: { state: 'charged' } });
      expect(await readCharged()).toBe(1);
    }
  });

  test('a claim is given up even after the deadline', async () => {
    const { createInstance, listMarks, clock } = createPages();
    const { services } = createInstance();
    const timed = { ...services, deadline: createDeadline(noon + 1_000) };
    await servePaidOnce(timed, lake, makeContext(signer, noon), async () => {
      await clock.advance(1_500);
      return noImage;
    });
    expect(listMarks()).toEqual([
      [expect.anything(), expect.not.objectContaining({ by: expect.anything() })],
    ]);
  });

  test('if the refund failed, the image stays paid for the day', async () => {
    const { createInstance, limits, readCharged, listOutcomes } = createPages();
    const { ask } = createInstance();
    limits.failRefunds(new Error('no table'));
    await ask(refuse);
    limits.failRefunds(undefined);
    expect(await ask()).toMatchObject({ payment: { freeReason: 'paid-before' } });
    expect([await readCharged(), listOutcomes()]).toEqual([1, ['unknown', 'free']]);
  });

  test('the card of a gone image is charged and refunded once an hour at most', async () => {
    const { createInstance, limits, readCharged, clock } = createPages();
    const { ask } = createInstance();
    for (let i = 0; i < 3; i++) expect(await ask(showCard)).toMatchObject({ payment: { state: 'free' } });
    const countUnitsTaken = () =>
      limits.calls.filter(({ operation, key }) => operation === 'take' && key.startsWith('requests')).length;
    expect([countUnitsTaken(), await readCharged()]).toEqual([1, 0]);
    await clock.advance(3_599_000);
    await ask(showCard);
    expect(countUnitsTaken()).toBe(1);
    await clock.advance(1_000);
    await ask(showCard);
    expect(countUnitsTaken()).toBe(2);
  });

  test('a test value is served without a claim', async () => {
    const { createInstance, listMarks, readCharged } = createPages();
    const rateLimit = { limit: 9, remaining: 8, window: makeContext(signer, noon).requestLimits[0].window };
    await createInstance().ask(show, lake, {}, makeFreePayment('test-value', rateLimit));
    expect([listMarks(), await readCharged()]).toEqual([[], 0]);
  });

  test('a charge that could not be refunded pays for the image in place of the missed one', async () => {
    const { createInstance, readCharged, listMarks } = createPages();
    const { ask, services } = createInstance();
    const rateLimit = { limit: 9, remaining: 8, window: makeContext(signer, noon).requestLimits[0].window };
    const payment = { state: 'unknown', units: [], rateLimit } as const;
    const answer = await ask(show, lake, {}, payment);
    expect(answer).toMatchObject({ payment: { state: 'unknown' } });
    const [[key = '', mark] = []] = listMarks();
    expect([listMarks().length, mark]).toMatchObject([1, { paid: true }]);
    expect([await readCharged(), services.freeImages.get(key, noon)]).toEqual([0, true]);
  });

  test('a charge that could not be refunded is kept beside an image that another request has paid', async () => {
    const { createInstance } = createPages();
    const { ask } = createInstance();
    await ask();
    const unrefundedPayment = { state: 'unknown', units: [], rateLimit: undefined } as const;
    expect(await ask(show, lake, {}, unrefundedPayment)).toMatchObject({ payment: unrefundedPayment });
  });

  test('new renditions of an image that was paid today have a separate limit', async () => {
    const { createInstance } = createPages();
    const { ask } = createInstance();
    const owners = new Set<string | undefined>();
    for (const image of [lake, { ...lake, widthPx: 320 }, makeStockRequest('sea')]) {
      await ask(show, image);
      let lookupContext: LookupContext | undefined;
      await ask(async (context) => {
        lookupContext = context;
        return noImage;
      }, image);
      expect(lookupContext?.workLimits).toMatchObject([
        { kind: 'work', max: 60, unitName: 'new renditions of this image' },
      ]);
      expect(lookupContext?.searchTakesUnit).toBe(false);
      owners.add(lookupContext?.workLimits[0]?.owner);
    }
    expect(owners.size).toBe(2);
  });
});
