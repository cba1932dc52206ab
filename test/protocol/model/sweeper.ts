/** The sweeper: finds a pending operation, reads its generation, and acts on that read, however old it is by then. */
import type { Configuration } from './configurations';
import { type Message, sendInto } from './messages';
import { choosePruning } from './participants';
import type { Rules } from './rules';
import { at, Entry, St, Step, type World } from './state/world';
import type { Pick, ProtocolStep } from './steps';

/** Moves the sweeper by one step; answers false if the chosen branch is closed. */
export type SweeperStep = (w: World, pick: Pick) => boolean;

/** Makes the sweeper of a configuration. */
export function sweeperOf(
  c: Configuration,
  on: Rules,
  steps: Readonly<Record<number, ProtocolStep>>,
): SweeperStep {
  /** Reads G strongly and decides what to do for operation `op`, pending in item `q`. */
  const decide = (w: World, op: number, q: number, pick: Pick): void => {
    const g = at(w.generations, at(c.operations, op - 1).generation);
    const s = w.sweeper;
    const mine = g.ex === op;
    if (g.st === St.ready && (mine || !on.sweeperSeesWhose) && on.sweeperCommitsReady) s.todo = Step.commit;
    else if (g.st === St.leased && mine && on.sweeperFencesFirst) s.todo = Step.abandon;
    else s.todo = Step.refund;
    s.op = op;
    s.f = g.f;
    s.q = q;
    s.prune = s.todo === Step.abandon ? 0 : choosePruning(c, on, w, q, op, pick);
    w.outcome = `op ${op}: will ${sweeperVerb(s.todo)}`;
  };

  const rest = (w: World): void => {
    const s = w.sweeper;
    s.todo = 0;
    s.op = 0;
    s.f = 0;
    s.q = 0;
    s.prune = 0;
  };

  const look = (w: World, pick: Pick): boolean => {
    w.action = 'read';
    const operations = c.operations.length;
    const choice = pick(c.quotas.length * operations + c.generations);
    if (choice < c.quotas.length * operations) {
      const q = (choice - (choice % operations)) / operations;
      const item = at(w.quotas, q);
      const op = (choice % operations) + 1;
      // An item is in the sparse index only while it holds units.
      if (item.held === 0 || at(item.entries, op - 1) !== Entry.pending) return false;
      decide(w, op, q, pick);
      return true;
    }
    // Eviction or deletion of an image settles it first, at the item that the image names.
    const g = at(w.generations, choice - c.quotas.length * operations);
    if (g.st !== St.ready || g.settled === 1) return false;
    if (g.q === 0) {
      w.breach = `alarm: the image of operation ${g.ex} is unsettled and names no charge`;
      return true;
    }
    decide(w, g.ex, g.q - 1, pick);
    return true;
  };

  return (w, pick) => {
    const s = w.sweeper;
    if (s.todo === 0) return look(w, pick);
    w.action = sweeperVerb(s.todo);
    const m: Message = { step: s.todo, op: s.op, f: s.f, q: s.q, extra: s.prune };
    // A sweeper that stops with nothing on its way has done nothing that one which never looked has not.
    const branch = pick(w.sweeperCopies > 0 ? 3 : 1);
    if (branch > 0) {
      sendInto(w, m);
      w.sweeperCopies -= 1;
      w.outcome = branch === 1 ? 'sent, no answer, will send again' : 'sent, crash';
      if (branch === 2) rest(w);
      return true;
    }
    const step = steps[s.todo] as ProtocolStep;
    const applied = step.condition(w, m, pick);
    if (applied) step.write(w, m);
    const answer = applied ? 'applied' : step.failure(w, m);
    w.outcome = answer;
    if (answer === 'alarm') {
      w.breach = `alarm: the sweeper's ${w.action} of operation ${s.op} met an impossible entry`;
    } else if (answer === 'unpruned') s.prune = 0;
    else if (s.todo === Step.commit) {
      s.prune = 0;
      s.todo = Step.mark;
      // It may stop between its two writes; a reader of the mark then finds the charge committed.
      if (pick(2) === 1) rest(w);
    } else if (s.todo === Step.abandon && !on.sweeperReadsAgain) s.todo = Step.refund;
    // After `abandon` it looks again: what it read is not what it now knows.
    else rest(w);
    return true;
  };
}

function sweeperVerb(step: number): string {
  if (step === Step.commit) return 'commit';
  if (step === Step.mark) return 'mark';
  return step === Step.abandon ? 'abandon' : 'refund';
}
