/** Adds answered requests up in this process until a write is worth it: at once while they are few, then several at a time. */

import { type UsageOutcome, usageName } from '../../domain/quota/usage';
import type { UsageEntry } from '../../ports/usage-ledger';

/** Whose requests of which day. */
export type UsageOf = Pick<UsageEntry, 'account' | 'keyId' | 'day'>;

export interface UsageTally {
  /** Counts a request, or with -1 takes one back. */
  add(of: UsageOf, outcome: UsageOutcome, requests: 1 | -1, nowMs: number): void;
  /** What is to be written now, which the tally then holds no more; `everything` for what could still wait too. */
  take(nowMs: number, everything?: boolean): readonly UsageEntry[];
  /** Whether anything waits. */
  readonly isPending: boolean;
}

/**
 * At most one in so many of the requests that this process has counted for a key on a day waits to be written: what an
 * instance that ends can lose of them is less than 2 %.
 */
export const waitingShare = 64;
/** At most so many requests of a key wait. */
export const waitingMax = 16;
/** What waits longer, in milliseconds, is written beside the next request of any caller. */
export const waitsMsMax = 1_000;
/** Keys and days that are known; one more makes the oldest one leave. */
const talliesMax = 1_000;

interface Tally {
  readonly of: UsageOf;
  /** Requests counted so far, the written ones included. */
  counted: number;
  waiting: number;
  sinceMs: number;
  readonly requests: Map<string, { readonly outcome: UsageOutcome; requests: number }>;
}

export function createUsageTally(): UsageTally {
  const tallies = new Map<string, Tally>();
  /** Those that are to be looked at by `take`. */
  const waiting = new Set<Tally>();

  const tallyOf = (of: UsageOf): Tally => {
    const name = `${of.account}#${of.day}#${of.keyId}`;
    let tally = tallies.get(name);
    if (!tally) {
      if (tallies.size >= talliesMax) tallies.delete(tallies.keys().next().value as string);
      tally = { of, counted: 0, waiting: 0, sinceMs: 0, requests: new Map() };
      tallies.set(name, tally);
    }
    return tally;
  };

  return {
    add(of, outcome, requests, nowMs) {
      const tally = tallyOf(of);
      const name = usageName(outcome);
      const entry = tally.requests.get(name) ?? { outcome, requests: 0 };
      entry.requests += requests;
      tally.requests.set(name, entry);
      if (tally.waiting === 0) tally.sinceMs = nowMs;
      tally.waiting += 1;
      tally.counted += 1;
      waiting.add(tally);
    },

    take(nowMs, everything = false) {
      const entries: UsageEntry[] = [];
      for (const tally of waiting) {
        const batch = Math.max(1, Math.min(waitingMax, Math.floor(tally.counted / waitingShare)));
        if (!everything && tally.waiting < batch && nowMs - tally.sinceMs < waitsMsMax) continue;
        const counts = [...tally.requests.values()]
          .filter(({ requests }) => requests !== 0)
          .map(({ outcome, requests }) => ({ ...outcome, requests }));
        tally.requests.clear();
        tally.waiting = 0;
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
