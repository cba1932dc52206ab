/** Announcements are sent once per account, month and threshold, at no cost to other requests. */

import { defaultPlans, unlimitedRequests } from '../../../lambda/contract/plans';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { dailyGenerations, monthlyGenerationsOf, refusedPromptsOf } from '../../../lambda/quota/fair-use';
import { createLedger } from '../../../lambda/quota/ledger';
import { type Limit, quotaOf } from '../../../lambda/quota/quota';
import type { Charges } from '../../../lambda/quota/reservations';
import { type Announcer, createAnnounceUsage } from '../../../lambda/quota/usage/announce-usage';
import { announcingCharges, atThresholds } from '../../../lambda/quota/usage/at-thresholds';
import { accountId } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const clock = createVirtualClock();
const caller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: 10 } };
const quota = quotaOf(caller, '', plans, clock.nowMs());

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
  const counters = createFakeQuotaCounters();
  const ledger = createLedger({ counters, clock, telemetry, announceUsage });
  return { store, telemetry, announced, announceUsage, ledger, announcer };
}

async function charge(ledger: ReturnType<typeof stage>['ledger'], times: number, of: Limit = quota) {
  for (let i = 0; i < times; i++)
    await ledger.charge({ quota: of, credentialLimits: [], requestId: `request-${i}` });
}

describe('the announcement of a threshold', () => {
  it('is sent by the request that reaches it, with what an operator needs', async () => {
    const { ledger, announced } = stage();
    await charge(ledger, 7);
    expect(announced).toEqual([]);
    await charge(ledger, 1);
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
    await charge(ledger, 2);
    expect(announced.map(({ percent }) => percent)).toEqual([80, 100]);
  });

  it('names the account where it has a name', async () => {
    const { ledger, announced } = stage();
    await charge(ledger, 10, quotaOf({ ...caller, accountName: 'Acme' }, '', plans, clock.nowMs()));
    expect(announced).toMatchObject([
      { account: 'acc_1', accountName: 'Acme', percent: 80 },
      { account: 'acc_1', accountName: 'Acme', percent: 100 },
    ]);
  });

  it('reads the store only in requests that reach a threshold', async () => {
    const { ledger, store } = stage();
    await charge(ledger, 30);
    expect(store.calls).toEqual(['markAnnounced', 'markAnnounced']);
  });

  it('comes once however often the counter goes back and forth', async () => {
    const { ledger, announced } = stage();
    await charge(ledger, 8);
    for (let i = 0; i < 3; i++) {
      const rateLimit = { limit: 10, remaining: 2, window: quota.window };
      await ledger.refund(
        { quota, credentialLimits: [], requestId: 'request' },
        { state: 'charged', rateLimit },
      );
      await charge(ledger, 1);
    }
    expect(announced).toHaveLength(1);
  });

  it('is made for reserved images too', async () => {
    const { announceUsage, announced } = stage();
    const charges = announcingCharges(
      {
        reserve: async () => ({ outcome: 'reserved', prunable: [], overdue: [], taken: 8 }),
      } as unknown as Charges,
      announceUsage,
    );
    await charges.reserve({} as never, { quota, heldMax: 1 });
    expect(announced).toHaveLength(1);
  });

  it('is made for the ceilings on generations, once for each owner and period, and for no other fair use', async () => {
    const { announceUsage, announced, telemetry } = stage();
    const month = monthlyGenerationsOf('live#acc_1', 10, clock.nowMs());
    const day = dailyGenerations(10, clock.nowMs());
    for (const limit of [month, day, month, day, refusedPromptsOf('live#acc_1', clock.nowMs())])
      await announceUsage(limit, 8);
    const reached = { percent: 80, limit: 10, used: 8 };
    expect(announced).toEqual([
      { ...reached, ceiling: 'month', owner: 'live#acc_1', period: '2026-11', reset: '2026-12-01T00:00:00Z' },
      { ...reached, ceiling: 'day', owner: 'all', period: '2026-11-21', reset: '2026-11-22T00:00:00Z' },
    ]);
    expect(telemetry.counted('generationCeiling')).toBe(2);
  });

  it('is not made for test keys, anonymous callers and unlimited plans', async () => {
    const { ledger, store } = stage();
    const test = quotaOf({ ...caller, kind: 'test' }, '', plans, clock.nowMs());
    const anonymous = quotaOf({ kind: 'anonymous' }, 'hash', plans, clock.nowMs());
    const boundless = quotaOf({ ...caller, plan: 'enterprise' }, '', plans, clock.nowMs());
    for (const each of [test, anonymous, boundless]) await charge(ledger, 110, each);
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
    await loading({ ...quota, limit: unlimitedRequests }, unlimitedRequests);
    expect(loads).toBe(2);
    expect(telemetry.errors.map(({ error }) => (error as Error).message)).toEqual(['no file']);
    expect(announced).toMatchObject([{ percent: 100 }]);
  });
});
