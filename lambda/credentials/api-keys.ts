/** What an account has been given to identify itself with. */

import type { PlanName } from '../contract/plans';
import type { KeyHash, KeyMode } from './api-key';
import type { AccountId } from './caller';
import type { AllowedOrigin } from './site-key';

/** Under which a record is found: the hash of a key or site key, or the id of a signer. */
export type KeyRef = KeyHash | KeyRecord['keyId'];

/** An API key, a signer or a site key, as it is kept. */
export interface KeyRecord {
  /** Public handle, safe to show and log; of a signer its id. */
  readonly keyId: string;
  /** Absent for a signer, which is found by its id and has no secret in any table. */
  readonly hash?: KeyHash;
  /** Absent for an API key. */
  readonly publishedAs?: 'signer' | 'site';
  /** An owner manages the credentials of its account; absent for a member, and for what is no live API key. */
  readonly role?: 'owner';
  /** How an API key or a site key begins, by which its owner tells it from others. */
  readonly prefix?: string;
  /** Origins of the pages that may use it; of site keys only, which have at least one. */
  readonly origins?: readonly AllowedOrigin[];
  /** Units that it may spend in a UTC month, beside the plan's; of every site key, and of API keys with such a bound. */
  readonly maxPerMonth?: number;
  readonly mode: KeyMode;
  readonly account: AccountId;
  /** What the operator called the account; on each of its keys, like the plan. Absent for an account without a name. */
  readonly accountName?: string;
  readonly plan: PlanName;
  /** What the operator called it. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Who made it: the ARN of an AWS principal, or a user of the local service's machine. */
  readonly createdBy: string;
  /** When it was last changed, ISO 8601; absent until it is. */
  readonly changedAt?: string;
  /** Who did that. */
  readonly changedBy?: string;
  /** ISO 8601: from then on the key is refused (the end of a rotation's overlap). */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

/** Under which a record is kept: a signer has no hash. */
export function refOf({ hash, keyId }: Pick<KeyRecord, 'hash' | 'keyId'>): KeyRef {
  return hash ?? keyId;
}

/** What of a record can change after it was issued; `null` takes a revocation back. */
export interface KeyChange extends Partial<Omit<KeyRecord, 'keyId' | 'hash' | 'account' | 'revokedAt'>> {
  readonly revokedAt?: string | null;
}
