/** The next step of an operation's executor, by the response it got: the last column of the protocol's table. */
import type { Configuration } from './configurations';
import { type Message, sendInto } from './messages';
import { choosePruning, quotaItem, type RunnerSlot } from './participants';
import type { Rules } from './rules';
import { At, at, type Runner, Step, type World } from './state/world';
import type { Pick, ProtocolStep } from './steps';

/** Whether the runner in a slot has anything left to do. */
export function runnerActs(c: Configuration, w: World, slot: number): boolean {
  const r = at(w.runners, slot);
  // Where the calendar is modelled, no id belongs to a month that has not begun.
  if (r.at === Step.acquire && c.rollover) return at(c.operations, slot).quota <= w.clock;
  return r.at !== At.done && r.at !== At.waiting;
}

/** Makes the function that moves the runner of one slot by one step. */
export function runnerOf(
  c: Configuration,
  on: Rules,
  steps: Readonly<Record<number, ProtocolStep>>,
  slots: readonly RunnerSlot[],
): (w: World, slot: number, pick: Pick) => void {
  const isFree = (op: number): boolean => at(c.operations, op - 1).free === true;

  /** The lease is held and the unit reserved: make the image here, or let a worker make it. */
  const making = (op: number): number =>
    at(c.operations, op - 1).handedOff === true ? At.waiting : At.generate;

  const handOver = (w: World, f: number): void => {
    for (let i = 0; i < slots.length; i++) {
      if (at(slots, i).run === 0) continue;
      at(w.runners, i).at = Step.claim;
      at(w.runners, i).f = f;
    }
  };

  const go = (w: World, r: Runner, op: number, next: number, pick: Pick): void => {
    if (next === At.waiting) handOver(w, r.f);
    r.at = next === At.waiting ? At.done : next;
    // Forgotten once it is of no use, so that histories which no longer differ are one state.
    if (r.at === At.done) r.f = 0;
    const settles = next === Step.commit || next === Step.refund || next === Step.withdraw;
    // Built from what was read before the write: it may be old by the time it is applied.
    r.prune = settles ? choosePruning(c, on, w, quotaItem(c, on, w, next, op), op, pick) : 0;
  };

  const generate = (w: World, r: Runner, op: number, pick: Pick): void => {
    w.action = 'generate';
    const branch = pick(w.crashes > 0 ? 3 : 2);
    if (branch === 2) {
      w.outcome = 'crash';
      die(w, r);
      return;
    }
    const failed = branch === 1 || at(c.operations, op - 1).refused === true;
    const failing = on.failBeforeRefund ? Step.fail : Step.refund;
    w.outcome = failed ? 'error' : 'image made';
    go(w, r, op, failed ? failing : on.finalizeBeforeCommit ? Step.finalize : Step.commit, pick);
  };

  /** Both the place and the unit are there. */
  const afterFunding = (op: number): number => (on.acquireBeforeReserve ? making(op) : Step.acquire);

  /** The last column of the table: where each answer leads. */
  const next = (step: number, op: number, answer: string): number => {
    const mine = answer === 'applied' || answer === 'mine';
    const afterReady = on.finalizeBeforeCommit ? Step.commit : Step.mark;
    switch (step) {
      case Step.acquire:
        // READY is served and a follower polls: neither runs the protocol any further. What a poll reads, `claim`
        // among it, only decides how long the request waits; no write depends on it, so it is no step of the model.
        if (!mine) return At.done;
        if (!on.acquireBeforeReserve) return making(op);
        return on.grantAfterReserve || isFree(op) ? Step.reserve : Step.grant;
      case Step.reserve:
        // After `stale` a new id starts over, which is another operation of the configuration.
        if (!mine) return Step.release;
        // What costs nothing needs no unit.
        return isFree(op) || !on.grantAfterReserve ? afterFunding(op) : Step.grant;
      case Step.grant:
        if (!on.grantAfterReserve) return mine ? Step.reserve : Step.release;
        return mine ? afterFunding(op) : Step.withdraw;
      case Step.withdraw:
        return Step.release;
      case Step.claim:
        return mine ? At.generate : At.done;
      case Step.finalize:
        return mine ? afterReady : Step.refund;
      case Step.commit:
        if (!on.finalizeBeforeCommit) return Step.finalize;
        // A free image was settled when it was finished.
        return isFree(op) ? At.done : Step.mark;
      case Step.fail:
        return answer === 'ready' ? afterReady : Step.refund;
      default:
        return At.done;
    }
  };

  return (w, slot, pick) => {
    const r = at(w.runners, slot);
    const { op, run } = at(slots, slot);
    if (r.at === At.generate) {
      generate(w, r, op, pick);
      return;
    }
    const m: Message = {
      step: r.at,
      op,
      // The fence is learned from the answer to acquire and compared from claim on.
      f: r.at === Step.acquire || r.at === Step.reserve || r.at === Step.grant ? 0 : r.f,
      q: quotaItem(c, on, w, r.at, op),
      extra: r.at === Step.claim ? run : r.prune,
    };
    const branch = pick(1 + (w.retries > 0 ? 1 : 0) + (w.crashes > 0 ? 1 : 0));
    if (branch > 0) {
      sendInto(w, m);
      if (branch === 1 && w.retries > 0) {
        w.retries -= 1;
        w.outcome = 'sent, no answer, will send again';
        return;
      }
      w.outcome = 'sent, crash';
      die(w, r);
      return;
    }
    const step = steps[m.step] as ProtocolStep;
    const applied = step.condition(w, m, pick);
    if (applied) step.write(w, m);
    const answer = applied ? 'applied' : step.failure(w, m);
    w.outcome = answer;
    if (m.step === Step.grant && applied) w.funded[op - 1] = 1;
    if (answer === 'alarm') w.breach = `alarm: ${w.action} of operation ${op} met an impossible entry`;
    else if (answer === 'unpruned') r.prune = 0;
    else {
      if (m.step === Step.acquire) r.f = at(w.generations, at(c.operations, op - 1).generation).f;
      go(w, r, op, next(m.step, op, answer), pick);
    }
  };
}

function die(w: World, r: Runner): void {
  w.crashes -= 1;
  r.at = At.done;
  r.f = 0;
  r.prune = 0;
}
