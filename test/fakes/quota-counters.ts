/** Quota counters on a table in memory. */

import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { counterKey, type Limit } from '../../lambda/quota/quota';
import type { CounterCharge, QuotaCounters } from '../../lambda/quota/quota-counters';
import { observed, tablesInMemory } from './observed';
import { createRecordedTelemetry } from './recorded-telemetry';

/** Counters that record their calls and return scripted results. */
export interface FakeQuotaCounters extends QuotaCounters {
  readonly calls: readonly { readonly operation: keyof QuotaCounters; readonly key: string }[];
  /** Outcomes of the next charges in place of the real ones, in order: an `Error` is thrown, `undefined` is the real one. */
  readonly script: (CounterCharge | Error | undefined)[];
  /** Makes every refund fail with this error from now on, or work again. */
  failRefunds(error: Error | undefined): void;
}

export function createFakeQuotaCounters(): FakeQuotaCounters {
  const calls: { operation: keyof QuotaCounters; key: string }[] = [];
  const script: (CounterCharge | Error | undefined)[] = [];
  let refundFailure: Error | undefined;
  const real = createQuotaCounters(tablesInMemory().db, 'quotaCounters', createRecordedTelemetry());
  const counters = observed(real, (operation, [quota]: readonly Limit[]) => {
    // A window of no units is no call.
    if (!quota || (operation === 'charge' && quota.limit < 1)) return undefined;
    calls.push({ operation, key: counterKey(quota) });
    if (operation === 'refund' && refundFailure) throw refundFailure;
    const scripted = operation === 'charge' ? script.shift() : undefined;
    if (scripted instanceof Error) throw scripted;
    return scripted;
  });
  return {
    ...counters,
    calls,
    script,
    failRefunds: (error) => {
      refundFailure = error;
    },
  };
}
