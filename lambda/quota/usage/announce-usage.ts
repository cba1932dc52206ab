/** Announces, once each, that a share of a quota or of a ceiling on generations is used: by the very request that reaches it. */

import type { Clock, Ids } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { isoSeconds } from '../../base/window';
import { type AccountId, accountIdOf } from '../../credentials/account-id';
import { isUnlimited } from '../limit';
import type { AnnounceUsage } from './at-thresholds';
import { thresholdsReachedBy, type UsageThreshold } from './usage';

/** An account has used a share of its monthly quota. */
export interface UsageAnnouncement {
  readonly account: AccountId;
  /** Absent for an account without a name. */
  readonly accountName?: string;
  /** `yyyy-mm`, UTC. */
  readonly month: string;
  readonly percent: UsageThreshold;
  readonly limit: number;
  readonly used: number;
  /** When the next month begins, ISO 8601. */
  readonly reset: string;
}

/** A share of one of the operator's ceilings on generations is used. */
interface CeilingAnnouncement {
  /** `day`: of all accounts together. `month`: of one account. */
  readonly ceiling: 'day' | 'month';
  /** Whose generations are counted: `all`, or `live#` or `test#` and the account. */
  readonly owner: string;
  /** `yyyy-mm-dd` or `yyyy-mm`, UTC. */
  readonly period: string;
  readonly percent: UsageThreshold;
  readonly limit: number;
  readonly used: number;
  /** When the ceiling is raised again, ISO 8601. */
  readonly reset: string;
}

type Announcement = UsageAnnouncement | CeilingAnnouncement;

/** Where announcements go. */
export interface Announcer {
  /** @throws when the announcement was not accepted. */
  announce(announcement: Announcement): Promise<void>;
}

/** Marks by which a threshold is announced once. */
export interface UsageMarks {
  /**
   * Marks a threshold of a month or a day as announced: true for exactly one `by`, however often it asks.
   * @throws when the outcome is still unknown after the last attempt.
   */
  markAnnounced(owner: string, label: string, percent: UsageThreshold, by: string): Promise<boolean>;
}

interface AnnounceUsageDeps {
  readonly store: UsageMarks;
  readonly announcer: Announcer;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'ulid'>;
  readonly telemetry: Telemetry;
}

/** Sends one event for each threshold and window, whichever instance reaches it. Never throws. */
export function createAnnounceUsage(deps: AnnounceUsageDeps): AnnounceUsage {
  return async (given, used) => {
    if (isUnlimited(given)) return;
    const { kind, owner, max: limit, window, accountName } = given;
    const reset = isoSeconds(window.endMs);
    for (const percent of thresholdsReachedBy(used, limit)) {
      if (kind === 'requests') {
        const account = accountIdOf(owner.slice('live#'.length));
        const named = { account, ...(accountName === undefined ? {} : { accountName }) };
        await announce(deps, account, { ...named, month: window.label, percent, limit, used, reset });
      } else {
        const ceiling = window.kind === 'day' ? 'day' : 'month';
        const announcement = { ceiling, owner, period: window.label, percent, limit, used, reset } as const;
        await announce(deps, `${owner}#generations`, announcement);
      }
    }
  };
}

/** @param owner whose threshold is marked as announced */
async function announce(
  { store, announcer, clock, ids, telemetry }: AnnounceUsageDeps,
  owner: string,
  announcement: Announcement,
): Promise<void> {
  const { percent } = announcement;
  const period = 'ceiling' in announcement ? announcement.period : announcement.month;
  try {
    // Marked before it is announced: an announcement that gets lost is in the log, one that comes twice is nowhere.
    if (!(await store.markAnnounced(owner, period, percent, ids.ulid(clock.nowMs())))) return;
    if ('ceiling' in announcement) telemetry.count('generationCeiling');
    await announcer.announce(announcement);
  } catch (error) {
    telemetry.error('A usage threshold was not announced', error, { account: owner, month: period, percent });
  }
}
