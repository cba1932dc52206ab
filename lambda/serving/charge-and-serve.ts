/** Serves an image in five steps: it is claimed for the day, decided, charged, found or made, and settled. */

import { runBounded } from '../base/concurrency';
import type { UnchargedRefusal } from '../generation/decide-ai-request';
import type { RateLimitStatus } from '../problems/problem';
import { getQuotaLimit } from '../quota/caller-limits';
import { markClaimPaid } from '../quota/claim';
import { addGenerationsLeft, chargeImage, refundPayment } from '../quota/pay';
import { ErrorAfterCharge, type FreeReason, makeFreePayment, type Payment } from '../quota/payment';
import { readLimitStatus, takeUnits } from '../quota/take';
import type { Services } from '../services/services';
import type { Answer, RefusedAnswer } from './answer';
import { type ClaimedRequest, claimForDay, endClaim } from './claim-for-day';
import { decideRequest, type ImageDecision, obtainImage } from './obtain-image';
import type { CallerRequest, RequestContext } from './request-context';

/**
 * Charges a request, and serves an image of its source and no other in its place. If no image is served, the
 * charge is refunded.
 * @param priorPayment of a test value, or of a missed image that this image replaces
 * @throws the error of a step. If the request was charged, it is an `ErrorAfterCharge`, after the refund.
 */
export async function chargeAndServe(
  services: Services,
  callerRequest: CallerRequest,
  priorPayment?: Payment,
): Promise<Answer> {
  const claim = await claimForDay(services, callerRequest, priorPayment);
  if ('refusal' in claim) return claim;
  const claimedRequest = { ...callerRequest, claim };
  let payment = claim.priorPayment;
  const obtainAnswer = async (): Promise<Answer> => {
    const decision = await decideRequest(services, claimedRequest);
    if ('refusal' in decision) return refuseUncharged(services, decision, claimedRequest);
    const charge = await chargeForDecision(services, decision, claimedRequest);
    if ('refusal' in charge) return charge;
    payment = charge.payment;
    return { ...(await obtainImage(services, decision, claimedRequest)), payment };
  };
  try {
    return await settle(services, await obtainAnswer(), claimedRequest);
  } catch (error) {
    const paymentAfterRefund = payment && (await refundPayment(services, payment));
    await endClaim(services, claimedRequest, paymentAfterRefund);
    throw paymentAfterRefund ? new ErrorAfterCharge(paymentAfterRefund, error) : error;
  }
}

/** Refuses a request that was not charged. */
async function refuseUncharged(
  services: Services,
  { refusal, showsQuota = false }: UnchargedRefusal,
  { context, claim: { priorPayment } }: ClaimedRequest,
): Promise<RefusedAnswer> {
  if (priorPayment) return { outcome: 'refused', refusal, payment: priorPayment };
  if (!showsQuota) return { outcome: 'refused', refusal };
  const payment = makeFreePayment('no-image', await readQuotaStatus(services, context));
  return { outcome: 'refused', refusal, payment };
}

/**
 * Charges for a decision. A prior payment stands in place of a charge. An image that is free by rule takes `work`. Any
 * other image takes a unit of each limit, and a claimed image is marked as paid at once, because other requests
 * wait for that.
 */
async function chargeForDecision(
  services: Services,
  { freeReason }: ImageDecision,
  claimedRequest: ClaimedRequest,
): Promise<{ readonly payment: Payment } | RefusedAnswer> {
  const { context, claim, batchMember } = claimedRequest;
  if (claim.priorPayment) return { payment: claim.priorPayment };
  if (freeReason !== undefined) return takeFreeWork(services, freeReason, claimedRequest);
  const chargeRequest = () => chargeImage(services, context.requestLimits, context.requestId);
  const charge = await (batchMember ? runBounded(batchMember.charging, chargeRequest) : chargeRequest());
  if ('refusal' in charge) return { outcome: 'refused', ...charge };
  if (claim.claimedImage) await markClaimPaid(services, claim.claimedImage, context.requestId);
  return charge;
}

/** Takes the work of an image that is free by rule. A card takes no work here, only if it is rendered. */
async function takeFreeWork(
  services: Services,
  freeReason: FreeReason,
  { context, claim }: ClaimedRequest,
): Promise<{ readonly payment: Payment } | RefusedAnswer> {
  const limits = freeReason === 'no-image' ? [] : claim.workLimits;
  const rateLimit = await readQuotaStatus(services, context);
  const work = await takeUnits(services, limits, context.requestId);
  if (work.outcome === 'refused')
    return { outcome: 'refused', refusal: work.refusal, payment: makeFreePayment('no-image', rateLimit) };
  const units = work.outcome === 'taken' ? work.units : [];
  return { payment: { ...makeFreePayment(freeReason, rateLimit), units } };
}

/** Settles an answer: the payment for no image is given back, and the claim to the image ends. */
async function settle(services: Services, answer: Answer, claimedRequest: ClaimedRequest): Promise<Answer> {
  const isServed = answer.outcome === 'served';
  const payment = await settlePayment(services, answer);
  await endClaim(services, claimedRequest, payment, isServed);
  const settledAnswer = { ...answer, ...(payment && { payment }) };
  const isAi = claimedRequest.request.source === 'ai' || (isServed && answer.image.source === 'ai');
  if (!isAi) return settledAnswer;
  return addGenerationsLeft(services, services.config.PLANS, claimedRequest.caller, settledAnswer);
}

/** Gives the payment for no image back. The card of a gone image is free after that. */
async function settlePayment(services: Services, answer: Answer): Promise<Payment | undefined> {
  const { outcome, payment } = answer;
  const hasImage = outcome === 'served' && answer.image.fallback !== 'gone';
  if (!payment || hasImage) return payment;
  const paymentAfterRefund = await refundPayment(services, payment);
  const isFreeCard = outcome === 'served' && paymentAfterRefund.state === 'refunded';
  return isFreeCard ? makeFreePayment('no-image', paymentAfterRefund.rateLimit) : paymentAfterRefund;
}

/** Reads the rate limit status before a charge. This takes one read, or none without a limit. */
export function readQuotaStatus(
  services: Services,
  { requestLimits }: RequestContext,
): Promise<RateLimitStatus> {
  return readLimitStatus(services, getQuotaLimit(requestLimits));
}
