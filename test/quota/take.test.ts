/** Units of limits are taken and given back by conditional writes. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { computeMonthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import { computeCounterExpiryS, makeCounterKey } from '../../lambda/quota/limit';
import { findRememberedLimit, giveBackUnits, readUsedUnits, takeUnits } from '../../lambda/quota/take';
import { makeLostAnswer } from '../fakes/memory-database';
import { makeRefusedCall, startTables } from './processes';

const { clock, makeLimit, createProcess } = startTables();

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

test('a counter is kept for two days after its window', () => {
  const month = makeLimit('a', 1, { window: computeMonthWindow(Date.UTC(2026, 0, 15)) });
  for (const limit of [month, makeLimit('ip#hash', 1)])
    expect(computeCounterExpiryS(limit) - limit.window.endsMs / 1_000).toBe(2 * 86_400);
});
