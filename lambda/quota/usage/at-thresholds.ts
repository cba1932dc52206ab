/** Looks at each charge and reservation for a threshold that it has reached; what announces it is loaded on first need. */

import type { Telemetry } from '../../base/telemetry';
import { unlimitedRequests } from '../../contract/plans';
import { type Limit, thresholdsReachedBy } from '../quota';
import type { Charges } from '../reservations';

/**
 * Never throws, and makes no call unless this very charge has reached a threshold.
 * @param used units taken after the charge
 */
export type AnnounceUsage = (quota: Limit, used: number) => Promise<void>;

/** Loads an announcer of usage for the charges alone that have reached a threshold. */
export function atThresholds(load: () => Promise<AnnounceUsage>, telemetry: Telemetry): AnnounceUsage {
  return async (quota, used) => {
    const { limit, counter } = quota;
    const isAnnounced =
      counter.kind === 'account' || (counter.kind === 'fair-use' && counter.use === 'generations');
    if (!isAnnounced || limit === unlimitedRequests || thresholdsReachedBy(used, limit).length === 0) return;
    try {
      await (await load())(quota, used);
    } catch (error) {
      telemetry.error('What announces a usage threshold was not loaded', error);
    }
  };
}

/** The charges of pending generations, with each reservation followed by its announcement. */
export function announcingCharges(charges: Charges, announceUsage: AnnounceUsage): Charges {
  return {
    ...charges,
    async reserve(operation, limits) {
      const reservation = await charges.reserve(operation, limits);
      if (reservation.outcome === 'reserved') await announceUsage(limits.quota, reservation.taken);
      return reservation;
    },
  };
}
