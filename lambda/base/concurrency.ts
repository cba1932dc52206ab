/** Bounds how much work of a kind runs at the same time. */

/** Pieces of work that may begin now, and those that wait for their turn. */
export interface ConcurrencyBound {
  free: number;
  readonly waiting: (() => void)[];
}

/** Does work as soon as the bound lets it begin, first come, first served. */
export async function withinBound<T>(bound: ConcurrencyBound, work: () => Promise<T>): Promise<T> {
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
