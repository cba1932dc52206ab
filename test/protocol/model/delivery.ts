/** Requests for a finished image: the first removes `due` and pays nothing more, every other one is charged. */
import type { Configuration } from './configurations';
import { type Message, sendInto } from './messages';
import type { Rules } from './rules';
import { recordFree } from './state/ghosts';
import { at, Delivery, St, Step, type World } from './state/world';
import type { Pick, ProtocolStep } from './steps';

/** Whether the request can act: it begins once it finds the image READY, and ends when it is served or refused. */
export function deliveryActs(w: World, index: number): boolean {
  const d = at(w.deliveries, index);
  if (d.at === Delivery.over) return false;
  // Requests are alike: they begin in order, so that no two states differ only in which of them acts.
  if (d.at === Delivery.none && index > 0 && at(w.deliveries, index - 1).at === Delivery.none) return false;
  return d.at !== Delivery.none || at(w.generations, 0).st === St.ready;
}

/** Makes the function that moves one such request by one step. */
export function deliveryOf(
  c: Configuration,
  on: Rules,
  steps: Readonly<Record<number, ProtocolStep>>,
): (w: World, index: number, pick: Pick) => boolean {
  return (w, index, pick) => {
    const d = at(w.deliveries, index);
    const over = (): void => {
      d.at = Delivery.over;
      d.op = 0;
    };
    if (d.at === Delivery.none) {
      const g = at(w.generations, 0);
      w.action = 'read';
      w.outcome = `READY by op ${g.ex}`;
      d.op = g.ex;
      d.at = Delivery.takeDue;
      // A variation of an existing base costs nothing, so nothing is asked of its `due`.
      if (at(c.operations, g.ex - 1).free === true && g.due === 0) over();
      return true;
    }
    const taking = d.at === Delivery.takeDue;
    w.action = taking ? 'remove due' : 'pay';
    const m: Message = {
      step: taking ? Step.takeDue : Step.pay,
      op: d.op,
      f: 0,
      q: c.deliveryQuota,
      extra: 0,
    };
    if (pick(w.retries > 0 ? 2 : 1) === 1) {
      // Sent once: on an unknown outcome the request is served and counted as not charged.
      sendInto(w, m);
      w.retries -= 1;
      w.outcome = 'sent, no answer';
      if (taking && !on.dueUnknownIsFree) return true;
      if (taking) recordFree(w, d.op);
      over();
      return true;
    }
    const step = steps[m.step] as ProtocolStep;
    const hadDue = at(w.generations, 0).due === 1;
    const applied = step.condition(w, m, pick);
    if (applied) step.write(w, m);
    w.outcome = applied ? 'applied' : step.failure(w, m);
    if (!taking) over();
    else if (!applied) d.at = Delivery.pay;
    else {
      if (!hadDue) w.breach = `D1: operation ${d.op} pays for a second free delivery`;
      if (at(c.operations, d.op - 1).free === true)
        w.breach = `D1: operation ${d.op} was charged nothing, yet pays for a delivery`;
      recordFree(w, d.op);
      over();
    }
    return true;
  };
}
