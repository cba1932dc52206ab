/** Who sends a request: an anonymous caller, or an account by one of its keys. */

import type { PlanName } from '../contract/plans';
import type { AccountId } from './account-id';

interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/**
 * A caller with a usable key, signer or site key. `keyId` is its public handle, never the key, its hash or a secret.
 */
export interface KeyedCaller {
  readonly kind: 'live' | 'test';
  readonly account: AccountId;
  /** What the operator called the account. */
  readonly accountName?: string;
  readonly plan: PlanName;
  readonly keyId: string;
  /** Present for an API key that manages the credentials of its account. */
  readonly role?: 'owner';
  /** What it was published as in a page, which is charged once a day for an image; absent for an API key. */
  readonly publishedAs?: 'signer' | 'site';
  /**
   * Present for a site key in a request that names no page: a browser that says it loads an image, or a program that says
   * so. A tenth of the key's own cap is open to such requests.
   */
  readonly isUnproven?: true;
  /** Units that this credential may spend in a month, beside the plan's; absent for no bound of its own. */
  readonly maxPerMonth?: number;
}

/** Who is charged for a request. */
export type Caller = AnonymousCaller | KeyedCaller;

/** Whether a request came with a credential that stands in a page. */
export function isPublished(
  caller: Caller,
): caller is KeyedCaller & { readonly publishedAs: 'signer' | 'site' } {
  return caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
}

/** Why a credential was refused: codes of problems. */
export const credentialFaults = [
  'invalid_api_key',
  'invalid_signature',
  'invalid_site_key',
  'origin_not_allowed',
  'conflicting_parameters',
] as const;
/** The problem code of a credential that was refused. */
export type CredentialFault = (typeof credentialFaults)[number];

/**
 * What the authorizer found out about a request. A `refused` credential or an `outage` still reaches the image handler,
 * which alone can draw the card that an image tag shows.
 */
export type Admission =
  | { readonly outcome: 'known'; readonly caller: Caller }
  | { readonly outcome: 'refused'; readonly code: CredentialFault }
  | { readonly outcome: 'outage' };
