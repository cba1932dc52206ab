/** Looks at each unit that is taken for a threshold that it has reached; what announces it is loaded on first need. */

import type { Telemetry } from '../../base/telemetry';
import { isUnlimited, type Limit } from '../limit';
import { thresholdsReachedBy } from './usage';

/**
 * Never throws, and makes no call unless this very charge has reached a threshold.
 * @param used units taken after the charge
 */
export type AnnounceUsage = (limit: Limit, used: number) => Promise<void>;

/** Loads an announcer of usage for the charges alone that have reached a threshold. */
export function atThresholds(load: () => Promise<AnnounceUsage>, telemetry: Telemetry): AnnounceUsage {
  return async (limit, used) => {
    if (!isAnnounced(limit) || isUnlimited(limit) || thresholdsReachedBy(used, limit.max).length === 0)
      return;
    try {
      await (await load())(limit, used);
    } catch (error) {
      telemetry.error('What announces a usage threshold was not loaded', error);
    }
  };
}

/** A plan's month of requests or AI images, and the operator's day of AI images. */
function isAnnounced({ kind, owner, window }: Limit): boolean {
  if (kind === 'requests') return window.kind === 'month' && owner.startsWith('live#');
  return kind === 'generations' && (window.kind === 'month' || (window.kind === 'day' && owner === 'all'));
}
