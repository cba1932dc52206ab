/** The caller of a request, and how the authorizer passes it to the functions behind it. */

import { dropUndefined } from '../base/drop-undefined';
import type { PlanName } from '../contract/plans';

/** The id of an account: any text but the empty one, made by `issueKey`. */
export type AccountId = string & { readonly brand: 'AccountId' };

/** Tells whether a text can name an account. */
export function isAccountId(text: string): text is AccountId {
  return text !== '';
}

interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** A caller with a usable key, signer or site key. */
export interface KeyedCaller {
  readonly kind: 'live' | 'test';
  readonly account: AccountId;
  readonly accountName?: string;
  readonly plan: PlanName;
  readonly keyId: string;
  /** Present for an API key that manages the credentials of its account. */
  readonly role?: 'owner';
  /** The kind of a credential in a page, which is charged once a day for an image; absent for an API key. */
  readonly publishedAs?: 'signer' | 'site';
  /**
   * Present for a site key whose request says that it loads an image and names no page; a program can say so,
   * too. Such requests may spend `unprovenShareOfSite` of the cap.
   */
  readonly isUnproven?: true;
  /** Units that the credential may spend in a month, beside the plan. */
  readonly maxPerMonth?: number;
}

/** Who sent a request: an account, by one of its credentials, or an anonymous address. */
export type Caller = AnonymousCaller | KeyedCaller;

/** Whether a request came with a credential that stands in a page. */
export function hasPublishedCredential(
  caller: Caller,
): caller is KeyedCaller & { readonly publishedAs: 'signer' | 'site' } {
  return caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
}

/** The code of a problem by which a credential is refused. */
export type CredentialRefusal =
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'invalid_site_key'
  | 'origin_not_allowed'
  | 'conflicting_parameters';

/**
 * The result of the authorizer: a caller, or the code of a refusal; `service_unavailable` for a table that
 * did not answer. Refusals reach the function too: it draws the card for an image tag.
 */
export type AuthorizerResult = Caller | { readonly refusal: CredentialRefusal | 'service_unavailable' };

/** Writes the message of the authorizer: texts only, as API Gateway passes on nothing else. */
export function toAuthorizerContext(result: AuthorizerResult): Readonly<Record<string, string>> {
  if ('refusal' in result) return result;
  const { kind: caller, ...fields } = result;
  return Object.fromEntries(
    Object.entries({ caller, ...fields }).map(([name, value]) => [name, String(value)]),
  );
}

/** Reads the message. One that names neither a caller nor a refusal counts as an outage. */
export function fromAuthorizerContext(
  context: Readonly<Record<string, unknown>> | null | undefined,
): AuthorizerResult {
  const { caller: kind, refusal, ...fields } = (context ?? {}) as Readonly<Record<string, string>>;
  const { account, accountName, plan, keyId, role, publishedAs, isUnproven, maxPerMonth } = fields;
  if (refusal === undefined && kind === 'anonymous') return { kind };
  if (refusal !== undefined || (kind !== 'live' && kind !== 'test'))
    return { refusal: (refusal ?? 'service_unavailable') as CredentialRefusal };
  const caller = { kind, account, accountName, plan, keyId, role, publishedAs };
  return dropUndefined({
    ...caller,
    isUnproven: isUnproven && true,
    maxPerMonth: maxPerMonth && Number(maxPerMonth),
  }) as unknown as KeyedCaller;
}
