/** Books an answered request for the plans whose usage is broken down. */

import type { Plans } from '../../contract/plans';
import type { Caller } from '../../domain/caller/caller';
import type { CacheOutcome, UsageSource } from '../../domain/quota/usage';
import type { Telemetry } from '../../ports/telemetry';
import type { UsageLedger } from '../../ports/usage-ledger';

export interface RecordUsageDeps {
  readonly ledger: Pick<UsageLedger, 'record'>;
  readonly plans: Plans;
  readonly telemetry: Telemetry;
}

/** How a request was answered. */
interface UsageOutcome {
  readonly source: UsageSource;
  readonly cache: CacheOutcome;
  /** It has cost nothing. */
  readonly isFree?: true;
}

/** Never throws: a break-down with a gap is better than an answer that was lost over it. */
export type RecordUsage = (caller: Caller, outcome: UsageOutcome, nowMs: number) => Promise<void>;

/** Test keys are left out, as they are from the quota, so that a break-down explains production alone. */
export function createRecordUsage({ ledger, plans, telemetry }: RecordUsageDeps): RecordUsage {
  return async (caller, { source, cache, isFree }, nowMs) => {
    if (caller.kind !== 'live' || plans[caller.plan].analytics === 'totals') return;
    const { account, keyId } = caller;
    try {
      await ledger.record({ account, keyId, source, cache, ...(isFree && { isFree }), atMs: nowMs });
    } catch (error) {
      telemetry.error('A request was not booked in the usage ledger', error, { account });
    }
  };
}
