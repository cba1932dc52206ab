/** Ghost variables that only the invariants read: what was done, as opposed to what is stored. */
import type { Message } from '../messages';
import { at, type Generation, type World } from './world';

/** A reserve was applied: the operation contributes to `taken`. */
export function recordReserve(w: World, op: number): void {
  w.reserved[op - 1] = at(w.reserved, op - 1) + 1;
}

/** An image became durable. */
export function recordFinalize(w: World, g: Generation, m: Message): void {
  const bit = 1 << (m.op - 1);
  if (g.finalizedBy & bit) w.breach = `I6: operation ${m.op} finalized twice under fence ${g.f}`;
  g.finalizedBy |= bit;
  w.made[m.op - 1] = at(w.made, m.op - 1) + 1;
}

/** A request was served without paying, because it removed `due` or does not know whether it did. */
export function recordFree(w: World, op: number): void {
  w.freed[op - 1] = 1;
}
