/** What pays for an image that a page shows, as its account and its visitors see it. */

import { deadlineAt } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import type { UnpaidAnswer } from '../../lambda/images/answer';
import type { Answer } from '../../lambda/quota/answer';
import type { ClaimServices } from '../../lambda/quota/claim';
import { payForImage, readStatus, refundUnlessServed } from '../../lambda/quota/pay';
import { freePayment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { createVirtualClock } from '../fakes/clock';
import { createFakeLimits } from '../fakes/limits';
import { servePaidOnce, signer } from '../fakes/paid-once';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { aContext, anImage, noImage, request } from '../fakes/values';

const noon = Date.parse('2026-11-22T12:00:00Z');
const lake = request('lake', { widthPx: 800, heightPx: 600 });

/** Serves an image in one way, with the services of a process. */
type Serve = (services: ClaimServices, context: RequestContext) => Promise<Answer>;

/** Pays, and gives the unit back if there is no image. */
const serveBy =
  (find: () => Promise<UnpaidAnswer>): Serve =>
  async (services, context) => {
    const admission = await payForImage(services, context);
    if (admission.outcome === 'refused') return admission;
    return refundUnlessServed(services, admission.payment, find());
  };
const found = { outcome: 'served', image: anImage, cache: 'HIT' } as const;
const show = serveBy(async () => found);
const refuse = serveBy(async () => noImage);
const fail = serveBy(async () => {
  throw new Error('no search');
});
const showCard = serveBy(async () => ({ ...found, image: { ...anImage, fallback: 'gone' } }));

/** Processes on the same tables. */
function startPages(startMs = noon) {
  const clock = createVirtualClock(startMs);
  const telemetry = createRecordedTelemetry();
  const limits = createFakeLimits(clock, telemetry);
  let requests = 0;
  const instance = () => {
    const services = { ...limits.instance(), clock, paidToday: createExpiringCache<true>(100) };
    const ask = (serve: Serve = show, of: ImageRequest = lake, change: Partial<RequestContext> = {}) => {
      const context = { ...aContext(signer, clock.nowMs(), { requestId: `r${requests++}` }), ...change };
      return clock.settle(servePaidOnce(services, of, context, (given) => serve(services, given)));
    };
    return { ask, services };
  };
  const spent = () => limits.used(aContext(signer, clock.nowMs()).requestLimits[0]);
  const marks = () => [...limits.memory.items('quotaCounters')].filter(([pk]) => pk.startsWith('PAID#'));
  const outcomes = () =>
    telemetry.counts.flatMap(({ metric, dimensions }) =>
      metric === 'paidImages' ? [dimensions?.['outcome']] : [],
    );
  return { clock, limits, instance, spent, marks, outcomes };
}

describe('images of pages', () => {
  it('an image is charged at its first view of the day, at any size and in any process', async () => {
    const { instance, spent, outcomes } = startPages();
    const [one, other] = [instance(), instance()];
    expect(await one.ask()).toMatchObject({ outcome: 'served', payment: { state: 'charged' } });
    const free = { outcome: 'served', payment: { state: 'free', freeReason: 'paid-before' } };
    expect(await one.ask(show, { ...lake, widthPx: 320, heightPx: 640 })).toMatchObject(free);
    expect(await other.ask(show, { ...lake, query: 'Lake', asJson: true })).toMatchObject(free);
    expect([await spent(), outcomes()]).toEqual([1, ['charged', 'free', 'free']]);
  });

  it('an image is charged once by 200 first views at once on four processes', async () => {
    const { instance, spent } = startPages();
    const processes = [instance(), instance(), instance(), instance()];
    const views = Array.from({ length: 200 }, (_, i) => processes[i % 4]?.ask());
    const answers = await Promise.all(views);
    expect(new Set(answers.map((answer) => answer?.outcome))).toEqual(new Set(['served']));
    expect(await spent()).toBe(1);
  });

  it('an image is charged again on the next day', async () => {
    const { instance, spent, clock } = startPages();
    const { ask } = instance();
    await ask();
    await clock.advance(86_400_000);
    await ask();
    expect(await spent()).toBe(2);
  });

  it('an image is shown with a used-up quota once it is paid today, and a new one is not', async () => {
    const { instance, limits } = startPages();
    const { ask } = instance();
    await ask();
    limits.script.push(...Array(2).fill(undefined));
    const [account] = aContext(signer, noon).requestLimits;
    const usedUp = { requestLimits: [{ ...account, max: 1 }] as const };
    expect(await ask(show, request('sea'), usedUp)).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'quota_exceeded' },
    });
    expect(await ask(show, lake, usedUp)).toMatchObject({ outcome: 'served' });
  });

  it('an image is charged to the next request where nothing stays charged', async () => {
    for (const serve of [refuse, fail]) {
      const { instance, spent, marks } = startPages();
      const { ask } = instance();
      await ask(serve).catch(() => undefined);
      expect(marks()).toEqual([[expect.anything(), expect.not.objectContaining({ by: expect.anything() })]]);
      expect(await ask()).toMatchObject({ payment: { state: 'charged' } });
      expect(await spent()).toBe(1);
    }
  });

  it('a claim is given up even after the deadline', async () => {
    const { instance, marks, clock } = startPages();
    const { services } = instance();
    const timed = { ...services, deadline: deadlineAt(noon + 1_000) };
    const late = serveBy(async () => {
      await clock.advance(1_500);
      return noImage;
    });
    await servePaidOnce(timed, lake, aContext(signer, noon), (given) => late(timed, given));
    expect(marks()).toEqual([[expect.anything(), expect.not.objectContaining({ by: expect.anything() })]]);
  });

  it('an image stays paid where its refund failed, and is free from then on', async () => {
    const { instance, limits, spent, outcomes } = startPages();
    const { ask } = instance();
    limits.failRefunds(new Error('no table'));
    await ask(refuse);
    limits.failRefunds(undefined);
    expect(await ask()).toMatchObject({ payment: { freeReason: 'paid-before' } });
    expect([await spent(), outcomes()]).toEqual([1, ['unknown', 'free']]);
  });

  it('the card of a gone image is charged and refunded once an hour at most', async () => {
    const { instance, limits, spent, clock } = startPages();
    const { ask } = instance();
    for (let i = 0; i < 3; i++) expect(await ask(showCard)).toMatchObject({ payment: { state: 'free' } });
    const unitsTaken = () =>
      limits.calls.filter(({ operation, key }) => operation === 'take' && key.startsWith('requests')).length;
    expect([unitsTaken(), await spent()]).toEqual([1, 0]);
    await clock.advance(3_599_000);
    await ask(showCard);
    expect(unitsTaken()).toBe(1);
    await clock.advance(1_000);
    await ask(showCard);
    expect(unitsTaken()).toBe(2);
  });

  it.each(['variation', 'test-value'] as const)(
    'an image is claimed by nobody when it is free as a %s',
    async (freeReason) => {
      const { instance, marks, spent } = startPages();
      await instance().ask(async (services, context) => {
        const payment = freePayment(freeReason, await readStatus(services, context));
        return { outcome: 'served', image: anImage, cache: 'HIT', payment };
      });
      expect(marks()).toEqual([[expect.anything(), expect.not.objectContaining({ by: expect.anything() })]]);
      expect(await spent()).toBe(0);
    },
  );

  it('a charge that could not be refunded pays for the image in place of the missed one', async () => {
    const { instance, spent, marks } = startPages();
    const { ask, services } = instance();
    const rateLimit = { limit: 9, remaining: 8, window: aContext(signer, noon).requestLimits[0].window };
    const payment = { state: 'unknown', units: [], rateLimit } as const;
    const answer = await ask(show, lake, { settledPayment: payment });
    expect(answer).toMatchObject({ payment: { state: 'unknown' } });
    expect(marks()).toEqual([[expect.anything(), expect.objectContaining({ paid: true })]]);
    expect([await spent(), services.paidToday.get(marks()[0]?.[0] ?? '', noon)]).toEqual([0, true]);
  });

  it('an image that is paid today counts new renditions in a limit of its own', async () => {
    const { instance } = startPages();
    const { ask } = instance();
    const owners = new Set<string | undefined>();
    for (const image of [lake, { ...lake, widthPx: 320 }, request('sea')]) {
      await ask(show, image);
      let given: RequestContext | undefined;
      await ask(async (_, context) => {
        given = context;
        return { outcome: 'refused', refusal: { code: 'no_image_found' } };
      }, image);
      expect(given?.workLimits).toMatchObject([
        { kind: 'work', max: 60, counts: 'new renditions of this image' },
      ]);
      expect(given?.settledPayment).toMatchObject({ state: 'free', freeReason: 'paid-before' });
      owners.add(given?.workLimits[0]?.owner);
    }
    expect(owners.size).toBe(2);
  });

  it('an image is refused without a claim when it is known to be beyond the quota', async () => {
    const { instance, marks } = startPages();
    const { ask } = instance();
    const [account] = aContext(signer, noon).requestLimits;
    const usedUp = { requestLimits: [{ ...account, max: 0 }] as const };
    await ask(show, lake, usedUp);
    expect(await ask(show, request('sea'), usedUp)).toMatchObject({ refusal: { isRemembered: true } });
    expect(marks()).toHaveLength(1);
  });
});
