/** The reports of uses to a provider that wants them. */

import { makeDeadline } from '../../lambda/base/deadline';
import { dayMs } from '../../lambda/base/window';
import { startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';
import { tracked } from '../fakes/stock-provider';
import { accountId, aSearchContext } from '../fakes/values';
import { createBench, larger, newRequest } from './stock-bench';

const engine = fixtureOf(startEngine);

test('a use is handed over once for each image, account and day', async () => {
  const { find, handedOver, clock } = createBench(engine, tracked);
  const request = newRequest();
  for (const widthPx of [1_900, 1_901]) await find({ ...request, widthPx });
  expect(handedOver).toHaveLength(1);
  await find(larger(request), { ...aSearchContext, account: accountId('acc_2') });
  expect(handedOver).toHaveLength(2);
  await clock.advance(dayMs);
  await find({ ...larger(request), widthPx: 2_001 });
  expect(handedOver).toHaveLength(3);
});

test('without budget, a use is reported by a request an hour later', async () => {
  const { find, handedOver, clock, instance } = createBench(engine, { ...tracked, quota: { perHour: 10 } });
  const services = { ...instance(), deadline: makeDeadline(Infinity) };
  const [one, two] = [newRequest({ source: 'stock_b' }), newRequest({ source: 'stock_b', seed: '2' })];
  await find(one);
  await find(two);
  expect(handedOver).toHaveLength(1);
  await find(larger(two), aSearchContext, services);
  expect(handedOver).toHaveLength(1);
  await clock.advance(3_600_000);
  await find({ ...larger(two), widthPx: 2_001 }, aSearchContext, services);
  expect(handedOver).toHaveLength(2);
});
