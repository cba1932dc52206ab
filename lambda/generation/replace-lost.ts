/** Marks a finished generation whose master is gone as lost, so that the image can be made again. */

import { imageCost } from '../quota/charge';
import type { Generation } from './generation';
import { commitExecution, type SettleDeps } from './settle';

/** A finished generation that has nothing to be delivered from. */
export interface LostImage {
  readonly outcome: 'lost';
  readonly generation: Generation;
  /** A charge for it stands, or may stand. */
  readonly isOwed?: true;
}

/**
 * The charge is settled first, as the image may be given up only then.
 * @param takenBy request that claims the delivery which the generation has paid for and never had; absent for one that
 * may not: then an image whose delivery is due stays as it is
 * @returns whether the request has claimed that delivery, so that it pays nothing for having the image made again
 */
export async function markLost(
  { index, charges }: Pick<SettleDeps, 'index' | 'charges'>,
  generation: Generation,
  takenBy?: string,
): Promise<boolean> {
  const { quotaKey, execution, settled, due } = generation;
  if (due && takenBy === undefined) return false;
  if (!settled && quotaKey !== undefined)
    await commitExecution({ index, charges }, generation, {
      quotaKey,
      execution,
      cost: imageCost,
      prunable: [],
    });
  const isClaimed = due && takenBy !== undefined && (await index.takeDelivery(generation, takenBy));
  await index.markLost(generation);
  return isClaimed;
}
