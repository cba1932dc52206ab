/** A lookup cache in memory. */

import type { Clock } from '../../lambda/base/clock';
import type { Cached, LookupCache } from '../../lambda/base/lookup-cache';

type Operation = keyof LookupCache;

/** A cache that counts its calls and fails on demand. */
export interface FakeLookupCache extends LookupCache {
  readonly calls: readonly { readonly operation: Operation; readonly key: string }[];
  /** Makes an operation fail from now on, or work again. */
  fail(operation: Operation, isFailing: boolean): void;
}

interface Item {
  cached?: Cached<string>;
  lease?: { readonly holder: string; readonly endsMs: number };
}

export function createFakeLookupCache(clock: Pick<Clock, 'nowMs'>): FakeLookupCache {
  const items = new Map<string, Item>();
  const counters = new Map<string, Map<string, number>>();
  const calls: { operation: Operation; key: string }[] = [];
  const failing = new Set<Operation>();

  const begin = (operation: Operation, key: string) => {
    calls.push({ operation, key });
    if (failing.has(operation)) throw new Error(`The fake cache is set to fail on ${operation}.`);
  };

  const usable = <T>(item: Item | undefined): Cached<T> | undefined => {
    if (!item?.cached) return undefined;
    const { value, freshUntilMs, staleUntilMs } = item.cached;
    if (Math.max(freshUntilMs, staleUntilMs) <= clock.nowMs()) return undefined;
    return { value: JSON.parse(value) as T, freshUntilMs, staleUntilMs };
  };

  return {
    calls,

    fail(operation, isFailing) {
      if (isFailing) failing.add(operation);
      else failing.delete(operation);
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
      items.set(key, { cached: { value: JSON.stringify(value), freshUntilMs, staleUntilMs } });
    },

    async lease<T>(key: string, holder: string, leaseMs: number) {
      begin('lease', key);
      const nowMs = clock.nowMs();
      const item = items.get(key) ?? {};
      const cached = usable<T>(item);
      if (cached && cached.freshUntilMs > nowMs) return { outcome: 'fresh', cached };
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
