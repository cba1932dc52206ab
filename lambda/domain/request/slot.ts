/** The order in which stock slots answer for one another. */

import { type StockSlot, stockSlots } from '../../contract/providers';

/** The slots in the order in which they answer for one another, the asked one first. */
export function slotsFrom(asked: StockSlot): readonly StockSlot[] {
  return [asked, ...stockSlots.filter((slot) => slot !== asked)];
}
