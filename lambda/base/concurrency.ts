/** Bounds how much work of a kind runs at the same time. */

/** How many pieces of work may still begin at once, and those that wait for their turn. */
export interface ConcurrencyBound {
  free: number;
  readonly waiting: (() => void)[];
}

/** Does a piece of work as soon as the bound lets it begin, in the order in which they came. */
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
