/** The operator is told once of each threshold of a bound on AI images, by the request that reaches it. */

import fc from 'fast-check';
import { defaultPlans } from '../../../lambda/contract/plans';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { generationLimitsOf, requestLimitsOf, workLimitsOf } from '../../../lambda/quota/caller-limits';
import { giveBack, take } from '../../../lambda/quota/take';
import { tellThresholds } from '../../../lambda/quota/usage/thresholds';
import { accountId } from '../../fakes/branded';
import { createFakeLimits } from '../../fakes/limits';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const clock = createVirtualClock();
const caller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const plans = {
  ...defaultPlans,
  free: { ...defaultPlans.free, monthlyRequests: 10, generationsPerMonth: 10 },
};
const generations = generationLimitsOf(caller, plans, 10, clock.nowMs());

function start() {
  const telemetry = createRecordedTelemetry();
  const { services } = createFakeLimits(clock, telemetry);
  const told = () => telemetry.infos.map(({ fields }) => fields);
  return { services, telemetry, told };
}

test('a bound on AI images is told of for each owner and period, and no other limit is', async () => {
  const { services, told, telemetry } = start();
  const others = [
    ...requestLimitsOf(caller, 'hash', plans, clock.nowMs()),
    ...workLimitsOf(caller, '', clock.nowMs()).map((limit) => ({ ...limit, max: 10 })),
  ];
  for (let i = 0; i < 8; i++) await take(services, [...generations, ...others], `e${i}`);
  const [reset, ofDay] = ['2026-12-01T00:00:00Z', '2026-11-22T00:00:00Z'];
  const detail = { percent: 80, limit: 10, used: 8 };
  expect(told()).toEqual([
    { ...detail, ceiling: 'month', owner: 'live#acc_1', period: '2026-11', reset },
    { ...detail, ceiling: 'day', owner: 'all', period: '2026-11-21', reset: ofDay },
  ]);
  expect(telemetry.counted('generationCeiling')).toBe(2);
});

test('a threshold is told of once, however often the counter goes back and forth', async () => {
  const { services, telemetry } = start();
  for (let i = 0; i < 10; i++) {
    const taken = await take(services, generations, `e${i}`);
    if (i >= 7 && taken.outcome === 'taken') await giveBack(services, taken.units);
  }
  expect(telemetry.counted('generationCeiling')).toBe(2);
});

test('each threshold is reached by exactly one value on the way to the limit', async () => {
  const [limit] = generations;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (max) => {
      const { services, told } = start();
      for (let used = 1; used <= max; used++)
        await tellThresholds(services, { limit: { ...limit, max } as never, key: 'x' }, used, `r${used}`);
      expect(told()).toMatchObject([{ percent: 80 }, { percent: 100 }]);
    }),
    { numRuns: 40 },
  );
});
