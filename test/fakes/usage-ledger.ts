/** A usage ledger in memory. */

import type { UsageCount, UsageMonth } from '../../lambda/domain/quota/usage';
import { monthWindow } from '../../lambda/domain/quota/window';
import type { UsageLedger } from '../../lambda/ports/usage-ledger';

export interface FakeUsageLedger extends UsageLedger {
  readonly calls: readonly (keyof UsageLedger)[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
}

interface Month {
  readonly counts: UsageCount[];
  readonly byKey: Record<string, number>;
  freeByKey?: Record<string, number>;
}

export function createFakeUsageLedger(): FakeUsageLedger {
  const months = new Map<string, Month>();
  const marks = new Map<string, string>();
  const calls: (keyof UsageLedger)[] = [];
  let failure: Error | undefined;

  const begin = (operation: keyof UsageLedger) => {
    calls.push(operation);
    if (failure) throw failure;
  };

  return {
    calls,
    failWith: (error) => {
      failure = error;
    },

    async record({ account, keyId, source, cache, isFree, atMs }) {
      begin('record');
      const name = `${account} ${monthWindow(atMs).label}`;
      const month: Month = months.get(name) ?? { counts: [], byKey: {} };
      months.set(name, month);
      const day = new Date(atMs).getUTCDate();
      const i = month.counts.findIndex(
        (count) => count.day === day && count.source === source && count.cache === cache,
      );
      const requests = (month.counts[i]?.requests ?? 0) + 1;
      month.counts.splice(i < 0 ? month.counts.length : i, 1, { day, source, cache, requests });
      month.byKey[keyId] = (month.byKey[keyId] ?? 0) + 1;
      if (isFree) {
        month.freeByKey ??= {};
        month.freeByKey[keyId] = (month.freeByKey[keyId] ?? 0) + 1;
      }
    },

    async months(account, labels) {
      begin('months');
      const found = labels.map((label) => [label, months.get(`${account} ${label}`)] as const);
      return new Map(found.filter((entry): entry is [string, UsageMonth & Month] => entry[1] !== undefined));
    },

    async markAnnounced(account, label, percent, by) {
      begin('markAnnounced');
      const name = `${account} ${label} ${percent}`;
      if (!marks.has(name)) marks.set(name, by);
      return marks.get(name) === by;
    },
  };
}
