/** A store of items in memory. */

import type { Clock } from '../../lambda/base/clock';
import type { ItemStore, Stored } from '../../lambda/base/item-store';

type Operation = keyof ItemStore;

/** A store that records its calls and fails on demand. */
export interface FakeItemStore extends ItemStore {
  readonly calls: readonly { readonly operation: Operation; readonly key: string }[];
  /** Makes an operation fail from now on, or work again. */
  fail(operation: Operation, isFailing: boolean): void;
  /** Loses all items and counters. */
  forgetAll(): void;
}

interface Item {
  stored?: Stored<string>;
  lease?: { readonly holder: string; readonly endsMs: number };
}

export function createFakeItemStore(clock: Pick<Clock, 'nowMs'>): FakeItemStore {
  const items = new Map<string, Item>();
  const counters = new Map<string, Map<string, number>>();
  const calls: { operation: Operation; key: string }[] = [];
  const failing = new Set<Operation>();

  const begin = (operation: Operation, key: string) => {
    calls.push({ operation, key });
    if (failing.has(operation)) throw new Error(`The fake store is set to fail on ${operation}.`);
  };

  const usable = <T>(item: Item | undefined): Stored<T> | undefined => {
    if (!item?.stored) return undefined;
    const { value, freshUntilMs, staleUntilMs } = item.stored;
    if (Math.max(freshUntilMs, staleUntilMs) <= clock.nowMs()) return undefined;
    return { value: JSON.parse(value) as T, freshUntilMs, staleUntilMs };
  };

  return {
    calls,

    fail(operation, isFailing) {
      if (isFailing) failing.add(operation);
      else failing.delete(operation);
    },

    forgetAll() {
      items.clear();
      counters.clear();
    },

    async readLatest<T>(key: string) {
      begin('readLatest', key);
      return usable<T>(items.get(key));
    },

    async read<T>(key: string) {
      begin('read', key);
      return usable<T>(items.get(key));
    },

    async write(key, { value, freshUntilMs, staleUntilMs }) {
      begin('write', key);
      items.set(key, { stored: { value: JSON.stringify(value), freshUntilMs, staleUntilMs } });
    },

    async lease<T>(key: string, holder: string, leaseMs: number) {
      begin('lease', key);
      const nowMs = clock.nowMs();
      const item = items.get(key) ?? {};
      const stored = usable<T>(item);
      if (stored && stored.freshUntilMs > nowMs) return { outcome: 'fresh', stored };
      if (item.lease && item.lease.endsMs > nowMs && item.lease.holder !== holder) return { outcome: 'busy' };
      items.set(key, { ...item, lease: { holder, endsMs: nowMs + leaseMs } });
      return { outcome: 'leased' };
    },

    async release(key, holder) {
      begin('release', key);
      const item = items.get(key);
      if (item?.lease?.holder === holder) delete item.lease;
    },

    async take(counter, windows) {
      begin('take', counter);
      const taken = counters.get(counter) ?? new Map<string, number>();
      if (windows.some(({ name, limit }) => (taken.get(name) ?? 0) >= limit)) return false;
      for (const { name } of windows) taken.set(name, (taken.get(name) ?? 0) + 1);
      counters.set(counter, taken);
      return true;
    },

    async counts(counter) {
      begin('counts', counter);
      return Object.fromEntries(counters.get(counter) ?? []);
    },
  };
}
