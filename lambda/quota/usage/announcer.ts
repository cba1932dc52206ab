/** Announces to the operator's other systems what happened to an account. */

import type { AccountId } from '../../credentials/account-id';
import type { UsageThreshold } from '../quota';

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
export interface CeilingAnnouncement {
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

export type Announcement = UsageAnnouncement | CeilingAnnouncement;

export interface Announcer {
  /** @throws when the announcement was not accepted. */
  announce(announcement: Announcement): Promise<void>;
}
