/** Functions for concurrent work: a bound on it, one piece of work for many callers, one load. */

/** Pieces of work that may begin now, and those that wait for their turn. */
export interface ConcurrencyBound {
  free: number;
  readonly waiting: (() => void)[];
}

/** Does work as soon as the bound lets it begin, first come, first served. */
export async function runBounded<T>(bound: ConcurrencyBound, work: () => Promise<T>): Promise<T> {
  if (bound.free > 0) bound.free -= 1;
  else await new Promise<void>((resolve) => bound.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = bound.waiting.shift();
    if (next) next();
    else bound.free += 1;
  }
}

/** Work that runs now, by its key. Nothing is kept after its end. */
export type Running<T> = Map<string, Promise<T>>;

/** Begins work, or joins the work under the same key; `isFirst` says that it began here. */
export function shareWork<T>(
  running: Running<T>,
  key: string,
  work: () => Promise<T>,
): { readonly result: Promise<T>; readonly isFirst: boolean } {
  const shared = running.get(key);
  if (shared) return { result: shared, isFirst: false };
  const result = work().finally(() => running.delete(key));
  running.set(key, result);
  return { result, isFirst: true };
}

/** Makes a loader whose callers share one load and its value. After a failure, the next call loads again. */
export function loadOnce<T, Arguments extends readonly unknown[]>(
  load: (...values: Arguments) => Promise<T>,
): (...values: Arguments) => Promise<T> {
  let loading: Promise<T> | undefined;
  return (...values) => {
    loading ??= load(...values).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
