/** The contract of every set of quota counters. */

import { randomBytes } from 'node:crypto';
import { hourWindow, monthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import type { Allowance } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';
import { accountId } from '../fakes/branded';

export interface CountersUnderTest {
  readonly counters: QuotaCounters;
  stop?(): Promise<void>;
}

const nowMs = Date.now();

/** The allowances of a new caller: by IP address, by live key and by test key. */
export function newAllowances(limit: number): Readonly<Record<'ip' | 'live' | 'test', Allowance>> {
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

    const consumeMany = (allowance: Allowance, times: number, prefix = 'r') =>
      Promise.all(Array.from({ length: times }, (_, i) => counters.consume(allowance, `${prefix}${i}`)));

    describe.each(kinds)('by %s', (kind) => {
      it('begin with nothing taken', async () => {
        expect(await counters.taken(newAllowances(3)[kind])).toBe(0);
      });

      it('charge one at a time, return the taken amount, and stop at the limit', async () => {
        const allowance = newAllowances(3)[kind];
        const outcomes = [];
        for (const id of ['a', 'b', 'c', 'd', 'e']) outcomes.push(await counters.consume(allowance, id));
        expect(outcomes).toEqual([
          { outcome: 'charged', taken: 1 },
          { outcome: 'charged', taken: 2 },
          { outcome: 'charged', taken: 3 },
          { outcome: 'exhausted' },
          { outcome: 'exhausted' },
        ]);
        expect(await counters.taken(allowance)).toBe(3);
      });

      it('admit exactly the remaining number of 200 concurrent requests', async () => {
        const allowance = newAllowances(60)[kind];
        await consumeMany(allowance, 10, 'before');
        const outcomes = await consumeMany(allowance, 200);
        const charged = outcomes.flatMap((each) => (each.outcome === 'charged' ? [each.taken] : []));
        expect(charged.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
        expect(outcomes.filter(({ outcome }) => outcome === 'exhausted')).toHaveLength(150);
        expect(await counters.taken(allowance)).toBe(60);
      });

      it('give back one unit, which can then be taken again', async () => {
        const allowance = newAllowances(2)[kind];
        await counters.consume(allowance, 'a');
        await counters.consume(allowance, 'b');
        await counters.refund(allowance, 'a');
        expect(await counters.taken(allowance)).toBe(1);
        expect(await counters.consume(allowance, 'c')).toEqual({ outcome: 'charged', taken: 2 });
        expect(await counters.consume(allowance, 'd')).toEqual({ outcome: 'exhausted' });
      });

      it('give back the last unit', async () => {
        const allowance = newAllowances(1)[kind];
        await counters.consume(allowance, 'a');
        await counters.refund(allowance, 'a');
        expect(await counters.taken(allowance)).toBe(0);
        expect(await counters.consume(allowance, 'b')).toEqual({ outcome: 'charged', taken: 1 });
      });

      it('count each window by itself, and give back to the one that was charged though it has ended', async () => {
        const before = newAllowances(5)[kind];
        const windowOf = kind === 'live' ? monthWindow : hourWindow;
        const earlier = { ...before, window: windowOf(before.window.startMs - 1) };
        await counters.consume(earlier, 'a');
        await counters.consume(before, 'b');
        await counters.consume(before, 'c');
        await counters.refund(earlier, 'a');
        expect(await counters.taken(earlier)).toBe(0);
        expect(await counters.taken(before)).toBe(2);
      });

      it('apply a higher limit at once and keep the taken amount', async () => {
        const allowance = newAllowances(1)[kind];
        await counters.consume(allowance, 'a');
        expect(await counters.consume({ ...allowance, limit: 5 }, 'b')).toEqual({
          outcome: 'charged',
          taken: 2,
        });
      });

      it('refuse the first one under a limit of 0', async () => {
        const allowance = newAllowances(0)[kind];
        expect(await counters.consume(allowance, 'a')).toEqual({ outcome: 'exhausted' });
        expect(await counters.taken(allowance)).toBe(0);
      });

      it('refuse under a limit below what is taken', async () => {
        const allowance = newAllowances(5)[kind];
        await consumeMany(allowance, 4);
        expect(await counters.consume({ ...allowance, limit: 2 }, 'z')).toEqual({ outcome: 'exhausted' });
        expect(await counters.taken(allowance)).toBe(4);
      });
    });

    it('keep IP, live and test counters of one name separately', async () => {
      const all = newAllowances(1);
      for (const kind of kinds)
        expect(await counters.consume(all[kind], 'a')).toMatchObject({ outcome: 'charged' });
    });

    it('count a request once in an IP window however often it is sent, at the limit too', async () => {
      const { ip } = newAllowances(2);
      const twice = await Promise.all([counters.consume(ip, 'a'), counters.consume(ip, 'a')]);
      expect(twice.map(({ outcome }) => outcome)).toEqual(['charged', 'charged']);
      expect(await counters.taken(ip)).toBe(1);
      await counters.consume(ip, 'b');
      expect(await counters.consume(ip, 'a')).toEqual({ outcome: 'charged', taken: 2 });
      expect(await counters.consume(ip, 'c')).toEqual({ outcome: 'exhausted' });
    });

    it('count an account request every time, since its id means nothing there', async () => {
      const { live } = newAllowances(5);
      await counters.consume(live, 'a');
      expect(await counters.consume(live, 'a')).toEqual({ outcome: 'charged', taken: 2 });
    });

    it('never refuse an unlimited plan, and count it all the same', async () => {
      const { live } = newAllowances(unlimitedRequests);
      const outcomes = await consumeMany(live, 30);
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
