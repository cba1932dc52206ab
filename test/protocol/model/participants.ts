/** The participants of a configuration and what they share: the quota item of a write, and the entries that it prunes. */
import type { Configuration } from './configurations';
import type { Rules } from './rules';
import { at, Entry, Step, type World } from './state/world';
import type { Pick } from './steps';

const { clz32 } = Math;

/** One runner of the configuration: a request (`run` 0), or a run of the worker. */
export interface RunnerSlot {
  readonly op: number;
  readonly run: number;
  readonly name: string;
}

/** One runner per operation, then the two runs of the worker that a twice delivered event starts. */
export function runnerSlots(c: Configuration): readonly RunnerSlot[] {
  const requests = c.operations.map((_, i) => ({ op: i + 1, run: 0, name: `op ${i + 1}` }));
  const handedOff = c.operations.findIndex((o) => o.handedOff) + 1;
  const workers = [1, 2].map((run) => ({ op: handedOff, run, name: `worker run ${run} of op ${handedOff}` }));
  return handedOff > 0 ? [...requests, ...workers] : requests;
}

/** The quota item that a write of an operation goes to: the one its id names, whatever the calendar says by now. */
export function quotaItem(c: Configuration, on: Rules, w: World, step: number, op: number): number {
  const own = at(c.operations, op - 1).quota;
  if (!on.testHasItsOwnItem) return 0;
  const byCalendar =
    ((step === Step.reserve || step === Step.grant) && !on.reserveItemOfId) ||
    (step === Step.commit && !on.commitItemOfId) ||
    ((step === Step.refund || step === Step.withdraw) && !on.refundItemOfId);
  return byCalendar ? w.clock : own;
}

/**
 * Chooses which settled entries the settling write removes, as a bit set: none, or all up to any one of them. The age
 * of 60 seconds is left out, since safety must not rest on it.
 */
export function choosePruning(
  c: Configuration,
  on: Rules,
  w: World,
  q: number,
  op: number,
  pick: Pick,
): number {
  if (!c.prune) return 0;
  const { entries } = at(w.quotas, q);
  let candidates = 0;
  let count = 0;
  for (let i = 0; i < entries.length; i++) {
    const e = at(entries, i);
    const settled = e === Entry.committed || e === Entry.refunded;
    if (i === op - 1 || !(settled || (e === Entry.pending && !on.pruneOnlySettled))) continue;
    candidates |= 1 << i;
    count += 1;
  }
  if (count === 0) return 0;
  let bits = candidates;
  // Drops the highest ones first: what is removed is always the older part.
  for (let dropped = pick(count + 1); dropped > 0; dropped--) bits &= ~(1 << (31 - clz32(bits)));
  return bits;
}
