/** Remote calls as messages: answered, answered without a receiver, or delayed arbitrarily. */
import { at, type World } from './state/world';

/** One conditional write as it was sent; it means the same whenever it arrives. */
export interface Message {
  readonly step: number;
  /** Operation number, from 1; in a write to a counter that closes, its new watermark, or 0. */
  readonly op: number;
  /** Fence that the sender holds. */
  readonly f: number;
  /** Quota item that it is addressed to. */
  readonly q: number;
  /** Entries that a settle removes (a bit set), the worker run that claims, or what a write that closes has seen. */
  readonly extra: number;
}

/** Packs a message into 24 bits, so that a set of them packs with the state. */
function messageCode(m: Message): number {
  if (m.op > 7 || m.f > 15 || m.q > 3 || m.extra > 255) throw new RangeError('message beyond its 24 bits');
  return m.step | (m.op << 5) | (m.f << 8) | (m.q << 12) | (m.extra << 14);
}

/** Unpacks what `messageCode` packed. */
function messageOf(code: number): Message {
  return {
    step: code & 31,
    op: (code >> 5) & 7,
    f: (code >> 8) & 15,
    q: (code >> 12) & 3,
    extra: code >> 14,
  };
}

/**
 * Leaves a message on its way. A lost answer needs no case of its own: it is this, applied at once. A message that is
 * never applied is this as well, since nothing forces it to arrive.
 */
export function sendInto(w: World, m: Message): void {
  const code = messageCode(m);
  let i = w.flight.length - 1;
  if (at(w.flight, i) !== 0) throw new RangeError('more messages on their way than the budgets allow');
  // Kept in descending order, so that the same set of messages is the same state however it came about.
  for (; i > 0 && at(w.flight, i - 1) < code; i--) w.flight[i] = at(w.flight, i - 1);
  w.flight[i] = code;
}

/** The message at a position of those on their way. */
export function messageAt(w: World, position: number): Message {
  return messageOf(at(w.flight, position));
}

/** Takes out the message at a position, as it is applied. */
export function removeAt(w: World, position: number): void {
  for (let i = position; i < w.flight.length - 1; i++) w.flight[i] = at(w.flight, i + 1);
  w.flight[w.flight.length - 1] = 0;
}
