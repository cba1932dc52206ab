/** Changes what the operator has decided about images, one change at a time. */

import type { Clock, Ids } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { type Curation, curationKey, noCuration } from './curation';

/** Decisions are kept until they are undone, in milliseconds. */
export const keptForMs = 100 * 365 * 86_400_000;
/** How long one change may take before another may begin, in milliseconds. */
const changeLeaseMs = 60_000;

/** What a curation is stored with. */
export interface ChangeCurationDeps {
  readonly stockMemory: StockMemory;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'hex'>;
}

/**
 * @param edit gets what is stored, and returns what replaces it
 * @returns what is stored now; `undefined` while another change is under way
 * @throws what `edit` throws, and when the table does not answer
 */
export async function changeCuration(
  deps: ChangeCurationDeps,
  edit: (before: Curation) => Promise<Curation>,
): Promise<Curation | undefined> {
  const { stockMemory, clock, ids } = deps;
  const holder = ids.hex(8);
  if ((await stockMemory.lease(curationKey, holder, changeLeaseMs)).outcome !== 'leased') return undefined;
  try {
    const before = (await stockMemory.readLatest<Curation>(curationKey))?.value ?? noCuration;
    const value = await edit(before);
    // Never fresh, so that the next change gets the lease.
    const staleUntilMs = clock.nowMs() + keptForMs;
    await stockMemory.write(curationKey, { value, freshUntilMs: 0, staleUntilMs });
    return value;
  } catch (error) {
    await stockMemory.release(curationKey, holder);
    throw error;
  }
}
