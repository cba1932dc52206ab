/** A store of items on a table in memory. */

import type { Clock } from '../../lambda/base/clock';
import type { ItemStore } from '../../lambda/base/item-store';
import { createItemStore } from '../../lambda/stock/dynamodb/item-store';
import { observed, tablesInMemory } from './observed';

type Operation = keyof ItemStore;

/** A store that records its calls and fails on demand. */
export interface FakeItemStore extends ItemStore {
  readonly calls: readonly { readonly operation: Operation; readonly key: string }[];
  /** Makes an operation fail from now on, or work again. */
  fail(operation: Operation, isFailing: boolean): void;
  /** Loses all items and counters. */
  forgetAll(): void;
  /** The answer of a call, which fails where it leaves a write behind. */
  whole<T>(call: Promise<T>): Promise<T>;
}

export function createFakeItemStore(clock: Pick<Clock, 'nowMs'>): FakeItemStore {
  const { memory, db, whole } = tablesInMemory();
  const calls: { operation: Operation; key: string }[] = [];
  const failing = new Set<Operation>();
  const store = observed(createItemStore(db, 'cache', clock), (operation, [key = '']) => {
    calls.push({ operation, key });
    if (failing.has(operation)) throw new Error(`The fake store is set to fail on ${operation}.`);
  });
  return {
    ...store,
    calls,
    fail(operation, isFailing) {
      if (isFailing) failing.add(operation);
      else failing.delete(operation);
    },
    forgetAll: () => memory.forget('cache'),
    whole,
  };
}
