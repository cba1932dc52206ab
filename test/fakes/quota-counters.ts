/** Quota counters in memory. */

import { unlimitedRequests } from '../../lambda/contract/plans';
import { type Allowance, counterKey } from '../../lambda/quota/quota';
import type { Consumption, QuotaCounters } from '../../lambda/quota/quota-counters';

/** Counters that record their calls and return scripted results. */
export interface FakeQuotaCounters extends QuotaCounters {
  readonly calls: readonly { readonly operation: keyof QuotaCounters; readonly key: string }[];
  /** Outcomes of the next charges in place of the real ones, in order: an `Error` is thrown, `undefined` is the real one. */
  readonly script: (Consumption | Error | undefined)[];
  /** Makes every refund fail with this error from now on, or work again. */
  failRefunds(error: Error | undefined): void;
}

export function createFakeQuotaCounters(): FakeQuotaCounters {
  const units = new Map<string, number>();
  const requests = new Map<string, Set<string>>();
  const calls: { operation: keyof QuotaCounters; key: string }[] = [];
  const script: (Consumption | Error | undefined)[] = [];
  let refundFailure: Error | undefined;

  const setOf = (key: string) => {
    const set = requests.get(key) ?? new Set();
    requests.set(key, set);
    return set;
  };
  const takenOf = (allowance: Allowance) =>
    allowance.counter.kind === 'ip'
      ? setOf(counterKey(allowance)).size
      : (units.get(counterKey(allowance)) ?? 0);

  return {
    calls,
    script,
    failRefunds: (error) => {
      refundFailure = error;
    },

    async consume(allowance, requestId) {
      const key = counterKey(allowance);
      calls.push({ operation: 'consume', key });
      const scripted = script.shift();
      if (scripted instanceof Error) throw scripted;
      if (scripted) return scripted;
      const isRepeated = allowance.counter.kind === 'ip' && setOf(key).has(requestId);
      const isFull = allowance.limit !== unlimitedRequests && takenOf(allowance) >= allowance.limit;
      if (isFull && !isRepeated) return { outcome: 'exhausted' };
      if (allowance.counter.kind === 'ip') setOf(key).add(requestId);
      else units.set(key, takenOf(allowance) + 1);
      return { outcome: 'charged', taken: takenOf(allowance) };
    },

    async refund(allowance, requestId) {
      const key = counterKey(allowance);
      calls.push({ operation: 'refund', key });
      if (refundFailure) throw refundFailure;
      if (allowance.counter.kind === 'ip') {
        setOf(key).delete(requestId);
        return;
      }
      if (takenOf(allowance) < 1) throw new Error('There is nothing to give back.');
      units.set(key, takenOf(allowance) - 1);
    },

    async taken(allowance) {
      calls.push({ operation: 'taken', key: counterKey(allowance) });
      return takenOf(allowance);
    },
  };
}
