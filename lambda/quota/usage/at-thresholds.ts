/** Looks at each charge and reservation for a threshold that it has reached; what announces it is loaded on first need. */

import type { Telemetry } from '../../base/telemetry';
import { unlimitedRequests } from '../../contract/plans';
import type { Ledger } from '../ledger';
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
    const { limit } = quota;
    if (limit === unlimitedRequests || thresholdsReachedBy(used, limit).length === 0) return;
    try {
      await (await load())(quota, used);
    } catch (error) {
      telemetry.error('What announces a usage threshold was not loaded', error);
    }
  };
}

/** The ledger, with each charge followed by its announcement where it has reached a threshold. */
export function announcingLedger(ledger: Ledger, announceUsage: AnnounceUsage): Ledger {
  return {
    ...ledger,
    async charge(request, onAsked) {
      const charge = await ledger.charge(request, onAsked);
      if (charge.outcome === 'admitted' && charge.payment.state === 'charged') {
        const { limit, remaining } = charge.payment.rateLimit;
        await announceUsage(request.quota, limit - remaining);
      }
      return charge;
    },
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
