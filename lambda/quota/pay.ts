/** Charges an image to the limits of its caller, and refunds a request that gets no image. */

import { tryAndLog } from '../base/telemetry';
import type { Plans } from '../contract/plans';
import { type Caller, hasPublishedCredential } from '../credentials/caller';
import type { ChargeRefusal } from '../problems/problem';
import { getQuotaLimit, makeGenerationMonthLimit, type RequestLimits } from './caller-limits';
import { computeRateLimitStatus } from './limit';
import type { Payment } from './payment';
import { giveBackUnits, type LimitServices, readLimitStatus, takeUnits } from './take';

/**
 * Takes one unit of each limit. The account's unit is taken last. If a unit cannot be given back, it therefore
 * counts against the credential, not the account.
 * @throws when the table rejects the call. Nothing is charged then.
 */
export async function chargeImage(
  services: LimitServices,
  requestLimits: RequestLimits,
  requestId: string,
): Promise<{ readonly payment: Payment } | { readonly refusal: ChargeRefusal }> {
  const result = await takeUnits(services, requestLimits, requestId);
  if (result.outcome === 'refused') return { refusal: result.refusal };
  const quota = getQuotaLimit(requestLimits);
  const rateLimit = result.outcome === 'taken' ? computeRateLimitStatus(quota, result.used) : undefined;
  const state = rateLimit ? 'charged' : 'unknown';
  return { payment: { state, units: result.units, rateLimit } };
}

/**
 * Gives back the units of a payment, the account's unit first. A free payment gives back its work. Never
 * throws. Only the request that was charged calls this, so that no refund is sent twice.
 * @returns the payment after the refund: `free`, `refunded` or `unknown`
 */
export async function refundPayment(services: LimitServices, payment: Payment): Promise<Payment> {
  if (payment.state === 'free') {
    await giveBackUnits(services, payment.units);
    return { ...payment, units: [] };
  }
  if (payment.state !== 'charged') return payment;
  const isGivenBack = await giveBackUnits(services, payment.units.toReversed());
  if (!isGivenBack) return { ...payment, state: 'unknown' };
  services.telemetry.count('refunds');
  const { rateLimit: status } = payment;
  const rateLimit = status && { ...status, remaining: Math.min(status.limit, status.remaining + 1) };
  return { ...payment, state: 'refunded', rateLimit };
}

/** Adds the number of AI images that the account has left. Visitors of a page see no quota. */
export async function addGenerationsLeft<A extends { readonly payment?: Payment }>(
  services: LimitServices,
  plans: Plans,
  caller: Caller,
  answer: A,
): Promise<A> {
  const { payment } = answer;
  if (!payment?.rateLimit || caller.kind === 'anonymous' || hasPublishedCredential(caller)) return answer;
  const limit = makeGenerationMonthLimit(caller, plans, services.clock.nowMs());
  const generations = await tryAndLog(services.telemetry, 'The remaining AI images could not be read', () =>
    readLimitStatus(services, limit),
  );
  if (!generations) return answer;
  return { ...answer, payment: { ...payment, rateLimit: { ...payment.rateLimit, generations } } };
}
