/** The contract of every usage store. */

import { randomBytes } from 'node:crypto';
import { dayWindow } from '../../lambda/base/window';
import type { AccountId } from '../../lambda/credentials/account-id';
import {
  lastMonths,
  type UsageEntry,
  type UsageHistory,
  type UsageMarks,
  type UsageMonth,
  type UsageOutcome,
  type UsageStore,
} from '../../lambda/quota/usage/usage';
import { accountId } from '../fakes/branded';

export interface LedgerUnderTest {
  readonly store: UsageStore & UsageHistory & UsageMarks;
  stop?(): Promise<void>;
}

const sorted = (month: UsageMonth | undefined): UsageMonth | undefined =>
  month && {
    ...month,
    counts: [...month.counts].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };

export function describeUsageLedger(name: string, start: () => Promise<LedgerUnderTest>): void {
  describe(`the usage store: ${name}`, () => {
    let subject: LedgerUnderTest;
    let store: LedgerUnderTest['store'];
    let account: AccountId;

    beforeAll(async () => {
      subject = await start();
      store = subject.store;
    });
    beforeEach(() => {
      account = accountId(`acc_${randomBytes(6).toString('hex')}`);
    });
    afterAll(() => subject?.stop?.());

    interface Change extends Partial<Omit<UsageEntry, 'day' | 'counts'>>, Partial<UsageOutcome> {
      readonly atMs?: number;
      readonly requests?: number;
    }
    const entry = ({
      source = 'stock_a',
      cache = 'HIT',
      isFree,
      requests = 1,
      atMs = Date.UTC(2026, 10, 21, 12),
      ...of
    }: Change = {}): UsageEntry => ({
      account,
      keyId: 'key_1',
      ...of,
      day: dayWindow(atMs).label,
      counts: [{ source, cache, ...(isFree && { isFree }), requests }],
    });
    const november = async () => (await store.months(account, ['2026-11'])).get('2026-11');

    it('returns nothing for an unknown account', async () => {
      expect(await store.months(account, ['2026-11', '2026-10'])).toEqual(new Map());
    });

    it('counts by day, source, cache outcome and key', async () => {
      await store.record(entry());
      await store.record(entry());
      await store.record(entry({ source: 'ai', cache: 'MISS', keyId: 'key_2' }));
      await store.record(entry({ atMs: Date.UTC(2026, 10, 1) }));
      expect(sorted(await november())).toEqual(
        sorted({
          counts: [
            { day: 21, source: 'stock_a', cache: 'HIT', requests: 2 },
            { day: 21, source: 'ai', cache: 'MISS', requests: 1 },
            { day: 1, source: 'stock_a', cache: 'HIT', requests: 1 },
          ],
          byKey: { key_1: 3, key_2: 1 },
        }),
      );
    });

    it('adds several requests in one entry, and takes back what was counted too early', async () => {
      const counts = [
        { source: 'stock_a', cache: 'HIT', requests: 5 },
        { source: 'stock_b', cache: 'MISS', requests: 2 },
      ] as const;
      await store.record({ ...entry(), counts });
      await store.record(entry({ requests: -1 }));
      expect(sorted(await november())).toEqual(
        sorted({
          counts: [
            { day: 21, source: 'stock_a', cache: 'HIT', requests: 4 },
            { day: 21, source: 'stock_b', cache: 'MISS', requests: 2 },
          ],
          byKey: { key_1: 6 },
        }),
      );
    });

    it('counts refusals by code, and names the days of the last month apart', async () => {
      const refused = [
        { refused: 'rate_limited', requests: 5 },
        { refused: 'not_found', requests: 1 },
      ] as const;
      await store.record({ ...entry(), counts: refused });
      await store.record({ ...entry({ keyId: 'key_2', atMs: Date.UTC(2026, 10, 2) }), counts: refused });
      await store.record(entry({ atMs: Date.UTC(2026, 9, 2) }));
      const months = await store.months(account, ['2026-10', '2026-11']);
      expect([...months.keys()].sort()).toEqual(['2026-10', '2026-11', '2026-11-02', '2026-11-21']);
      expect(months.get('2026-11')).toEqual({
        counts: [],
        byKey: {},
        refused: { rate_limited: 10, not_found: 2 },
      });
      expect(months.get('2026-11-02')?.refused).toEqual({ rate_limited: 5, not_found: 1 });
    });

    it('records all of many concurrent requests', async () => {
      await Promise.all(Array.from({ length: 40 }, (_, i) => store.record(entry({ keyId: `key_${i % 4}` }))));
      expect(await november()).toEqual({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 40 }],
        byKey: { key_0: 10, key_1: 10, key_2: 10, key_3: 10 },
      });
    });

    it('separates accounts and months, to the millisecond', async () => {
      await store.record(entry({ atMs: Date.UTC(2026, 11, 1) - 1 }));
      await store.record(entry({ atMs: Date.UTC(2026, 11, 1) }));
      await store.record(entry({ account: accountId(`${account}x`) }));
      const months = await store.months(account, ['2026-11', '2026-12']);
      expect(months.get('2026-11')?.counts).toEqual([
        { day: 30, source: 'stock_a', cache: 'HIT', requests: 1 },
      ]);
      expect(months.get('2026-12')?.counts).toEqual([
        { day: 1, source: 'stock_a', cache: 'HIT', requests: 1 },
      ]);
    });

    it('reads thirteen months and omits empty ones', async () => {
      const labels = lastMonths(Date.UTC(2026, 10, 21), 13);
      await store.record(entry({ atMs: Date.UTC(2025, 10, 5) }));
      await store.record(entry());
      const months = [...(await store.months(account, labels)).keys()].sort();
      expect(months).toEqual(['2025-11', '2026-11', '2026-11-21']);
    });

    it('marks a threshold for exactly one of many, who may repeat itself', async () => {
      const marks = Array.from({ length: 12 }, (_, i) => store.markAnnounced(account, '2026-11', 80, `${i}`));
      const results = await Promise.all(marks);
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.markAnnounced(account, '2026-11', 80, `${results.indexOf(true)}`)).toBe(true);
      expect(await store.markAnnounced(account, '2026-11', 100, 'late')).toBe(true);
      expect(await store.markAnnounced(account, '2026-12', 80, 'late')).toBe(true);
    });

    it('counts what was free apart, by key', async () => {
      await store.record(entry({ isFree: true }));
      await store.record(entry());
      await store.record(entry({ keyId: 'key_2' }));
      expect(await november()).toEqual({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 3 }],
        byKey: { key_1: 2, key_2: 1 },
        freeByKey: { key_1: 1 },
      });
    });

    it('takes back a request that was counted as free, or as one that costs, and was the other', async () => {
      const counted = { source: 'stock_a', cache: 'HIT' } as const;
      await store.record(entry({ isFree: true }));
      await store.record(entry({ requests: 2 }));
      const corrected = [
        { ...counted, requests: -1 },
        { ...counted, isFree: true, requests: 1 },
      ] as const;
      await store.record({ ...entry(), counts: corrected });
      expect(await november()).toEqual({
        counts: [{ day: 21, ...counted, requests: 3 }],
        byKey: { key_1: 3 },
        freeByKey: { key_1: 2 },
      });
    });

    it('does not count an announcement as a request', async () => {
      await store.markAnnounced(account, '2026-11', 80, 'me');
      await store.record(entry());
      expect(await november()).toEqual({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 1 }],
        byKey: { key_1: 1 },
      });
    });
  });
}
