/** A usage store on a table in memory. */

import { createUsageHistory } from '../../lambda/quota/dynamodb/usage-history';
import { createUsageMarks } from '../../lambda/quota/dynamodb/usage-marks';
import { createUsageStore } from '../../lambda/quota/dynamodb/usage-store';
import type { UsageHistory, UsageMarks, UsageStore } from '../../lambda/quota/usage/usage';
import { observed, tablesInMemory } from './observed';

type Ledger = UsageStore & UsageHistory & UsageMarks;

export interface FakeUsageLedger extends Ledger {
  readonly calls: readonly string[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
}

export function createFakeUsageLedger(): FakeUsageLedger {
  const { db } = tablesInMemory();
  const calls: string[] = [];
  let failure: Error | undefined;
  const adapters = [createUsageStore, createUsageHistory, createUsageMarks] as const;
  const ledger = Object.assign({}, ...adapters.map((create) => create(db, 'quotaCounters'))) as Ledger;
  return {
    ...observed(ledger, (operation) => {
      calls.push(operation);
      if (failure) throw failure;
    }),
    calls,
    failWith: (error) => {
      failure = error;
    },
  };
}
