/** The caller of a request, and the message in which the authorizer passes it to the API function. */

import { dropUndefined } from '../base/drop-undefined';
import type { PlanName } from '../contract/plans';

/** The id of an account, such as `acc_0123456789abcdef01`. `issueKey` makes it. */
export type AccountId = string & { readonly brand: 'AccountId' };

/** Tells the id of an account from other parts of an item's key, such as `live`. */
export function isAccountId(text: string): text is AccountId {
  return /^acc_\w+$/.test(text);
}

/** A caller with a usable key, signer or site key. */
export interface KeyedCaller {
  readonly kind: 'live' | 'test';
  readonly account: AccountId;
  readonly accountName?: string;
  readonly plan: PlanName;
  readonly keyId: string;
  /** Present for an API key that may manage the credentials of its account. */
  readonly role?: 'owner';
  /** Present for a credential in a page. Such a credential is charged once a day for an image. */
  readonly publishedAs?: 'signer' | 'site';
  /** Present for a site key if the request names no page. Such requests may spend `unprovenShareOfSite`. */
  readonly isUnproven?: true;
  /** Units that the credential may spend in a month, within the plan. */
  readonly maxPerMonth?: number;
}

/** The sender of a request: an account with one of its credentials, or an anonymous address. */
export type Caller = { readonly kind: 'anonymous' } | KeyedCaller;

/** Says whether the credential of a caller is public: a signed URL or a site key. */
export function hasPublishedCredential(
  caller: Caller,
): caller is KeyedCaller & { readonly publishedAs: 'signer' | 'site' } {
  return caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
}

/** The problem codes of refused credentials. */
export type CredentialRefusal =
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'invalid_site_key'
  | 'origin_not_allowed'
  | 'conflicting_parameters';

/** A caller or a refusal. The API function gets refusals too, because it draws the cards of image tags. */
export type AuthorizerResult = Caller | { readonly refusal: CredentialRefusal | 'service_unavailable' };

/** Writes the message of the authorizer. It has only texts, because API Gateway passes on nothing else. */
export function writeAuthorizerContext(result: AuthorizerResult): Readonly<Record<string, string>> {
  if ('refusal' in result) return result;
  const { kind: caller, ...fields } = result;
  const entries = Object.entries({ caller, ...fields });
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Reads the message of the authorizer. A message without caller and refusal means an outage. */
export function readAuthorizerContext(
  context: Readonly<Record<string, unknown>> | null | undefined,
): AuthorizerResult {
  const { caller: kind, refusal, ...texts } = (context ?? {}) as Partial<Record<string, string>>;
  if (refusal !== undefined) return { refusal: refusal as CredentialRefusal };
  if (kind === 'anonymous') return { kind };
  if (kind !== 'live' && kind !== 'test') return { refusal: 'service_unavailable' };
  const { account, accountName, plan, keyId, role, publishedAs, isUnproven, maxPerMonth } = texts;
  return dropUndefined({
    ...{ kind, account, accountName, plan, keyId, role, publishedAs },
    isUnproven: isUnproven && true,
    maxPerMonth: maxPerMonth && Number(maxPerMonth),
  }) as unknown as KeyedCaller;
}
