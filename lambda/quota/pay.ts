/** Pays for an image, by a charge or by a payment that stands already, and refunds what gets no image. */

import { runBounded } from '../base/concurrency';
import { undefinedIfFailed } from '../base/telemetry';
import type { Plans } from '../contract/plans';
import { type Caller, hasPublishedCredential } from '../credentials/caller';
import type { UnpaidAnswer } from '../images/answer';
import type { ChargeRefusal, RateLimitStatus } from '../problems/problem';
import type { Answer } from './answer';
import { generationMonthOf, quotaLimitOf } from './caller-limits';
import { markClaimPaid } from './claim';
import { rateLimitStatusOf } from './limit';
import { ErrorAfterCharge, freePayment, type Payment } from './payment';
import type { RequestContext } from './request-context';
import { giveBackUnits, type LimitServices, readLimitStatus, takeUnits } from './take';

/** Whether a request may be served, and its payment. */
export type Admission =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

/**
 * Takes one unit of each limit, unless the payment is settled. The account's unit is taken last, so that a unit
 * which cannot be given back counts against the credential, not the account. A claimed image is marked as paid.
 * @throws when a table refuses the call as such; nothing is charged then
 */
export async function payForImage(
  services: LimitServices,
  context: Pick<RequestContext, 'requestLimits' | 'requestId' | 'settledPayment' | 'claimed' | 'page'>,
): Promise<Admission> {
  const { requestLimits, requestId, settledPayment, claimed, page } = context;
  if (settledPayment) return { outcome: 'admitted', payment: settledPayment };
  const charge = () => takeUnits(services, requestLimits, requestId);
  const taken = await (page ? runBounded(page.charging, charge) : charge());
  if (taken.outcome === 'refused') return { outcome: 'refused', refusal: taken.refusal };
  // Before the image is found, as other requests for it wait for the mark.
  if (claimed) await markClaimPaid(services, claimed, requestId);
  const quota = quotaLimitOf(requestLimits);
  const rateLimit = taken.outcome === 'taken' ? rateLimitStatusOf(quota, taken.used) : undefined;
  const state = rateLimit ? 'charged' : 'unknown';
  return { outcome: 'admitted', payment: { state, units: taken.units, rateLimit } };
}

/**
 * Gives back what a payment has taken, the account's unit first. Never throws. Only the work that was charged
 * refunds it, also after the deadline has answered for it, so no refund is sent twice.
 * @returns the payment from then on: `refunded` or `unknown`; one that is not `charged` stays as it is
 */
export async function refundPayment(services: LimitServices, payment: Payment): Promise<Payment> {
  if (payment.state !== 'charged') return payment;
  const isGivenBack = await giveBackUnits(services, payment.units.toReversed());
  if (!isGivenBack) return { ...payment, state: 'unknown' };
  services.telemetry.count('refunds');
  const { rateLimit: status } = payment;
  const rateLimit = status && { ...status, remaining: Math.min(status.limit, status.remaining + 1) };
  return { ...payment, state: 'refunded', rateLimit };
}

/**
 * Awaits the answer to an admitted request, and refunds it if there is no image.
 * @throws `ErrorAfterCharge` when the answer rejects, after the refund
 */
export async function refundUnlessServed(
  services: LimitServices,
  payment: Payment,
  answering: Promise<UnpaidAnswer>,
): Promise<Answer> {
  const answer = await answering.catch(async (error: unknown) => {
    throw new ErrorAfterCharge(await refundPayment(services, payment), error);
  });
  if (answer.outcome === 'served' && answer.image.fallback !== 'gone') return { ...answer, payment };
  const refunded = await refundPayment(services, payment);
  if (answer.outcome === 'refused') return { ...answer, payment: refunded };
  // The card for an image that is gone is served, and costs nothing.
  const isFree = refunded.state === 'refunded';
  return { ...answer, payment: isFree ? freePayment('no-image', refunded.rateLimit) : refunded };
}

/** Reads the rate limit status before a charge: one read, none without a limit or with a settled payment. */
export async function readStatus(
  services: LimitServices,
  { settledPayment, requestLimits }: RequestContext,
): Promise<RateLimitStatus> {
  return settledPayment?.rateLimit ?? readLimitStatus(services, quotaLimitOf(requestLimits));
}

/** Adds the account's AI images that are left to an answer's rate limit; visitors of a page see no quota. */
export async function addGenerationsLeft<A extends { readonly payment?: Payment }>(
  services: LimitServices & { readonly plans: Plans },
  caller: Caller,
  answer: A,
): Promise<A> {
  const { payment } = answer;
  if (!payment?.rateLimit || caller.kind === 'anonymous' || hasPublishedCredential(caller)) return answer;
  const limit = generationMonthOf(caller, services.plans, services.clock.nowMs());
  const read = () => readLimitStatus(services, limit);
  const generations = await undefinedIfFailed(services.telemetry, 'The AI images left were not read', read);
  if (!generations) return answer;
  return { ...answer, payment: { ...payment, rateLimit: { ...payment.rateLimit, generations } } };
}
