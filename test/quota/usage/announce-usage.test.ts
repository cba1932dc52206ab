/** Announcements are sent once per account, month and threshold, at no cost to other requests. */

import { defaultPlans, unlimitedRequests } from '../../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../../lambda/credentials/caller';
import { generationLimitsOf, requestLimitsOf, workLimitsOf } from '../../../lambda/quota/caller-limits';
import { accountLimit, charge as chargeFor, refund } from '../../../lambda/quota/charge';
import type { Limit } from '../../../lambda/quota/limit';
import { take } from '../../../lambda/quota/take';
import { type Announcer, createAnnounceUsage } from '../../../lambda/quota/usage/announce-usage';
import { atThresholds } from '../../../lambda/quota/usage/at-thresholds';
import { accountId } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeLimits } from '../../fakes/limits';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const clock = createVirtualClock();
const caller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: 10 } };
const quotaOf = (of: Caller) => accountLimit(requestLimitsOf(of, 'hash', plans, clock.nowMs()));
const quota = quotaOf(caller);

function createFakeMarks() {
  const marks = new Map<string, string>();
  const calls: string[] = [];
  let failure: Error | undefined;
  return {
    calls,
    failWith: (error: Error | undefined) => {
      failure = error;
    },
    async markAnnounced(owner: string, label: string, percent: number, by: string) {
      calls.push('markAnnounced');
      if (failure) throw failure;
      const mark = `${owner}#${label}#${percent}`;
      if (!marks.has(mark)) marks.set(mark, by);
      return marks.get(mark) === by;
    },
  };
}

function stage() {
  const store = createFakeMarks();
  const telemetry = createRecordedTelemetry();
  const announced: Parameters<Announcer['announce']>[0][] = [];
  const announcer: Announcer = {
    announce: async (announcement) => void announced.push(announcement),
  };
  const announceUsage = createAnnounceUsage({ store, announcer, clock, ids: createFakeIds(), telemetry });
  // As the function that counts hands it over.
  const atEach = atThresholds(async () => announceUsage, telemetry);
  const services = { ...createFakeLimits(clock, telemetry).services, announceUsage: atEach };
  return { store, telemetry, announced, announceUsage, services, announcer };
}

type Charged = ReturnType<typeof stage>['services'];
const charge = async (services: Charged, times: number, of: Limit = quota) => {
  for (let i = 0; i < times; i++)
    await chargeFor(services, { requestLimits: [of], requestId: `request-${i}` });
};

describe('the announcement of a threshold', () => {
  it('is sent by the request that reaches it, with what an operator needs', async () => {
    const { services, announced } = stage();
    await charge(services, 7);
    expect(announced).toEqual([]);
    await charge(services, 1);
    expect(announced).toEqual([
      {
        account: accountId('acc_1'),
        month: '2026-11',
        percent: 80,
        limit: 10,
        used: 8,
        reset: '2026-12-01T00:00:00Z',
      },
    ]);
    await charge(services, 2);
    expect(announced.map(({ percent }) => percent)).toEqual([80, 100]);
  });

  it('names the account where it has a name', async () => {
    const { services, announced } = stage();
    await charge(services, 10, quotaOf({ ...caller, accountName: 'Acme' }));
    expect(announced).toMatchObject([
      { account: 'acc_1', accountName: 'Acme', percent: 80 },
      { account: 'acc_1', accountName: 'Acme', percent: 100 },
    ]);
  });

  it('reads the store only in requests that reach a threshold', async () => {
    const { services, store } = stage();
    await charge(services, 30);
    expect(store.calls).toEqual(['markAnnounced', 'markAnnounced']);
  });

  it('comes once however often the counter goes back and forth', async () => {
    const { services, announced } = stage();
    await charge(services, 7);
    for (let i = 0; i < 3; i++) {
      const charged = await chargeFor(services, { requestLimits: [quota], requestId: `again-${i}` });
      if (charged.outcome === 'admitted') await refund(services, charged.payment);
    }
    expect(announced).toHaveLength(1);
  });

  it('is made for the ceilings on generations, once for each owner and period, and for no other limit', async () => {
    const { services, announced, telemetry } = stage();
    const ofFree = { ...plans, free: { ...plans.free, generationsPerMonth: 10 } };
    const generations = generationLimitsOf(caller, ofFree, 10, clock.nowMs());
    const work = workLimitsOf(caller, '', clock.nowMs()).map((limit) => ({ ...limit, max: 10 }));
    for (let i = 0; i < 8; i++) await take(services, [...generations, ...work], `e${i}`);
    const reached = { percent: 80, limit: 10, used: 8 };
    expect(announced).toEqual([
      { ...reached, ceiling: 'month', owner: 'live#acc_1', period: '2026-11', reset: '2026-12-01T00:00:00Z' },
      { ...reached, ceiling: 'day', owner: 'all', period: '2026-11-21', reset: '2026-11-22T00:00:00Z' },
    ]);
    expect(telemetry.counted('generationCeiling')).toBe(2);
  });

  it('is not made for test keys, anonymous callers and unlimited plans', async () => {
    const { services, store } = stage();
    const test = quotaOf({ ...caller, kind: 'test' });
    const anonymous = quotaOf({ kind: 'anonymous' });
    const boundless = quotaOf({ ...caller, plan: 'enterprise' });
    for (const each of [test, anonymous, boundless]) await charge(services, 110, each);
    expect(store.calls).toEqual([]);
  });

  it('never fails the request: a fault is logged', async () => {
    const { announceUsage, store, telemetry, announcer } = stage();
    store.failWith(new Error('no table'));
    await announceUsage(quota, 8);
    store.failWith(undefined);
    announcer.announce = async () => Promise.reject(new Error('no bus'));
    await announceUsage(quota, 10);
    expect(telemetry.errors.map(({ error }) => (error as Error).message)).toEqual(['no table', 'no bus']);
  });

  it('loads what announces for a charge that has reached a threshold alone, and a load that fails is logged', async () => {
    const { announceUsage, announced, telemetry } = stage();
    let loads = 0;
    const loading = atThresholds(async () => {
      loads += 1;
      if (loads === 1) throw new Error('no file');
      return announceUsage;
    }, telemetry);
    for (let used = 1; used <= 10; used++) await loading(quota, used);
    await loading({ ...quota, max: unlimitedRequests }, unlimitedRequests);
    expect(loads).toBe(2);
    expect(telemetry.errors.map(({ error }) => (error as Error).message)).toEqual(['no file']);
    expect(announced).toMatchObject([{ percent: 100 }]);
  });
});
