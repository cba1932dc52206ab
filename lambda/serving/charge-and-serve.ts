/** Serves an image in four steps: it is claimed for the day, charged, found or made, and settled. */

import { runBounded } from '../base/concurrency';
import type { UnchargedRefusal } from '../generation/decide-ai-request';
import type { ServedImage } from '../images/image';
import type { ImageOutcome } from '../images/image-outcome';
import type { RateLimitStatus } from '../problems/problem';
import { getQuotaLimit } from '../quota/caller-limits';
import { markClaimPaid } from '../quota/claim';
import { addGenerationsLeft, chargeImage, refundPayment } from '../quota/pay';
import {
  ErrorAfterCharge,
  type FreeReason,
  findPaymentOfError,
  makeFreePayment,
  type Payment,
} from '../quota/payment';
import { findRememberedRefusal, readLimitStatus, takeUnits } from '../quota/take';
import type { AiRequest, PermalinkRequest, StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';
import type { Answer, RefusedAnswer } from './answer';
import { type ClaimedRequest, claimForDay, endClaim } from './claim-for-day';
import { loadImageCode } from './load-image-code';
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
  const { request } = callerRequest;
  const claimedRequest = { ...callerRequest, claim };
  try {
    const answer =
      request.source === 'ai'
        ? await serveAiImage(services, request, claimedRequest)
        : await serveStockImage(services, request, claimedRequest);
    const settledAnswer = await settle(services, answer, claimedRequest);
    const isAi = request.source === 'ai' || (answer.outcome === 'served' && answer.image.source === 'ai');
    if (!isAi) return settledAnswer;
    return await addGenerationsLeft(services, services.config.PLANS, callerRequest.caller, settledAnswer);
  } catch (error) {
    const payment = findPaymentOfError(error);
    await endClaim(services, claimedRequest, payment);
    // A prior payment may stay charged, also if this request failed before its own charge.
    throw payment || !claim.priorPayment ? error : new ErrorAfterCharge(claim.priorPayment, error);
  }
}

/** Serves a stock image. Its stored answer is read while the charge is written. */
async function serveStockImage(
  services: Services,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
): Promise<Answer> {
  const { context, claim } = claimedRequest;
  const refusal = claim.priorPayment ? undefined : findRememberedRefusal(services, context.requestLimits);
  if (refusal) return { outcome: 'refused', refusal };
  const storedAnswer = readStoredAnswer(services, request, context.format);
  const charge = await chargeRequest(services, claimedRequest);
  if ('refusal' in charge) return charge;
  const outcome = fulfilStockRequest(services, request, claimedRequest, await storedAnswer);
  return awaitChargedOutcome(services, charge.payment, outcome);
}

/** Serves an AI image. How to answer is decided before the charge, because the image may be free. */
async function serveAiImage(
  services: Services,
  request: AiRequest | PermalinkRequest,
  claimedRequest: ClaimedRequest,
): Promise<Answer> {
  const { createImageServices, decideAndReserve, obtainDecidedImage } = await loadImageCode();
  const imageServices = await createImageServices(services);
  const { caller, batchMember } = claimedRequest;
  const decision = await decideAndReserve(imageServices, request, caller, batchMember);
  if ('refusal' in decision) return refuseUncharged(services, decision, claimedRequest);
  const charge = await chargeRequest(services, claimedRequest, decision.freeReason);
  if ('refusal' in charge) return charge;
  const outcome = obtainDecidedImage(imageServices, decision, claimedRequest);
  return awaitChargedOutcome(services, charge.payment, outcome);
}

/** Fulfils a request with its stored image, or else with another one. In a batch, the stored image is reserved. */
async function fulfilStockRequest(
  services: Services,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
  { image, recentPick }: StoredAnswer,
): Promise<ImageOutcome> {
  const { batchMember, context } = claimedRequest;
  const isShown = image && (!batchMember || (await batchMember.reserve(image.pick ?? image.location)));
  if (!isShown) {
    const { createImageServices, obtainForStockRequest } = await loadImageCode();
    return obtainForStockRequest(await createImageServices(services), request, claimedRequest, recentPick);
  }
  if (image.use) await reportStoredUse(services, image, context);
  return { outcome: 'served', image, cache: 'HIT' };
}

async function reportStoredUse(services: Services, image: ServedImage, { account }: RequestContext) {
  const { createImageServices, reportFirstUseOfDay } = await loadImageCode();
  await reportFirstUseOfDay(await createImageServices(services), image, account ?? 'anonymous');
}

/** Awaits the outcome of a charged request, and adds the payment. @throws `ErrorAfterCharge`, after the refund */
async function awaitChargedOutcome(
  services: Services,
  payment: Payment,
  outcome: Promise<ImageOutcome>,
): Promise<Answer> {
  try {
    return { ...(await outcome), payment };
  } catch (error) {
    throw new ErrorAfterCharge(await refundPayment(services, payment), error);
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
 * Charges a request. A prior payment stands in place of a charge. An image that is free by rule takes `work`. Any
 * other image takes a unit of each limit, and a claimed image is marked as paid at once, because other requests
 * wait for that.
 */
async function chargeRequest(
  services: Services,
  claimedRequest: ClaimedRequest,
  freeReason?: FreeReason,
): Promise<{ readonly payment: Payment } | RefusedAnswer> {
  const { context, claim, batchMember } = claimedRequest;
  if (claim.priorPayment) return { payment: claim.priorPayment };
  if (freeReason !== undefined) return takeFreeWork(services, freeReason, claimedRequest);
  const takeUnit = () => chargeImage(services, context.requestLimits, context.requestId);
  const charge = await (batchMember ? runBounded(batchMember.charging, takeUnit) : takeUnit());
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
  const payment = await settlePayment(services, answer);
  await endClaim(services, claimedRequest, payment, answer.outcome === 'served');
  return { ...answer, ...(payment && { payment }) };
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
