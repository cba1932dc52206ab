/** Limits, the charge and the refund on real conditional writes. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { computeHourWindow, computeMonthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import { computeCounterExpiryS, type Limit, makeCounterKey } from '../../lambda/quota/limit';
import { moveUnits } from '../../lambda/quota/move-units';
import { chargeImage, refundPayment } from '../../lambda/quota/pay';
import type { Payment } from '../../lambda/quota/payment';
import {
  findRememberedLimit,
  giveBackUnits,
  type LimitServices,
  readUsedUnits,
  takeUnits,
} from '../../lambda/quota/take';
import { createVirtualClock } from '../fakes/clock';
import { createFaultyDatabase, type Fault, startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { makeLostAnswer } from '../fakes/memory-database';
import { createServicesOn } from '../fakes/services';

const clock = createVirtualClock();
const makeLimit = (owner: string, max: number, changes: Partial<Limit> = {}): Limit => ({
  kind: 'requests',
  owner,
  max,
  window: computeHourWindow(clock.nowMs()),
  unitName: 'requests',
  ...changes,
});

const makeRefusedCall = () => Object.assign(new Error('no table'), { $metadata: { httpStatusCode: 400 } });

const engine = startFixture(startEngine);

/** Another process on the same tables. */
const createProcess = (fault?: Fault): LimitServices =>
  createServicesOn(fault ? { ...engine, database: createFaultyDatabase(engine, fault) } : engine, { clock });

describe('takeUnits', () => {
  test('one unit of each limit is taken, or none if one limit is used up', async () => {
    const services = createProcess();
    const [narrow, wide] = [makeLimit('narrow', 1), makeLimit('wide', 10)];
    expect(await takeUnits(services, [wide, narrow], 'r1')).toMatchObject({ outcome: 'taken', used: 1 });
    expect(await takeUnits(createProcess(), [wide, narrow], 'r2')).toMatchObject({
      outcome: 'refused',
      limit: narrow,
    });
    expect(await readUsedUnits(services, wide)).toBe(1);
    expect(await readUsedUnits(services, narrow)).toBe(1);
  });

  test('concurrent requests never take more than the maximum', async () => {
    const limit = makeLimit('burst', 50);
    const takes = await Promise.all(
      Array.from({ length: 80 }, (_, i) => takeUnits(createProcess(), [limit], `r${i}`)),
    );
    expect(takes.filter(({ outcome }) => outcome === 'taken')).toHaveLength(50);
    expect(await readUsedUnits(createProcess(), limit)).toBe(50);
  });

  test('a limit of zero units refuses every request', async () => {
    expect(await takeUnits(createProcess(), [makeLimit('none', 0)], 'r')).toMatchObject({
      outcome: 'refused',
    });
  });

  test('an instance remembers a refusal for a minute, until the plan grows or a unit comes back', async () => {
    const services = createProcess();
    const limit = makeLimit('remembered', 1);
    const first = await takeUnits(services, [limit], 'r1');
    await takeUnits(services, [limit], 'r2');
    expect(findRememberedLimit(services, [makeLimit('other', 1), limit])).toBe(limit);
    expect(findRememberedLimit(services, [{ ...limit, max: 2 }])).toBeUndefined();
    if (first.outcome === 'taken') await giveBackUnits(services, first.units);
    expect(await takeUnits(services, [limit], 'r3')).toMatchObject({ outcome: 'taken' });
    await takeUnits(services, [limit], 'r4');
    await clock.advance(60_000);
    expect(findRememberedLimit(services, [limit])).toBeUndefined();
  });

  test('the units of an unlimited counter are spread over items, whose sum is read', async () => {
    const limit = makeLimit('unlimited', unlimitedRequests);
    const takes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => takeUnits(createProcess(), [limit], `r${i}`)),
    );
    const keys = takes.flatMap((result) =>
      result.outcome === 'taken' ? result.units.map(({ key }) => key) : [],
    );
    expect(new Set(keys).size).toBeGreaterThan(1);
    expect(await readUsedUnits(createProcess(), limit)).toBe(20);
  });

  test('units are given back when the call of a later limit is throttled or refused', async () => {
    for (const error of [new ThrottlingException({ $metadata: {}, message: 'slow' }), makeRefusedCall()]) {
      const [wide, narrow] = [makeLimit(`wide-${error.name}`, 9), makeLimit(`narrow-${error.name}`, 9)];
      const services = createProcess(({ Key }, send) =>
        Key?.pk === makeCounterKey(narrow) ? Promise.reject(error) : send(),
      );
      await clock.settle(takeUnits(services, [wide, narrow], 'r').catch(() => undefined));
      expect(await readUsedUnits(createProcess(), wide)).toBe(0);
    }
  });

  test('no unit is given back to a counter that has expired', async () => {
    const limit = makeLimit('expired', 5);
    expect(await giveBackUnits(createProcess(), [{ limit, key: makeCounterKey(limit) }])).toBe(false);
    expect(await readUsedUnits(createProcess(), limit)).toBe(0);
  });

  test.each([
    ['the answer is lost', true],
    ['the request is lost', false],
  ])('when %s, the write is not repeated', async (_what, isApplied) => {
    const limit = makeLimit(`lost-${isApplied}`, 5);
    let sent = 0;
    const services = createProcess(async (_, send) => {
      sent += 1;
      if (isApplied) await send();
      throw makeLostAnswer();
    });
    expect(await takeUnits(services, [limit], 'r')).toEqual({ outcome: 'unknown', units: [] });
    expect(sent).toBe(1);
    expect(await readUsedUnits(createProcess(), limit)).toBe(isApplied ? 1 : 0);
  });
});

