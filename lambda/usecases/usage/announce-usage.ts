/** Announces, once per account and month, that a share of the quota is used: by the very request that reaches it. */

import { unlimitedRequests } from '../../contract/plans';
import { isoSeconds } from '../../domain/problem/problem';
import { type Allowance, thresholdsReachedBy } from '../../domain/quota/quota';
import type { Announcer, UsageAnnouncement } from '../../ports/announcer';
import type { Charges } from '../../ports/charges';
import type { Clock, Ids } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { UsageLedger } from '../../ports/usage-ledger';
import type { Meter } from '../metering/meter';

export interface AnnounceUsageDeps {
  readonly ledger: Pick<UsageLedger, 'markAnnounced'>;
  readonly announcer: Announcer;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'ulid'>;
  readonly telemetry: Telemetry;
}

/**
 * Never throws, and makes no call unless this very charge has reached a threshold.
 * @param used units taken after the charge
 */
export type AnnounceUsage = (allowance: Allowance, used: number) => Promise<void>;

export function createAnnounceUsage(deps: AnnounceUsageDeps): AnnounceUsage {
  return async ({ counter, limit, window }, used) => {
    const isQuota = counter.kind === 'account' && counter.mode === 'live';
    if (!isQuota || limit === unlimitedRequests) return;
    const { account, accountName } = counter;
    const named = { account, ...(accountName === undefined ? {} : { accountName }) };
    for (const percent of thresholdsReachedBy(used, limit)) {
      const reset = isoSeconds(window.endMs);
      await announce(deps, { ...named, month: window.label, percent, limit, used, reset });
    }
  };
}

async function announce(
  { ledger, announcer, clock, ids, telemetry }: AnnounceUsageDeps,
  announcement: UsageAnnouncement,
): Promise<void> {
  const { account, month, percent } = announcement;
  try {
    // Marked before it is announced: an announcement that gets lost is in the log, one that comes twice is nowhere.
    if (await ledger.markAnnounced(account, month, percent, ids.ulid(clock.nowMs())))
      await announcer.announce(announcement);
  } catch (error) {
    telemetry.error('A usage threshold was not announced', error, { account, month, percent });
  }
}

/** The meter, with each charge followed by its announcement where it has reached a threshold. */
export function announcingMeter(meter: Meter, announceUsage: AnnounceUsage): Meter {
  return {
    ...meter,
    async charge(allowance, requestId) {
      const charge = await meter.charge(allowance, requestId);
      if (charge.outcome === 'charged')
        await announceUsage(allowance, charge.rateLimit.limit - charge.rateLimit.remaining);
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
      if (reservation.outcome === 'reserved') await announceUsage(limits.allowance, reservation.taken);
      return reservation;
    },
  };
}
