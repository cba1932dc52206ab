/** Where issued keys are kept, each under its hash. */

import type { PlanName } from '../contract/plans';
import type { AccountId } from '../domain/caller/account-id';
import type { KeyHash, KeyMode } from '../domain/caller/api-key';

export interface KeyRecord {
  /** Public handle of the key, safe to show and log. */
  readonly keyId: string;
  readonly hash: KeyHash;
  readonly mode: KeyMode;
  readonly account: AccountId;
  /** What the operator called the account; on each of its keys, like the plan. Absent for an account without a name. */
  readonly accountName?: string;
  readonly plan: PlanName;
  /** What the operator called it. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on the key is refused (the end of a rotation's overlap). */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

export interface ApiKeys {
  /**
   * The record of a key, or `undefined` when it was never issued. Read with strong consistency, so that a new key works at once.
   * @throws when the table does not answer within its deadline.
   */
  find(hash: KeyHash): Promise<KeyRecord | undefined>;
}

export interface ApiKeyRegister extends ApiKeys {
  /** Adds a key. @throws `DuplicateKey` when its hash is already there. */
  add(record: KeyRecord): Promise<void>;
  /** All keys of an account, oldest first. */
  ofAccount(account: AccountId): Promise<readonly KeyRecord[]>;
  /** All keys, in no order, page by page. */
  all(): AsyncIterable<KeyRecord>;
  /** Changes one key; false when it does not exist. */
  change(hash: KeyHash, change: KeyChange): Promise<boolean>;
}

export interface KeyChange {
  readonly plan?: PlanName;
  readonly accountName?: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
}
