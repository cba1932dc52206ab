/** Virtual time: scheduled tasks run in the order of their times. */

import type { Clock } from '../../lambda/base/clock';

export interface Scheduler {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Does something after a delay, unless a signal is aborted by then. Of two for the same moment, the one that was scheduled first. */
  after(delayMs: number, act: () => void, signal?: AbortSignal): void;
  sleep(delayMs: number): Promise<void>;
  /** Lets everything happen that is scheduled up to a moment, then stands at that moment. */
  runUntil(momentMs: number): Promise<void>;
  /** Moment of the next event, or `undefined` when nothing is scheduled. */
  nextMs(): number | undefined;
}

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly act: () => void;
  readonly signal: AbortSignal | undefined;
}

export function createScheduler(startMs: number): Scheduler {
  let nowMs = startMs;
  let order = 0;
  const heap: Event[] = [];

  const after: Scheduler['after'] = (delayMs, act, signal) => {
    push(heap, { atMs: nowMs + Math.max(0, Math.round(delayMs)), order: order++, act, signal });
  };

  return {
    nowMs: () => nowMs,
    after,
    sleep: (delayMs) => new Promise((resolve) => after(delayMs, resolve)),
    nextMs: () => heap[0]?.atMs,
    async runUntil(momentMs) {
      await settled();
      for (let first = heap[0]; first && first.atMs <= momentMs; first = heap[0]) {
        pop(heap);
        nowMs = Math.max(nowMs, first.atMs);
        if (first.signal?.aborted) continue;
        first.act();
        await settled();
      }
      nowMs = Math.max(nowMs, momentMs);
    },
  };
}

/** Resolves when everything is done that waits for nothing: a tick begins only after all promises that can be are settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    void Promise.resolve().then(() => process.nextTick(resolve));
  });
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!isBefore(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop() as Event;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as Event)) child += 1;
    if (!isBefore(heap[child] as Event, last)) break;
    heap[at] = heap[child] as Event;
    at = child;
  }
  heap[at] = last;
}

export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

/** Mulberry-like mixing of a 32-bit counter: even enough for choosing, and fast. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    bytes: (length) => Uint8Array.from({ length }, () => between(0, 255)),
  };
}

export interface Actor {
  readonly name: string;
  readonly clock: Clock;
  isAlive(): boolean;
  /** From now on nothing reaches it any more and it does nothing more; what it has sent is on its way. */
  die(): void;
  /** A promise that never settles for a crashed actor. */
  receive<T>(start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T>;
}

/** @param skewMs how far the actor's clock is ahead at a moment of virtual time */
export function createActor(scheduler: Scheduler, name: string, skewMs: (nowMs: number) => number): Actor {
  let alive = true;
  const receive: Actor['receive'] = (start) =>
    new Promise((resolve, reject) => {
      if (!alive) return;
      start(
        (value) => {
          if (alive) resolve(value);
        },
        (error) => {
          if (alive) reject(error);
        },
      );
    });
  return {
    name,
    isAlive: () => alive,
    die: () => {
      alive = false;
    },
    receive,
    clock: {
      nowMs: () => scheduler.nowMs() + skewMs(scheduler.nowMs()),
      sleep: (delayMs, signal) =>
        receive((resolve) => scheduler.after(delayMs, () => resolve(undefined), signal)),
    },
  };
}
