/** Bounds how much work of a kind runs side by side. */

/** Works that may still begin at once, and those that wait for their turn. */
export interface Slots {
  free: number;
  readonly waiting: (() => void)[];
}

/** Does a piece of work when a slot is free, in the order in which they came. */
export async function inSlot<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
  if (slots.free > 0) slots.free -= 1;
  else await new Promise<void>((resolve) => slots.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = slots.waiting.shift();
    if (next) next();
    else slots.free += 1;
  }
}
