/** Breadth-first search of every reachable state, so that a violation is found by a shortest path. */
import type { Configuration } from '../configurations';
import { brokenInvariant, hasPending, stuckOperation } from '../invariants';
import { machineOf } from '../machine';
import type { Rules } from '../rules';
import { encodedBytes, initialWorld, readWorld, writeItems, writeWorld } from '../state/encoding';
import { describeItems } from '../state/trace';
import { Step } from '../state/world';
import { oracle } from './oracle';
import { type StateStore, stateStore } from './state-store';

/** Where an exploration stops unfinished. */
export interface Limits {
  readonly states: number;
  readonly elapsedMs: number;
  /** Milliseconds from any fixed moment. */
  readonly clock: () => number;
}

/** What an exploration found. */
export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  /** Steps from the initial state to the farthest state met. */
  readonly depth: number;
  /** Whether every reachable state was met. */
  readonly exhausted: boolean;
  readonly violation?: Violation;
}

/** A broken invariant and a shortest way to it. */
export interface Violation {
  /** Invariant, a colon, and how it is broken. */
  readonly text: string;
  /** One line for each step from the initial state to the violation. */
  readonly trace: readonly string[];
}

/** Explores a configuration under a set of guards until a violation, the end, or a limit. */
export function explore(c: Configuration, on: Rules, limits: Limits): Exploration {
  const first = on.acquireBeforeReserve ? Step.acquire : Step.reserve;
  const machine = machineOf(c, on);
  const choices = oracle();
  const w = initialWorld(c, first);
  const words = Math.ceil(encodedBytes(w) / 4);
  const state = new Uint32Array(words);
  const bytes = new Uint8Array(state.buffer);
  const next = new Uint32Array(words);
  const nextBytes = new Uint8Array(next.buffer);
  const spare = initialWorld(c, first);
  const store = stateStore(words);
  const itemBytes = writeItems(w, new Uint8Array(512));
  const items = new Uint32Array(Math.ceil((itemBytes + 1) / 4));
  const itemsAsBytes = new Uint8Array(items.buffer);
  const settled = stateStore(items.length);
  const started = limits.clock();
  let transitions = 0;
  let depth = 0;
  let levelEnd = 1;

  writeWorld(w, nextBytes);
  store.add(next, -1);

  /** Calls `visit` after every step possible from a state, with the world it leads to; stops when `visit` answers true. */
  const successors = (visit: () => boolean): boolean => {
    readWorld(w, bytes);
    for (let actor = 0; actor < machine.actors; actor++) {
      if (!machine.acts(w, actor)) continue;
      choices.start();
      do {
        if (!machine.step(w, actor, choices.pick)) continue;
        if (visit()) return true;
        readWorld(w, bytes);
      } while (choices.advance());
    }
    return false;
  };

  const brokenNow = (): string => {
    const broken = brokenInvariant(c, w);
    if (broken !== '' || !hasPending(w)) return broken;
    // An undisturbed sweep depends on the stored items and on whether an image was evicted, so each such case is asked once.
    itemsAsBytes[writeItems(w, itemsAsBytes)] = w.evictions;
    if (settled.add(items, -1) < 0) return '';
    readWorld(spare, nextBytes);
    return stuckOperation(c, spare, machine.sweep);
  };

  const traceTo = (last: number, final: string): readonly string[] => {
    const path: number[] = [];
    for (let i = last; i >= 0; i = store.parent(i)) path.unshift(i);
    const lines: string[] = [];
    for (const [i, from] of path.slice(0, -1).entries()) {
      store.load(from, state);
      const target = wordsOf(store, path[i + 1] as number, words);
      successors(() => {
        writeWorld(w, nextBytes);
        if (!next.every((word, k) => word === target[k])) return false;
        lines.push(line());
        return true;
      });
    }
    return [...lines, final];
  };
  const line = (): string => `${w.actor}: ${w.action}, ${w.outcome}`.padEnd(62) + describeItems(w);

  for (let index = 0; index < store.size(); index++) {
    if (index === levelEnd) {
      depth += 1;
      levelEnd = store.size();
    }
    if (
      (index & 1023) === 0 &&
      (store.size() > limits.states || limits.clock() - started > limits.elapsedMs)
    ) {
      return { states: store.size(), transitions, depth, exhausted: false };
    }
    store.load(index, state);
    let text = '';
    const violated = successors(() => {
      transitions += 1;
      text = w.breach;
      if (text !== '') return true;
      writeWorld(w, nextBytes);
      if (store.add(next, index) < 0) return false;
      text = brokenNow();
      return text !== '';
    });
    if (violated) {
      const trace = traceTo(index, line());
      return {
        states: store.size(),
        transitions,
        depth: depth + 1,
        exhausted: false,
        violation: { text, trace },
      };
    }
  }
  return { states: store.size(), transitions, depth, exhausted: true };
}

function wordsOf(store: StateStore, index: number, words: number): Uint32Array {
  const target = new Uint32Array(words);
  store.load(index, target);
  return target;
}
