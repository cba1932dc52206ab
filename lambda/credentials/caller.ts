/** Who sends a request: an anonymous caller, or an account by one of its keys; and how the authorizer tells the functions behind it. */

import type { Branded } from '../base/branded';
import type { PlanName } from '../contract/plans';

/** Under which keys, quotas and generations of one customer are kept: any text but the empty one, made by `issueKey`. */
export type AccountId = Branded<string, 'AccountId'>;

/** Whether a text can name an account. */
export function isAccountId(text: string): text is AccountId {
  return text !== '';
}

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

/** Why a credential was refused: the code of the problem. */
export type CredentialFault =
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'invalid_site_key'
  | 'origin_not_allowed'
  | 'conflicting_parameters';

/**
 * What the authorizer found out about a request: its caller, or the code of a refusal, `service_unavailable` for a table
 * that did not answer. Both reach the image handler, which alone can draw the card that an image tag shows.
 */
export type Admission = Caller | { readonly refusal: CredentialFault | 'service_unavailable' };

/** The message of the authorizer, which `readContext` reads: texts only, as API Gateway passes nothing else through. */
export function contextOf(admission: Admission): Readonly<Record<string, string>> {
  if ('refusal' in admission) return admission;
  const { kind: caller, ...about } = admission;
  return Object.fromEntries(
    Object.entries({ caller, ...about }).map(([name, value]) => [name, String(value)]),
  );
}

/** The admission in a message. One that names neither a caller nor a refusal counts as an outage, never as a caller. */
export function readContext(context: Readonly<Record<string, unknown>> | null | undefined): Admission {
  const { caller: kind, refusal, plan, ...about } = (context ?? {}) as Readonly<Record<string, string>>;
  const { account, accountName, keyId, role, publishedAs, isUnproven, maxPerMonth } = about;
  if (refusal === undefined && kind === 'anonymous') return { kind };
  if (refusal !== undefined || (kind !== 'live' && kind !== 'test'))
    return { refusal: (refusal ?? 'service_unavailable') as CredentialFault };
  return {
    ...({ kind, account, plan, keyId } as KeyedCaller),
    ...(accountName !== undefined && { accountName }),
    ...(role === 'owner' && { role }),
    ...(publishedAs !== undefined && { publishedAs: publishedAs as 'signer' | 'site' }),
    ...(isUnproven !== undefined && { isUnproven: true }),
    ...(maxPerMonth !== undefined && { maxPerMonth: Number(maxPerMonth) }),
  };
}
