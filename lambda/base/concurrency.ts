/** Bounds concurrent work, shares work between callers, and loads values once. */

/** The state of a bound: its free places, and the work that waits for a place. */
export interface ConcurrencyBound {
  free: number;
  readonly waiting: (() => void)[];
}

/** Runs work as soon as the bound allows. First come, first served. */
export async function runBounded<T>(bound: ConcurrencyBound, work: () => Promise<T>): Promise<T> {
  if (bound.free > 0) bound.free -= 1;
  else await new Promise<void>((resolve) => bound.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const resumeNext = bound.waiting.shift();
    if (resumeNext) resumeNext();
    else bound.free += 1;
  }
}

/** The work that runs now, by its key. An entry is removed when its work ends. */
export type Running<T> = Map<string, Promise<T>>;

/** Begins work, or joins the running work of the same key. `isFirst` is true if this call began it. */
export function shareWork<T>(
  running: Running<T>,
  key: string,
  work: () => Promise<T>,
): { readonly result: Promise<T>; readonly isFirst: boolean } {
  const runningResult = running.get(key);
  if (runningResult) return { result: runningResult, isFirst: false };
  const result = work().finally(() => running.delete(key));
  running.set(key, result);
  return { result, isFirst: true };
}

/** Creates a loader that loads once for all its callers. After a failure, the next call loads again. */
export function createSharedLoader<T, Arguments extends readonly unknown[]>(
  load: (...loadArguments: Arguments) => Promise<T>,
): (...loadArguments: Arguments) => Promise<T> {
  let loading: Promise<T> | undefined;
  return (...loadArguments) => {
    loading ??= load(...loadArguments).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
