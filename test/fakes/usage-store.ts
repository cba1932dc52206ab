/** A usage store in memory. */

import {
  daysOfMonth,
  type UsageCount,
  type UsageEntry,
  type UsageHistory,
  type UsageMarks,
  type UsageMonth,
  type UsageStore,
} from '../../lambda/quota/usage/usage';

type Operation = keyof UsageStore | keyof UsageHistory | keyof UsageMarks;

export interface FakeUsageLedger extends UsageStore, UsageHistory, UsageMarks {
  readonly calls: readonly Operation[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
}

interface Month {
  readonly counts: UsageCount[];
  readonly byKey: Record<string, number>;
  freeByKey?: Record<string, number>;
  refused?: Record<string, number>;
}

export function createFakeUsageLedger(): FakeUsageLedger {
  const months = new Map<string, Month>();
  const marks = new Map<string, string>();
  const calls: Operation[] = [];
  let failure: Error | undefined;

  const begin = (operation: Operation) => {
    calls.push(operation);
    if (failure) throw failure;
  };

  const add = (label: string, { account, keyId, day, counts }: UsageEntry): void => {
    const name = `${account} ${label}`;
    const month: Month = months.get(name) ?? { counts: [], byKey: {} };
    months.set(name, month);
    for (const counted of counts) {
      const { requests } = counted;
      if ('refused' in counted) {
        month.refused ??= {};
        month.refused[counted.refused] = (month.refused[counted.refused] ?? 0) + requests;
        continue;
      }
      const { source, cache, isFree } = counted;
      const dayOfMonth = Number(day.slice(-2));
      const i = month.counts.findIndex(
        (count) => count.day === dayOfMonth && count.source === source && count.cache === cache,
      );
      const sum = (month.counts[i]?.requests ?? 0) + requests;
      month.counts.splice(i < 0 ? month.counts.length : i, 1, {
        day: dayOfMonth,
        source,
        cache,
        requests: sum,
      });
      month.byKey[keyId] = (month.byKey[keyId] ?? 0) + requests;
      if (!isFree) continue;
      month.freeByKey ??= {};
      month.freeByKey[keyId] = (month.freeByKey[keyId] ?? 0) + requests;
    }
  };

  return {
    calls,
    failWith: (error) => {
      failure = error;
    },

    async record({ account, keyId, day, counts }) {
      begin('record');
      for (const label of [day.slice(0, 7), day]) add(label, { account, keyId, day, counts });
    },

    async months(account, labels) {
      begin('months');
      const shown = [...labels, ...daysOfMonth(labels.toSorted().at(-1) ?? '')];
      const found = shown.map((label) => [label, months.get(`${account} ${label}`)] as const);
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
