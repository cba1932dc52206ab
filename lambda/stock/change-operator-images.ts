/** Changes which images the operator has added and removed, one change at a time. */

import type { Clock, Ids } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { noOperatorImages, operatorImagesKey, type StoredOperatorImages } from './operator-images';

/** What is stored for as long as nobody changes it, in milliseconds. */
export const keptForMs = 100 * 365 * 86_400_000;
/** How long one change may take before another may begin, in milliseconds. */
const changeLeaseMs = 60_000;

/** What a change is made with. */
export interface ChangeOperatorImagesDeps {
  readonly stockMemory: StockMemory;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'hex'>;
}

/**
 * @param edit gets what is stored, and returns what replaces it
 * @returns what is stored now; `undefined` while another change is under way
 * @throws what `edit` throws, and when the table does not answer
 */
export async function changeOperatorImages(
  deps: ChangeOperatorImagesDeps,
  edit: (before: StoredOperatorImages) => Promise<StoredOperatorImages>,
): Promise<StoredOperatorImages | undefined> {
  const { stockMemory, clock, ids } = deps;
  const holder = ids.hex(8);
  if ((await stockMemory.lease(operatorImagesKey, holder, changeLeaseMs)).outcome !== 'leased')
    return undefined;
  try {
    const before =
      (await stockMemory.readLatest<StoredOperatorImages>(operatorImagesKey))?.value ?? noOperatorImages;
    const value = await edit(before);
    // Never fresh, so that the next change gets the lease.
    const staleUntilMs = clock.nowMs() + keptForMs;
    // By the holder alone: a copy that comes late must not list again what was removed since.
    await stockMemory.write(operatorImagesKey, { value, freshUntilMs: 0, staleUntilMs }, holder);
    return value;
  } catch (error) {
    await stockMemory.release(operatorImagesKey, holder);
    throw error;
  }
}
