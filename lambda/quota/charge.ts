/** Charges a request before the work, and refunds it where there is no image: once, on the items that have counted it. */

import type { RateLimitStatus } from '../problems/problem';
import { type Limit, rateLimitStatusOf } from './limit';
import { giveBack, type LimitServices, take, type Unit } from './take';

/**
 * What a request has paid. `charged`: its units are taken. `free`: none are, for the reason that `because` names.
 * `refunding`: their return has been sent, and is sent no second time. `refunded`: they are known to be back. `unknown`:
 * a unit may or may not have been taken or given back, in the caller's favour: the request is served, nothing more is
 * given back, and a metric counts it.
 */
export interface Payment {
  state: 'charged' | 'free' | 'refunding' | 'refunded' | 'unknown';
  readonly because?: FreeBecause;
  readonly units: readonly Unit[];
  /** What the headers say of the caller's quota; one unit more after a refund. */
  rateLimit: RateLimitStatus;
}

/** Why nothing is charged; `paid-before`: another request of the day has paid for the image. */
export type FreeBecause =
  | 'variation'
  | 'alternative'
  | 'paid-before'
  | 'no-image'
  | 'test-value'
  | 'unlimited';

/** What became of a charge. */
export type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** As of `Take`: nothing was charged. */
  | { readonly outcome: 'refused'; readonly by: Limit | undefined };

/**
 * @param limits what the credential may spend, then the account's requests last: a unit that is not given back then
 * tightens the credential, never the account
 * @param id of the request
 * @throws when a table refuses the call as such
 */
export async function charge(
  services: LimitServices,
  limits: readonly [...Limit[], Limit],
  id: string,
): Promise<Charge> {
  const taken = await take(services, limits, id);
  if (taken.outcome === 'refused') return taken;
  const account = limits[limits.length - 1] as Limit;
  if (taken.outcome === 'unknown')
    return {
      outcome: 'admitted',
      payment: { state: 'unknown', units: [], rateLimit: rateLimitStatusOf(account, 0) },
    };
  const rateLimit = rateLimitStatusOf(account, taken.used);
  return { outcome: 'admitted', payment: { state: 'charged', units: taken.units, rateLimit } };
}

/**
 * Gives back what a payment has taken, the account's unit first. The deadline of a request and its late work may both
 * come here with the same payment: the state changes before the first write is sent, so only one of them sends any. Never
 * throws.
 */
export async function refund(services: LimitServices, payment: Payment): Promise<void> {
  if (payment.state !== 'charged') return;
  payment.state = 'refunding';
  const isKnown = await giveBack(services, payment.units.toReversed());
  payment.state = isKnown ? 'refunded' : 'unknown';
  if (!isKnown) return;
  const { limit, remaining } = payment.rateLimit;
  payment.rateLimit = { ...payment.rateLimit, remaining: Math.min(limit, remaining + 1) };
  services.telemetry.count('refunds');
}
