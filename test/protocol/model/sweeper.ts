/**
 * The sweeper: finds a pending operation, reads its generation, and acts on that read, however old it is by then; or
 * closes an item, by reading the counter, then the reservations, and writing what it has found.
 */
import type { Configuration } from './configurations';
import { type Message, sendInto } from './messages';
import { choosePruning } from './participants';
import type { Rules } from './rules';
import { at, closing, Entry, ownedOf, restingSweeper, St, Step, type World } from './state/world';
import type { Pick, ProtocolStep } from './steps';

/** Moves the sweeper by one step; answers false, and changes no more than the trace, if the chosen branch is closed. */
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
    Object.assign(w.sweeper, restingSweeper());
  };

  const readCounter = (w: World): void => {
    const { granted, returned } = at(w.quotas, w.sweeper.q);
    w.sweeper.granted = granted;
    w.sweeper.returned = returned;
  };

  /** Begins to close item `q`. */
  const beginClosing = (w: World, q: number): void => {
    w.sweeper.q = q;
    w.sweeper.todo = closing;
    if (on.closeReadsCounterFirst) readCounter(w);
    else readReservations(w);
    w.outcome = `will close item ${q}`;
  };

  /** What is granted and owned by no operation, and whether all there was is settled. */
  const readReservations = (w: World): void => {
    const s = w.sweeper;
    const item = at(w.quotas, s.q);
    s.begun = item.begun;
    // The mutant that reads in the other order keeps here what it will subtract.
    s.surplus = ownedOf(item);
    s.op = item.held === 0 || !on.unlistEmpty ? 1 : 0;
    s.floor = 0;
    for (let o = 0; o < item.entries.length; o++) if (at(item.entries, o) !== Entry.none) s.floor = o + 1;
  };

  const toUnlist = (w: World): void => {
    const s = w.sweeper;
    s.todo = Step.unlist;
    s.surplus = s.floor = s.returned = s.granted = 0;
  };

  const decideClosing = (w: World): void => {
    const s = w.sweeper;
    if (on.closeReadsCounterFirst) readReservations(w);
    else readCounter(w);
    const isEmpty = s.op === 1;
    // A place without a unit makes this negative: its unit may still be granted.
    s.surplus = Math.max(0, s.granted - s.returned - s.surplus);
    if (!isEmpty || at(w.quotas, s.q).floor >= s.floor) s.floor = 0;
    // Only what also raises the watermark must find the counter as it was read.
    if (s.floor === 0) s.granted = 0;
    s.op = isEmpty ? 1 : 0;
    if (!isEmpty) s.begun = 0;
    const isDue = s.surplus > 0 || s.floor > 0;
    if (isDue && (on.unlistBalanced || !isEmpty)) s.todo = Step.giveBack;
    else if (isEmpty) toUnlist(w);
    else rest(w);
    w.outcome = `will ${s.todo === 0 ? 'rest' : sweeperVerb(s.todo)}`;
  };

  const look = (w: World, pick: Pick): boolean => {
    w.action = 'read';
    const operations = c.operations.length;
    const choice = pick(c.quotas.length * (operations + 1) + c.generations);
    if (choice < c.quotas.length * operations) {
      const q = (choice - (choice % operations)) / operations;
      const item = at(w.quotas, q);
      const op = (choice % operations) + 1;
      // Only what the sparse index lists is found.
      if (item.listed === 0 || at(item.entries, op - 1) !== Entry.pending) return false;
      decide(w, op, q, pick);
      return true;
    }
    const item = choice - c.quotas.length * operations - c.generations;
    if (item >= 0) {
      if (at(w.quotas, item).listed === 0 || w.closings === 0) return false;
      w.closings -= 1;
      beginClosing(w, item);
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

  const messageOf = (w: World): Message => {
    const { todo, op, f, q, prune, surplus, granted, returned, floor, begun } = w.sweeper;
    if (todo === Step.giveBack)
      return { step: todo, op: floor, f: surplus, q, extra: returned | (granted << 4) };
    if (todo === Step.unlist) return { step: todo, op: 0, f: 0, q, extra: begun };
    return { step: todo, op, f, q, extra: prune };
  };

  return (w, pick) => {
    const s = w.sweeper;
    if (s.todo === 0) return look(w, pick);
    w.action = sweeperVerb(s.todo);
    if (s.todo === closing) {
      decideClosing(w);
      return true;
    }
    const m = messageOf(w);
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
    } else if (s.todo === Step.giveBack && applied && s.op === 1) {
      toUnlist(w);
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
  if (step === closing) return 'read the reservations';
  if (step === Step.giveBack) return 'give back';
  if (step === Step.unlist) return 'unlist';
  return step === Step.abandon ? 'abandon' : 'refund';
}
