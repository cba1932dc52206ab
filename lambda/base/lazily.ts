/** Loads a value on first need. */

/**
 * Makes a loader whose callers share one load and its value. A failure reaches those who wait; the next call
 * loads again.
 */
export function lazily<T, Given extends readonly unknown[]>(
  load: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let loading: Promise<T> | undefined;
  return (...given) => {
    loading ??= load(...given).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
