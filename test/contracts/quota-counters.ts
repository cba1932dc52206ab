/** The contract of every set of quota counters. */

import { randomBytes } from 'node:crypto';
import { hourWindow, monthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import type { Limit } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';
import { accountId } from '../fakes/branded';

export interface CountersUnderTest {
  readonly counters: QuotaCounters;
  stop?(): Promise<void>;
}

const nowMs = Date.now();

/** The limits of a new caller: by IP address, by live key and by test key. */
export function newAllowances(limit: number): Readonly<Record<'ip' | 'live' | 'test', Limit>> {
  const name = accountId(randomBytes(6).toString('hex'));
  const account = (mode: 'live' | 'test') => ({ kind: 'account', account: name, mode }) as const;
  return {
    ip: { counter: { kind: 'ip', ipHash: name }, limit, window: hourWindow(nowMs) },
    live: { counter: account('live'), limit, window: monthWindow(nowMs) },
    test: { counter: account('test'), limit, window: hourWindow(nowMs) },
  };
}

const kinds = ['ip', 'live', 'test'] as const;

export function describeQuotaCounters(name: string, start: () => Promise<CountersUnderTest>): void {
  describe(`the quota counters: ${name}`, () => {
    let subject: CountersUnderTest;
    let counters: QuotaCounters;

    beforeAll(async () => {
      subject = await start();
      counters = subject.counters;
    });
    afterAll(() => subject?.stop?.());

    const chargeMany = (quota: Limit, times: number, prefix = 'r') =>
      Promise.all(Array.from({ length: times }, (_, i) => counters.charge(quota, `${prefix}${i}`)));

    describe.each(kinds)('by %s', (kind) => {
      it('begin with nothing taken', async () => {
        expect(await counters.taken(newAllowances(3)[kind])).toBe(0);
      });

      it('charge one at a time, return the taken amount, and stop at the limit', async () => {
        const quota = newAllowances(3)[kind];
        const outcomes = [];
        for (const id of ['a', 'b', 'c', 'd', 'e']) outcomes.push(await counters.charge(quota, id));
        expect(outcomes).toEqual([
          { outcome: 'charged', taken: 1 },
          { outcome: 'charged', taken: 2 },
          { outcome: 'charged', taken: 3 },
          { outcome: 'exhausted' },
          { outcome: 'exhausted' },
        ]);
        expect(await counters.taken(quota)).toBe(3);
      });

      it('admit exactly the remaining number of 200 concurrent requests', async () => {
        const quota = newAllowances(60)[kind];
        await chargeMany(quota, 10, 'before');
        const outcomes = await chargeMany(quota, 200);
        const charged = outcomes.flatMap((each) => (each.outcome === 'charged' ? [each.taken] : []));
        expect(charged.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
        expect(outcomes.filter(({ outcome }) => outcome === 'exhausted')).toHaveLength(150);
        expect(await counters.taken(quota)).toBe(60);
      });

      it('give back one unit, which can then be taken again', async () => {
        const quota = newAllowances(2)[kind];
        await counters.charge(quota, 'a');
        await counters.charge(quota, 'b');
        await counters.refund(quota, 'a');
        expect(await counters.taken(quota)).toBe(1);
        expect(await counters.charge(quota, 'c')).toEqual({ outcome: 'charged', taken: 2 });
        expect(await counters.charge(quota, 'd')).toEqual({ outcome: 'exhausted' });
      });

      it('give back the last unit', async () => {
        const quota = newAllowances(1)[kind];
        await counters.charge(quota, 'a');
        await counters.refund(quota, 'a');
        expect(await counters.taken(quota)).toBe(0);
        expect(await counters.charge(quota, 'b')).toEqual({ outcome: 'charged', taken: 1 });
      });

      it('count each window by itself, and give back to the one that was charged though it has ended', async () => {
        const before = newAllowances(5)[kind];
        const windowOf = kind === 'live' ? monthWindow : hourWindow;
        const earlier = { ...before, window: windowOf(before.window.startMs - 1) };
        await counters.charge(earlier, 'a');
        await counters.charge(before, 'b');
        await counters.charge(before, 'c');
        await counters.refund(earlier, 'a');
        expect(await counters.taken(earlier)).toBe(0);
        expect(await counters.taken(before)).toBe(2);
      });

      it('apply a higher limit at once and keep the taken amount', async () => {
        const quota = newAllowances(1)[kind];
        await counters.charge(quota, 'a');
        expect(await counters.charge({ ...quota, limit: 5 }, 'b')).toEqual({
          outcome: 'charged',
          taken: 2,
        });
      });

      it('refuse the first one under a limit of 0', async () => {
        const quota = newAllowances(0)[kind];
        expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'exhausted' });
        expect(await counters.taken(quota)).toBe(0);
      });

      it('refuse under a limit below what is taken', async () => {
        const quota = newAllowances(5)[kind];
        await chargeMany(quota, 4);
        expect(await counters.charge({ ...quota, limit: 2 }, 'z')).toEqual({ outcome: 'exhausted' });
        expect(await counters.taken(quota)).toBe(4);
      });
    });

    it('keep IP, live and test counters of one name separately', async () => {
      const all = newAllowances(1);
      for (const kind of kinds)
        expect(await counters.charge(all[kind], 'a')).toMatchObject({ outcome: 'charged' });
    });

    it('count a request once in an IP window however often it is sent, at the limit too', async () => {
      const { ip } = newAllowances(2);
      const twice = await Promise.all([counters.charge(ip, 'a'), counters.charge(ip, 'a')]);
      expect(twice.map(({ outcome }) => outcome)).toEqual(['charged', 'charged']);
      expect(await counters.taken(ip)).toBe(1);
      await counters.charge(ip, 'b');
      expect(await counters.charge(ip, 'a')).toEqual({ outcome: 'charged', taken: 2 });
      expect(await counters.charge(ip, 'c')).toEqual({ outcome: 'exhausted' });
    });

    it('count an account request every time, since its id means nothing there', async () => {
      const { live } = newAllowances(5);
      await counters.charge(live, 'a');
      expect(await counters.charge(live, 'a')).toEqual({ outcome: 'charged', taken: 2 });
    });

    it('never refuse an unlimited plan, and count it all the same', async () => {
      const { live } = newAllowances(unlimitedRequests);
      const outcomes = await chargeMany(live, 30);
      expect(outcomes.every(({ outcome }) => outcome === 'charged')).toBe(true);
      expect(await counters.taken(live)).toBe(30);
      await Promise.all(Array.from({ length: 30 }, (_, i) => counters.refund(live, `r${i}`)));
      expect(await counters.taken(live)).toBe(0);
    });

    it('give nothing back to an account that has spent nothing', async () => {
      const { live } = newAllowances(5);
      await expect(counters.refund(live, 'a')).rejects.toThrow();
      expect(await counters.taken(live)).toBe(0);
    });
  });
}
