/** Quota counters in memory. */

import { unlimitedRequests } from '../../lambda/contract/plans';
import { counterKey, isSet, type Limit } from '../../lambda/quota/quota';
import type { CounterCharge, QuotaCounters } from '../../lambda/quota/quota-counters';

/** Counters that record their calls and return scripted results. */
export interface FakeQuotaCounters extends QuotaCounters {
  readonly calls: readonly { readonly operation: keyof QuotaCounters; readonly key: string }[];
  /** Outcomes of the next charges in place of the real ones, in order: an `Error` is thrown, `undefined` is the real one. */
  readonly script: (CounterCharge | Error | undefined)[];
  /** Makes every refund fail with this error from now on, or work again. */
  failRefunds(error: Error | undefined): void;
}

export function createFakeQuotaCounters(): FakeQuotaCounters {
  const units = new Map<string, number>();
  const requests = new Map<string, Set<string>>();
  const calls: { operation: keyof QuotaCounters; key: string }[] = [];
  const script: (CounterCharge | Error | undefined)[] = [];
  let refundFailure: Error | undefined;

  const setOf = (key: string) => {
    const set = requests.get(key) ?? new Set();
    requests.set(key, set);
    return set;
  };
  const takenOf = (quota: Limit) =>
    isSet(quota) ? setOf(counterKey(quota)).size : (units.get(counterKey(quota)) ?? 0);

  return {
    calls,
    script,
    failRefunds: (error) => {
      refundFailure = error;
    },

    async charge(quota, requestId) {
      if (quota.limit < 1) return { outcome: 'exhausted' };
      const key = counterKey(quota);
      calls.push({ operation: 'charge', key });
      const scripted = script.shift();
      if (scripted instanceof Error) throw scripted;
      if (scripted) return scripted;
      const isRepeated = isSet(quota) && setOf(key).has(requestId);
      const isFull = quota.limit !== unlimitedRequests && takenOf(quota) >= quota.limit;
      if (isFull && !isRepeated) return { outcome: 'exhausted' };
      if (isSet(quota)) setOf(key).add(requestId);
      else units.set(key, takenOf(quota) + 1);
      return { outcome: 'charged', taken: takenOf(quota) };
    },

    async refund(quota, requestId) {
      const key = counterKey(quota);
      calls.push({ operation: 'refund', key });
      if (refundFailure) throw refundFailure;
      if (isSet(quota)) {
        setOf(key).delete(requestId);
        return;
      }
      if (takenOf(quota) < 1) throw new Error('There is nothing to give back.');
      units.set(key, takenOf(quota) - 1);
    },

    async taken(quota) {
      calls.push({ operation: 'taken', key: counterKey(quota) });
      return takenOf(quota);
    },
  };
}
