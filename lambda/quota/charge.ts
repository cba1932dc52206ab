/** Charges a request before the work, and refunds it where there is no image: once, on the items that have counted it. */

import type { ChargeRefusal, RateLimitStatus } from '../problems/problem';
import { payClaim } from './claim';
import { isUnlimited, type Limit, rateLimitStatusOf } from './limit';
import type { Payment } from './payment';
import type { RequestContext } from './request-context';
import { giveBack, type LimitServices, refusalAfter, take, usedOf } from './take';

/** What became of a charge. */
export type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

/** What is charged for one request. */
export type ChargedRequest = Pick<RequestContext, 'requestLimits' | 'requestId' | 'payment' | 'claim'>;

/**
 * Takes one unit of what the credential may spend, and of the account's requests last: a unit that is not given back then
 * tightens the credential, never the account. A request that is paid already keeps its payment.
 * @throws when a table refuses the call as such; nothing is charged then
 */
export async function charge(
  services: LimitServices,
  { requestLimits, requestId, payment: paid, claim }: ChargedRequest,
): Promise<Charge> {
  if (paid) return { outcome: 'admitted', payment: paid };
  const taken = await take(services, requestLimits, requestId);
  if (taken.outcome === 'refused') return { outcome: 'refused', refusal: refusalAfter(taken) };
  const rateLimit = rateLimitStatusOf(accountLimit(requestLimits), 'used' in taken ? taken.used : 0);
  const state = taken.outcome === 'taken' ? 'charged' : 'unknown';
  const payment: Payment = { state, units: taken.units, rateLimit };
  if (claim) await payClaim(services, claim, payment);
  return { outcome: 'admitted', payment };
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

/** Takes one unit of each limit for what costs no request. @returns the refusal; an unknown outcome is in the caller's favour */
export async function takeFor(
  services: LimitServices,
  limits: readonly Limit[],
  id: string,
): Promise<ChargeRefusal | undefined> {
  const taken = await take(services, limits, id);
  return taken.outcome === 'refused' ? refusalAfter(taken) : undefined;
}

/** What the headers say of a request that is not charged: one read, and none where there is no limit. */
export async function statusOf(
  services: LimitServices,
  { requestLimits, payment }: Pick<ChargedRequest, 'requestLimits' | 'payment'>,
): Promise<RateLimitStatus> {
  return payment ? payment.rateLimit : statusOfLimit(services, accountLimit(requestLimits));
}

/** What the headers say of a limit: one read, and none where it is unlimited. @throws when the table does not answer */
export async function statusOfLimit(services: LimitServices, limit: Limit): Promise<RateLimitStatus> {
  return rateLimitStatusOf(limit, isUnlimited(limit) ? 0 : await usedOf(services, limit));
}

/** The limit that the headers state: of the account's plan, or of the address. */
export function accountLimit(requestLimits: RequestContext['requestLimits']): Limit {
  return requestLimits[requestLimits.length - 1] as Limit;
}
