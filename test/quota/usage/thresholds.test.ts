/** Thresholds: the operator gets one event for each, from the request that reaches it. */

import type { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { defaultPlans } from '../../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../../lambda/credentials/caller';
import {
  getQuotaLimit,
  listGenerationLimits,
  listRequestLimits,
  listWorkLimits,
  makeGenerationMonthLimit,
} from '../../../lambda/quota/caller-limits';
import { type Limit, makeCounterKey } from '../../../lambda/quota/limit';
import { chargeImage as chargeFor, refundPayment } from '../../../lambda/quota/pay';
import { type LimitServices, takeUnits } from '../../../lambda/quota/take';
import { announceThresholds, type ThresholdEvent } from '../../../lambda/quota/usage/thresholds';
import { createVirtualClock } from '../../fakes/clock';
import { createFakeLimits } from '../../fakes/limits';
import { makeLostAnswer } from '../../fakes/memory-database';
import { createRecordedTelemetry } from '../../fakes/telemetry';
import { makeAccountId } from '../../fakes/values';

const clock = createVirtualClock();
const caller: KeyedCaller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'free', keyId: 'key_1' };
const plans = {
  ...defaultPlans,
  free: { ...defaultPlans.free, monthlyRequests: 10, generationsPerMonth: 10 },
};
const getMonthLimit = (caller: Caller) =>
  getQuotaLimit(listRequestLimits(caller, 'hash', plans, clock.nowMs()));
const month = getMonthLimit(caller);

function createAnnouncingLimits() {
  const telemetry = createRecordedTelemetry();
  const announced: ThresholdEvent[] = [];
  const limits = createFakeLimits(clock, telemetry);
  const services: LimitServices = {
    ...limits.services,
    announce: async (event) => void announced.push(event),
  };
  const charge = async (times: number, limit: Limit = month) => {
    for (let i = 0; i < times; i++) await chargeFor(services, [limit], `request-${i}`);
  };
  return { services, limits, telemetry, announced, charge };
}

const reset = '2026-12-01T00:00:00Z';

describe('announceThresholds', () => {
  test('the requests and AI images of an account’s month are announced with the same fields', async () => {
    const { charge, announced } = createAnnouncingLimits();
    const named = { ...caller, accountName: 'Acme' };
    const generations = makeGenerationMonthLimit(named, plans, clock.nowMs());
    for (const limit of [getMonthLimit(named), generations]) {
      await charge(7, limit);
      expect(announced).toHaveLength(0);
      await charge(23, limit);
      const detail = { account: 'acc_1', accountName: 'Acme', month: '2026-11', limit: 10, reset };
      const type = limit === generations ? 'Generation ceiling threshold reached' : 'Usage threshold reached';
      expect(announced.splice(0)).toEqual([
        { type, detail: { ...detail, percent: 80, used: 8 } },
        { type, detail: { ...detail, percent: 100, used: 10 } },
      ]);
    }
  });

  test('of a generation’s limits, the account’s month and the operator’s day are announced', async () => {
    const { services, announced, telemetry } = createAnnouncingLimits();
    const generations = listGenerationLimits(caller, plans, 10, clock.nowMs());
    const work = listWorkLimits(caller, '', clock.nowMs()).map((limit) => ({ ...limit, max: 10 }));
    for (let i = 0; i < 8; i++) await takeUnits(services, [...generations, ...work], `e${i}`);
    const detail = { percent: 80, limit: 10, used: 8 };
    expect(announced.map((event) => event.detail)).toEqual([
      { ...detail, account: 'acc_1', month: '2026-11', reset },
      { ...detail, day: '2026-11-21', reset: '2026-11-22T00:00:00Z' },
    ]);
    // The alarm counts the operator's day alone.
    expect(telemetry.countRecorded('generationCeiling')).toBe(1);
  });

  test('a threshold is announced once, although refunds let the count fall below it', async () => {
    const { services, charge, announced } = createAnnouncingLimits();
    await charge(7);
    for (let i = 0; i < 3; i++) {
      const chargeResult = await chargeFor(services, [month], `again-${i}`);
      if ('payment' in chargeResult) await refundPayment(services, chargeResult.payment);
    }
    expect(announced).toHaveLength(1);
  });

  test('two simultaneous charges announce a threshold once', async () => {
    const { services, announced } = createAnnouncingLimits();
    const unit = { limit: month, key: makeCounterKey(month) };
    // Both charges have read the counter before either has noted the event.
    for (const id of ['first', 'second']) await announceThresholds(services, unit, { used: 8 }, id);
    expect(announced).toHaveLength(1);
  });

  test('a threshold is announced although the answer to its mark was lost', async () => {
    const { services, announced } = createAnnouncingLimits();
    const { client } = services.database;
    let isLost = false;
    const send = async (command: UpdateCommand) => {
      const answer = await client.send(command);
      if (isLost || !command.input.UpdateExpression?.startsWith('SET #announced')) return answer;
      isLost = true;
      throw makeLostAnswer();
    };
    const losing = { ...services, database: { ...services.database, client: { send } as typeof client } };
    for (let i = 0; i < 8; i++) await chargeFor(losing, [month], `request-${i}`);
    expect([isLost, announced.length]).toEqual([true, 1]);
  });

  test('test keys, addresses and unlimited plans send no event', async () => {
    const { limits, charge, announced } = createAnnouncingLimits();
    const unannounced = [
      getMonthLimit({ ...caller, kind: 'test' }),
      makeGenerationMonthLimit({ ...caller, kind: 'test' }, plans, clock.nowMs()),
      getMonthLimit({ kind: 'anonymous' }),
      getMonthLimit({ ...caller, plan: 'enterprise' }),
    ];
    for (const limit of unannounced) await charge(110, limit);
    expect(announced).toEqual([]);
    // 110 for the plan without a limit; the others refuse from memory once they are used up.
    expect(limits.calls.length).toBeLessThanOrEqual(110 + 101 + 26 + 11);
  });

  test('if an event cannot be sent, the failure is logged', async () => {
    const { services, charge, telemetry } = createAnnouncingLimits();
    const failing: LimitServices = { ...services, announce: async () => Promise.reject(new Error('no bus')) };
    const [unit] = [{ limit: month, key: 'requests#x' }];
    await announceThresholds(failing, unit, { used: 8 }, 'r');
    await charge(1);
    expect(telemetry.errors.map(({ error }) => (error as Error).message)).toEqual(['no bus']);
  });

  test('when the response to a charge is lost, the next charge announces its threshold', async () => {
    const { services, charge, announced } = createAnnouncingLimits();
    await charge(7);
    // The unit is counted, and nobody reads the answer.
    await takeUnits({ ...services, announce: undefined }, [month], 'lost');
    await charge(2);
    expect(announced.map(({ detail }) => [detail['percent'], detail['used']])).toEqual([
      [80, 9],
      [100, 10],
    ]);
  });

  test('after a downgrade, the next charge announces the thresholds already passed', async () => {
    const { charge, announced } = createAnnouncingLimits();
    await charge(6, { ...month, max: 100 });
    await charge(2, { ...month, max: 8 });
    expect(announced.map(({ detail }) => detail['percent'])).toEqual([80, 100]);
  });
});
