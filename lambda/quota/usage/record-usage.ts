/** Records answered requests for the plans whose usage is broken down: beside the work, adding up until a write is worth it. */

import type { Clock, Later } from '../../base/clock';
import { withTimeout } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { dayWindow, type Window } from '../../base/window';
import type { Plans } from '../../contract/plans';
import { usageWaitMsMax } from '../../contract/timeouts';
import type { Caller } from '../../credentials/caller';
import {
  outcomeName,
  type UsageEntry,
  type UsageNote,
  type UsageOutcome,
  type UsageRefusal,
  type UsageStore,
  usageWrittenWithinMs,
} from './usage';

interface RecordUsageDeps {
  readonly store: Pick<UsageStore, 'record'>;
  readonly plans: Plans;
  readonly clock: Clock;
  /** Writes what waits in a process that is not frozen between requests. */
  readonly later: Later;
  readonly telemetry: Telemetry;
}

/** What one HTTP request adds to the usage of its caller. */
export interface UsageRecord extends UsageNote {
  /**
   * Corrects what was expected to how the request was answered: one outcome for each image, none for a refusal that is
   * counted elsewhere. Waits for the writes that are under way, a short time at most. Never throws: a lost count is a
   * metric.
   */
  settle(outcomes: readonly Counted[]): Promise<void>;
}

type Counted = UsageOutcome | UsageRefusal;

/** Test keys are left out, as they are from the quota, so that a break-down explains production alone. */
export type RecordUsage = (caller: Caller, nowMs: number) => UsageRecord;

/** Writes usage beside the answer; what cannot be written is counted as lost and fails no request. */
export function createRecordUsage({ store, plans, clock, later, telemetry }: RecordUsageDeps): RecordUsage {
  const tally = createUsageTally();
  const underWay = new Set<Promise<void>>();
  let day: Window | undefined;
  let isLater = false;

  const write = async (entry: UsageEntry): Promise<void> => {
    const { account, counts } = entry;
    const lose = (error: unknown) => {
      const lost = counts.reduce((sum, { requests }) => sum + Math.abs(requests), 0);
      for (let i = 0; i < lost; i++) telemetry.count('usageUncounted');
      telemetry.error('Requests were not recorded in the usage store', error, { account, lost });
    };
    // An instance that slept for a day: the day is being rolled up.
    const endMs = dayWindow(Date.parse(entry.day)).endMs;
    if (clock.nowMs() > endMs + usageWrittenWithinMs) return lose(undefined);
    try {
      await store.record(entry);
    } catch (error) {
      lose(error);
    }
  };

  const writeDue = (nowMs: number): void => {
    if (!tally.isPending) return;
    for (const entry of tally.take(nowMs)) {
      const writing = write(entry).finally(() => underWay.delete(writing));
      underWay.add(writing);
    }
  };

  const waitForWrites = async (): Promise<void> => {
    // A function is frozen after its answer, so what is under way is waited for, mostly no longer than for the charge.
    if (underWay.size > 0)
      await withTimeout(clock, usageWaitMsMax, () => Promise.all(underWay)).catch(() => undefined);
    writeLater();
  };

  const writeLater = (): void => {
    if (!tally.isPending || isLater) return;
    isLater = true;
    later(waitsMsMax, () => {
      isLater = false;
      writeDue(clock.nowMs());
      writeLater();
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
          const name = outcomeName(expected);
          const met = left.findIndex((outcome) => outcomeName(outcome) === name);
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

/** Whose requests of which day. */
type UsageOf = Pick<UsageEntry, 'account' | 'keyId' | 'day'>;

/** Adds answered requests up in this process: written at once while they are few, then several at a time. */
interface UsageTally {
  /** Counts a request, or with -1 takes one back. */
  add(of: UsageOf, outcome: Counted, requests: 1 | -1, nowMs: number): void;
  /** What is to be written now, which the tally then holds no more. */
  take(nowMs: number): readonly UsageEntry[];
  /** Whether anything waits. */
  readonly isPending: boolean;
}

/**
 * At most one in so many of the requests that this process has counted for a key on a day waits to be written: what an
 * instance that ends can lose of them is less than 2 %.
 */
export const countedPerWaiting = 64;
/** At most so many requests of a key wait. */
export const waitingPerKeyMax = 16;
/** What waits longer, in milliseconds, is written beside the next request of any caller. */
export const waitsMsMax = 1_000;
/**
 * Refusals go with the next write of their key. Without one they wait so long, in milliseconds: whoever is refused again
 * and again makes an instance write six times a minute.
 */
export const refusalsWaitMsMax = 10_000;
const neverMs = Number.POSITIVE_INFINITY;
/** Keys and days that are known; one more makes the oldest one leave. */
const talliesMax = 1_000;

interface Tally {
  readonly of: UsageOf;
  /** Requests counted so far, the written ones included. */
  counted: number;
  waiting: number;
  /** When what waits is written, however little it is (epoch, milliseconds). */
  dueMs: number;
  readonly requests: Map<string, { readonly outcome: Counted; requests: number }>;
}

function createUsageTally(): UsageTally {
  const tallies = new Map<string, Tally>();
  /** Those that are to be looked at by `take`. */
  const waiting = new Set<Tally>();

  const tallyOf = (of: UsageOf): Tally => {
    const name = `${of.account}#${of.day}#${of.keyId}`;
    let tally = tallies.get(name);
    if (!tally) {
      if (tallies.size >= talliesMax) tallies.delete(tallies.keys().next().value as string);
      tally = { of, counted: 0, waiting: 0, dueMs: neverMs, requests: new Map() };
      tallies.set(name, tally);
    }
    return tally;
  };

  return {
    add(of, outcome, requests, nowMs) {
      const tally = tallyOf(of);
      const name = outcomeName(outcome);
      const entry = tally.requests.get(name) ?? { outcome, requests: 0 };
      entry.requests += requests;
      tally.requests.set(name, entry);
      const isRefusal = 'refused' in outcome;
      tally.dueMs = Math.min(tally.dueMs, nowMs + (isRefusal ? refusalsWaitMsMax : waitsMsMax));
      if (!isRefusal) {
        tally.waiting += 1;
        tally.counted += 1;
      }
      waiting.add(tally);
    },

    take(nowMs) {
      const entries: UsageEntry[] = [];
      for (const tally of waiting) {
        const batch = Math.max(1, Math.min(waitingPerKeyMax, Math.floor(tally.counted / countedPerWaiting)));
        if (tally.waiting < batch && nowMs < tally.dueMs) continue;
        const counts = [...tally.requests.values()]
          .filter(({ requests }) => requests !== 0)
          .map(({ outcome, requests }) => ({ ...outcome, requests }));
        tally.requests.clear();
        tally.waiting = 0;
        tally.dueMs = neverMs;
        waiting.delete(tally);
        if (counts.length > 0) entries.push({ ...tally.of, counts });
      }
      return entries;
    },

    get isPending() {
      return waiting.size > 0;
    },
  };
}
