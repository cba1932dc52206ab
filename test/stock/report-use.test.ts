/** The reports of uses to a provider that wants them. */

import { createDeadline } from '../../lambda/base/deadline';
import { dayMs } from '../../lambda/base/window';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { tracked } from '../fakes/stock-provider';
import { lookupContext, makeAccountId } from '../fakes/values';
import { createStockSetup, enlarge, makeNewRequest } from './stock-setup';

const engine = startFixture(startEngine);

test('a use is handed over once for each image, account and day', async () => {
  const { find, reportedUrls, clock } = createStockSetup(engine, tracked);
  const request = makeNewRequest();
  for (const widthPx of [1_900, 1_901]) await find({ ...request, widthPx });
  expect(reportedUrls).toHaveLength(1);
  await find(enlarge(request), { ...lookupContext, account: makeAccountId('acc_2') });
  expect(reportedUrls).toHaveLength(2);
  await clock.advance(dayMs);
  await find({ ...enlarge(request), widthPx: 2_001 });
  expect(reportedUrls).toHaveLength(3);
});

test('without budget, a use is reported by a request an hour later', async () => {
  const { find, reportedUrls, clock, createInstance } = createStockSetup(engine, {
    ...tracked,
    quota: { perHour: 10 },
  });
  const services = { ...createInstance(), deadline: createDeadline(Infinity) };
  const [one, two] = [
    makeNewRequest({ source: 'stock_b' }),
    makeNewRequest({ source: 'stock_b', seed: '2' }),
  ];
  await find(one);
  await find(two);
  expect(reportedUrls).toHaveLength(1);
  await find(enlarge(two), lookupContext, services);
  expect(reportedUrls).toHaveLength(1);
  await clock.advance(3_600_000);
  await find({ ...enlarge(two), widthPx: 2_001 }, lookupContext, services);
  expect(reportedUrls).toHaveLength(2);
});
