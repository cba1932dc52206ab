/** Changes what an operator has decided about images, one change at a time. */

import type { Clock, Ids } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { type Curation, curationKey, everybody, noCuration } from './curation';

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
 * @param owner an account's id, or `everybody`
 * @param edit gets what is stored, and returns what replaces it
 * @returns what is stored now; `undefined` while another change is under way
 * @throws what `edit` throws, and when the table does not answer
 */
export async function changeCuration(
  deps: ChangeCurationDeps,
  owner: string,
  edit: (before: Curation) => Promise<Curation>,
): Promise<Curation | undefined> {
  const { stockMemory, clock, ids } = deps;
  const key = curationKey(owner);
  const holder = ids.hex(8);
  if ((await stockMemory.lease(key, holder, changeLeaseMs)).outcome !== 'leased') return undefined;
  try {
    const before = { ...noCuration, ...(await stockMemory.readLatest<Curation>(key))?.value };
    const value = await edit(before);
    if (owner !== everybody) await noteAccounts(deps);
    // Never fresh, so that the next change gets the lease.
    await stockMemory.write(key, { value, freshUntilMs: 0, staleUntilMs: clock.nowMs() + keptForMs });
    return value;
  } catch (error) {
    await stockMemory.release(key, holder);
    throw error;
  }
}

/** Makes functions look for the curations of accounts. */
async function noteAccounts(deps: ChangeCurationDeps): Promise<void> {
  const stored = await deps.stockMemory.readLatest<Curation>(curationKey(everybody));
  if (stored?.value.hasAccounts) return;
  const changed = await changeCuration(deps, everybody, async (before) => ({ ...before, hasAccounts: true }));
  if (!changed) throw new Error('The curation of everybody is being changed.');
}