describe('moveUnits', () => {
  test.each([
    ['the mark is written', 'SET', true],
    ['the addition is written', 'ADD', true],
    ['the addition is lost', 'ADD', false],
    ['the deletion is lost', 'DELETE', false],
  ])('a move that breaks when %s counts each unit once if it is repeated', async (_, verb, isApplied) => {
    const unlimited = makeLimit(`moved-${verb}-${isApplied}`, unlimitedRequests);
    const limited = { ...unlimited, max: 50 };
    for (const [from, to] of [
      [unlimited, limited],
      [limited, unlimited],
      [unlimited, limited],
    ] as const) {
      const usedBefore = await readUsedUnits(createProcess(), from);
      const taken = await takeUnits(createProcess(), [from], 'r');
      const [unit] = taken.outcome === 'taken' ? taken.units : [];
      const broken = createProcess(async ({ Key, UpdateExpression = 'DELETE' }, send) => {
        const isOfUnit = verb === 'ADD' || Key?.pk === unit?.key;
        if (!isOfUnit || !UpdateExpression.startsWith(verb)) return send();
        if (isApplied) await send();
        throw makeRefusedCall();
      });
      await expect(moveUnits(broken, from, to)).rejects.toThrow('no table');
      await moveUnits(createProcess(), from, to);
      expect(await readUsedUnits(createProcess(), from)).toBe(0);
      expect(await readUsedUnits(createProcess(), to)).toBe(usedBefore + 1);
      await clock.advance(1);
    }
  });
});

test('a counter is kept for two days after its window', () => {
  const month = makeLimit('a', 1, { window: computeMonthWindow(Date.UTC(2026, 0, 15)) });
  for (const limit of [month, makeLimit('ip#hash', 1)])
    expect(computeCounterExpiryS(limit) - limit.window.endsMs / 1_000).toBe(2 * 86_400);
});

describe('chargeImage and refundPayment', () => {
  /** The payment of a request that is admitted. */
  async function makePayment(
    services: LimitServices,
    ...requestLimits: [...Limit[], Limit]
  ): Promise<Payment> {
    const charge = await chargeImage(services, requestLimits, 'r1');
    if ('refusal' in charge) throw new Error('refused');
    return charge.payment;
  }

  test('a refund gives back the account’s unit first, then the credential’s', async () => {
    const limits = [makeLimit('key#a', 5), makeLimit('account#a', 10)] as const;
    const order: string[] = [];
    const services = createProcess(({ Key }, send) => {
      order.push(Key?.pk ?? '');
      return send();
    });
    const payment = await makePayment(services, ...limits);
    expect(payment).toMatchObject({ state: 'charged', rateLimit: { limit: 10, remaining: 9 } });
    const refunded = await refundPayment(services, payment);
    expect(refunded).toMatchObject({ state: 'refunded', rateLimit: { remaining: 10 } });
    const [key, account] = limits.map(makeCounterKey);
    expect(order).toEqual([key, account, account, key]);
    expect(await readUsedUnits(services, limits[1])).toBe(0);
  });

  test('a refund states no more units than the limit has', async () => {
    const services = createProcess();
    const limit = makeLimit('account#unlimited', unlimitedRequests);
    const refunded = await refundPayment(services, await makePayment(services, limit));
    expect(refunded).toMatchObject({ state: 'refunded', rateLimit: { remaining: unlimitedRequests } });
    expect(await readUsedUnits(services, limit)).toBe(0);
  });

  test('a refunded payment is not refunded again', async () => {
    const services = createProcess();
    const limit = makeLimit('account#twice', 10);
    await takeUnits(services, [limit], 'other');
    await refundPayment(services, await refundPayment(services, await makePayment(services, limit)));
    expect(await readUsedUnits(services, limit)).toBe(1);
  });

  test('a charge with an unknown outcome is not refunded', async () => {
    const limit = makeLimit('account#unknown', 10);
    const services = createProcess(async (_, send) => {
      await send();
      throw makeLostAnswer();
    });
    const payment = await makePayment(services, limit);
    expect(payment.state).toBe('unknown');
    await refundPayment(services, payment);
    expect(await readUsedUnits(createProcess(), limit)).toBe(1);
  });

  test('a unit goes back to the window that counted it, even after the deadline', async () => {
    const services = createProcess();
    const limit = makeLimit('account#month', 10, { window: computeMonthWindow(clock.nowMs()) });
    const payment = await makePayment(services, limit);
    await clock.advance(40 * 86_400_000);
    const late = { ...services, deadline: createDeadline(clock.nowMs()) };
    await refundPayment(late, payment);
    expect(await readUsedUnits(services, limit)).toBe(0);
  });
});
