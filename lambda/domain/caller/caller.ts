/** Who sends a request: an anonymous caller, or an account by one of its keys. */

import type { PlanName } from '../../contract/plans';
import type { AccountId } from './account-id';

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** A caller with a usable key. `keyId` is a public handle of the key, never the key or its hash. */
export interface KeyedCaller {
  readonly kind: 'live' | 'test';
  readonly account: AccountId;
  /** What the operator called the account. */
  readonly accountName?: string;
  readonly plan: PlanName;
  readonly keyId: string;
}

export type Caller = AnonymousCaller | KeyedCaller;

/**
 * What the authorizer found out about a request. A `refused` key or an `outage` still reaches the image handler, which
 * alone can draw the card that an image tag shows.
 */
export type Admission =
  | { readonly outcome: 'known'; readonly caller: Caller }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'outage' };
