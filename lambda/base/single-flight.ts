/** Lets concurrent callers in one instance share the work that the first of them began. */

interface Flight<T> {
  readonly result: Promise<T>;
  /** Whether this call began the work. */
  readonly leads: boolean;
}

type SingleFlight<T> = (key: string, work: () => Promise<T>) => Flight<T>;

/** Work under the same key runs once at a time; nothing is kept after it ends, neither value nor failure. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  return (key, work) => {
    const shared = running.get(key);
    if (shared) return { result: shared, leads: false };
    const result = work().finally(() => running.delete(key));
    running.set(key, result);
    return { result, leads: true };
  };
}
