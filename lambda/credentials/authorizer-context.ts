/**
 * What the authorizer hands to the functions behind it: both directions of one message. Written out by hand, because the
 * authorizer loads no schema library.
 */

import { planNames } from '../contract/plans';
import { isAccountId } from './account-id';
import { type Admission, credentialFaults, type KeyedCaller } from './caller';

/** Flat strings only: API Gateway passes nothing else through. */
type AuthorizerContext = Readonly<
  Partial<
    Record<
      | 'caller'
      | 'account'
      | 'accountName'
      | 'plan'
      | 'keyId'
      | 'role'
      | 'publishedAs'
      | 'isUnproven'
      | 'maxPerMonth'
      | 'refusal',
      string
    >
  >
>;

/** The message of the authorizer, which `readAuthorizerContext` reads. */
export function authorizerContextOf(admission: Admission): AuthorizerContext {
  if (admission.outcome === 'outage') return { refusal: 'outage' };
  if (admission.outcome === 'refused') return { refusal: admission.code };
  const { caller } = admission;
  if (caller.kind === 'anonymous') return { caller: caller.kind };
  const { kind, isUnproven, maxPerMonth, ...rest } = caller;
  return {
    caller: kind,
    ...rest,
    ...(isUnproven ? { isUnproven: 'true' } : {}),
    ...(maxPerMonth === undefined ? {} : { maxPerMonth: String(maxPerMonth) }),
  };
}

/** A context that holds neither a caller nor a refusal counts as an outage, never as a caller. */
export function readAuthorizerContext(
  context: Readonly<Record<string, unknown>> | null | undefined,
): Admission {
  const given = (context ?? {}) as { readonly [name in keyof AuthorizerContext]?: unknown };
  const { caller, account, accountName, plan, keyId, role, publishedAs, isUnproven, maxPerMonth, refusal } =
    given;
  const code = credentialFaults.find((each) => each === refusal);
  if (code) return { outcome: 'refused', code };
  if (caller === 'anonymous') return { outcome: 'known', caller: { kind: caller } };
  const optional: Pick<KeyedCaller, 'accountName' | 'role' | 'publishedAs' | 'isUnproven' | 'maxPerMonth'> = {
    ...(typeof accountName === 'string' ? { accountName } : {}),
    ...(role === 'owner' ? { role } : {}),
    ...(publishedAs === 'signer' || publishedAs === 'site' ? { publishedAs } : {}),
    ...(isUnproven === 'true' ? { isUnproven: true } : {}),
    ...(typeof maxPerMonth === 'string' ? { maxPerMonth: Number(maxPerMonth) } : {}),
  };
  const planName = planNames.find((each) => each === plan);
  const isKeyed = caller === 'live' || caller === 'test';
  if (isKeyed && isAccountId(account) && planName !== undefined && typeof keyId === 'string')
    return { outcome: 'known', caller: { kind: caller, account, plan: planName, keyId, ...optional } };
  return { outcome: 'outage' };
}
