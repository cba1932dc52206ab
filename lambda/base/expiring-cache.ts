/** Remembers a bounded number of values, each until a moment. */

/** A memory of values by key. */
export interface ExpiringCache<T> {
  get(key: string, nowMs: number): T | undefined;
  set(key: string, value: T, endsMs: number): void;
  delete(key: string): void;
}

/** Creates an empty cache. When it has more than `entriesMax` entries, the oldest is removed. */
export function createExpiringCache<T>(entriesMax: number): ExpiringCache<T> {
  const entries = new Map<string, { readonly value: T; readonly endsMs: number }>();
  return {
    get(key, nowMs) {
      const entry = entries.get(key);
      if (entry && entry.endsMs > nowMs) return entry.value;
      if (entry) entries.delete(key);
      return undefined;
    },
    set(key, value, endsMs) {
      entries.delete(key);
      entries.set(key, { value, endsMs });
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value as string);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
