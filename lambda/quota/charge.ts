/** Charges a request before the work, and refunds it once where there is no image. */

import type { ChargeRefusal, RateLimitStatus } from '../problems/problem';
import { isUnlimited, type Limit, rateLimitStatusOf } from './limit';
import type { Payment } from './payment';
import type { RequestContext } from './request-context';
import { giveBack, type LimitServices, readUsed, take } from './take';

/** The outcome of a charge. */
export type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

/**
 * Takes one unit of each limit, the account's last: a unit that is not given back then tightens the
 * credential.
 * @throws when a table refuses the call as such; nothing is charged then
 */
export async function charge(
  services: LimitServices,
  { requestLimits, requestId }: Pick<RequestContext, 'requestLimits' | 'requestId'>,
): Promise<Charge> {
  const result = await take(services, requestLimits, requestId);
  if (result.outcome === 'refused') return { outcome: 'refused', refusal: result.refusal };
  const rateLimit = rateLimitStatusOf(quotaLimitOf(requestLimits), 'used' in result ? result.used : 0);
  const state = result.outcome === 'taken' ? 'charged' : 'unknown';
  return { outcome: 'admitted', payment: { state, units: result.units, rateLimit } };
}

/**
 * Gives back what a payment has taken, the account's unit first. Never throws. Only the work that was charged
 * refunds it, also after the deadline has answered for it, so no refund is sent twice.
 * @returns the payment from then on: `refunded` or `unknown`; one that is not `charged` stays as it is
 */
export async function refund(services: LimitServices, payment: Payment): Promise<Payment> {
  if (payment.state !== 'charged') return payment;
  const isGivenBack = await giveBack(services, payment.units.toReversed());
  if (!isGivenBack) return { ...payment, state: 'unknown' };
  services.telemetry.count('refunds');
  const { limit, remaining } = payment.rateLimit;
  const rateLimit = { ...payment.rateLimit, remaining: Math.min(limit, remaining + 1) };
  return { ...payment, state: 'refunded', rateLimit };
}

/** Takes a unit of work, which costs no request. @returns the refusal; none where the outcome is unknown */
export async function takeWork(
  services: LimitServices,
  limits: readonly Limit[],
  id: string,
): Promise<ChargeRefusal | undefined> {
  const result = await take(services, limits, id);
  return result.outcome === 'refused' ? result.refusal : undefined;
}

/** Reads the rate limit status of a limit: one read, none where it is unlimited. @throws as `readUsed` */
export async function readLimitStatus(services: LimitServices, limit: Limit): Promise<RateLimitStatus> {
  return rateLimitStatusOf(limit, isUnlimited(limit) ? 0 : await readUsed(services, limit));
}

/** The limit whose state the headers of answers have: of the account's plan, or of the address. */
export function quotaLimitOf(requestLimits: RequestContext['requestLimits']): Limit {
  return requestLimits[requestLimits.length - 1] as Limit;
}
