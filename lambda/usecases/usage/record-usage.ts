/** Records answered requests for the plans whose usage is broken down: beside the work, never after it, and never in its way. */

import { withTimeout } from '../../async/deadline';
import type { Plans } from '../../contract/plans';
import { usageWaitMsMax } from '../../contract/timeouts';
import type { Caller } from '../../domain/caller/caller';
import { type UsageNote, type UsageOutcome, usageName, usageWrittenWithinMs } from '../../domain/quota/usage';
import { dayWindow, type Window } from '../../domain/quota/window';
import type { Clock, Later } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { UsageEntry, UsageLedger } from '../../ports/usage-ledger';
import { createUsageTally, type UsageOf, waitsMsMax } from './usage-tally';

export interface RecordUsageDeps {
  readonly ledger: Pick<UsageLedger, 'record'>;
  readonly plans: Plans;
  readonly clock: Clock;
  /** Writes what waits in a process that is not frozen between requests. */
  readonly later: Later;
  readonly telemetry: Telemetry;
}

/** What one HTTP request adds to the usage of its caller. */
export interface UsageRecord extends UsageNote {
  /**
   * Corrects what was expected to how the request was answered: one outcome for each image, none for a refusal. Waits for
   * the writes that are under way, a short time at most. Never throws: a lost count is a metric.
   */
  settle(outcomes: readonly UsageOutcome[]): Promise<void>;
}

/** Test keys are left out, as they are from the quota, so that a break-down explains production alone. */
export type RecordUsage = (caller: Caller, nowMs: number) => UsageRecord;

export function createRecordUsage({ ledger, plans, clock, later, telemetry }: RecordUsageDeps): RecordUsage {
  const tally = createUsageTally();
  const underWay = new Set<Promise<void>>();
  let day: Window | undefined;
  let isLater = false;

  const write = async (entry: UsageEntry): Promise<void> => {
    const { account, counts } = entry;
    const lose = (error: unknown) => {
      const lost = counts.reduce((sum, { requests }) => sum + Math.abs(requests), 0);
      for (let i = 0; i < lost; i++) telemetry.count('usageUncounted');
      telemetry.error('Requests were not recorded in the usage ledger', error, { account, lost });
    };
    // An instance that slept for a day: the day is being rolled up.
    const endMs = dayWindow(Date.parse(entry.day)).endMs;
    if (clock.nowMs() > endMs + usageWrittenWithinMs) return lose(undefined);
    try {
      await ledger.record(entry);
    } catch (error) {
      lose(error);
    }
  };

  const writeDue = (nowMs: number, everything = false): void => {
    if (!tally.isPending) return;
    for (const entry of tally.take(nowMs, everything)) {
      const writing = write(entry).finally(() => underWay.delete(writing));
      underWay.add(writing);
    }
  };

  const waitForWrites = async (): Promise<void> => {
    // A function is frozen after its answer, so what is under way is waited for, mostly no longer than for the charge.
    if (underWay.size > 0)
      await withTimeout(clock, usageWaitMsMax, () => Promise.all(underWay)).catch(() => undefined);
    if (!tally.isPending || isLater) return;
    isLater = true;
    later(waitsMsMax, () => {
      isLater = false;
      writeDue(clock.nowMs(), true);
    });
  };

  const nothing: UsageRecord = { expect: () => undefined, settle: waitForWrites };

  return (caller, nowMs) => {
    writeDue(nowMs);
    if (caller.kind !== 'live' || plans[caller.plan].analytics === 'totals') return nothing;
    if (!day || nowMs < day.startMs || nowMs >= day.endMs) day = dayWindow(nowMs);
    const of: UsageOf = { account: caller.account, keyId: caller.keyId, day: day.label };
    let expected: UsageOutcome | undefined;
    return {
      expect(outcome) {
        if (expected) return;
        expected = outcome;
        tally.add(of, outcome, 1, nowMs);
        writeDue(nowMs);
      },
      settle(outcomes) {
        const left = [...outcomes];
        if (expected) {
          const name = usageName(expected);
          const met = left.findIndex((outcome) => usageName(outcome) === name);
          if (met < 0) tally.add(of, expected, -1, nowMs);
          else left.splice(met, 1);
          expected = undefined;
        }
        for (const outcome of left) tally.add(of, outcome, 1, nowMs);
        writeDue(nowMs);
        return waitForWrites();
      },
    };
  };
}
