/** Lets concurrent callers in one instance share the work that the first of them began. */

/** Work that runs now, by its key. Nothing is kept after its end. */
export type Running<T> = Map<string, Promise<T>>;

/** Begins work, or joins the work under the same key. @returns its result, and whether it began here */
export function shareWork<T>(
  running: Running<T>,
  key: string,
  work: () => Promise<T>,
): { readonly result: Promise<T>; readonly leads: boolean } {
  const shared = running.get(key);
  if (shared) return { result: shared, leads: false };
  const result = work().finally(() => running.delete(key));
  running.set(key, result);
  return { result, leads: true };
}
