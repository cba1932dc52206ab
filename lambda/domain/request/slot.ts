/** The stock slots: neutral names that callers use, bound by the operator to real providers. */

export const stockSlots = ['stock_a', 'stock_b', 'stock_c'] as const;
export type StockSlot = (typeof stockSlots)[number];

/** The slots in the order in which they answer for one another, the asked one first. */
export function slotsFrom(asked: StockSlot): readonly StockSlot[] {
  return [asked, ...stockSlots.filter((slot) => slot !== asked)];
}
