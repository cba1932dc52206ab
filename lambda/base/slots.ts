/** Bounds how much work of a kind runs side by side. */

/** Runs a piece of work when a slot is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets a number of works run side by side; the others wait their turn, in the order in which they came.
 * @param count works that run at the same time
 */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
