/** Announces to the operator's other systems what happened to an account. */

import type { AccountId } from '../domain/caller/account-id';
import type { UsageThreshold } from '../domain/quota/quota';

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

export interface Announcer {
  /** @throws when the announcement was not accepted. */
  announce(announcement: UsageAnnouncement): Promise<void>;
}
