/** The charge of an image and its refund, by conditional writes. */

import { createDeadline } from '../../lambda/base/deadline';
import { computeMonthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import { type Limit, makeCounterKey } from '../../lambda/quota/limit';
import { chargeImage, refundPayment } from '../../lambda/quota/pay';
import type { Payment } from '../../lambda/quota/payment';
import { type LimitServices, readUsedUnits, takeUnits } from '../../lambda/quota/take';
import { makeLostAnswer } from '../fakes/memory-database';
import { startTables } from './processes';

const { clock, makeLimit, createProcess } = startTables();

/** The payment of a request that is admitted. */
async function makePayment(services: LimitServices, ...requestLimits: [...Limit[], Limit]): Promise<Payment> {
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
