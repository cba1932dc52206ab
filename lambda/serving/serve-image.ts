/** Serves an image in five steps: it is claimed for the day, planned, charged, found or made, and settled. */

import { runBounded } from '../base/concurrency';
import { testSlowMs } from '../contract/test-values';
import type { PlanRefusal } from '../generation/plan-ai-image';
import { foundNoImage } from '../images/image-outcome';
import type { RateLimitStatus } from '../problems/problem';
import { pickQuotaLimit } from '../quota/caller-limits';
import { markClaimPaid } from '../quota/claim';
import { addGenerationsLeft, type Charge, chargeImage, refundPayment } from '../quota/pay';
import {
  ErrorAfterCharge,
  type FreeReason,
  freePayment,
  mayStayCharged,
  type Payment,
} from '../quota/payment';
import { readLimitStatus, takeUnits } from '../quota/take';
import { type AiRequest, type ImageRequest, makeAiRequest } from '../requests/image-request';
import { loadImageCode } from '../services/load-image-code';
import type { Services } from '../services/services';
import type { Answer, RefusedAnswer } from './answer';
import { claimForDay, endClaim } from './claim-for-day';
import { type ChargedSlot, type ClaimedRequest, findOrMake, type ImagePlan, planImage } from './find-or-make';
import type { CallerRequest, RequestContext } from './request-context';
import { readTestValue, refuseTestValue, type TestValue } from './test-value';

/**
 * Serves a request. A test value costs nothing.
 * @throws when a table or a function fails. What was charged is refunded by then.
 */
export async function serveImage(
  services: Services,
  callerRequest: CallerRequest<ImageRequest>,
): Promise<Answer> {
  const testValue = readTestValue(services, callerRequest);
  return testValue
    ? serveTestValue(services, testValue, callerRequest)
    : serveOrdinaryRequest(services, callerRequest);
}

/** Answers a test value for nothing: with the refusal that it names, or with an image. */
async function serveTestValue(
  services: Services,
  testValue: TestValue,
  callerRequest: CallerRequest<ImageRequest>,
): Promise<Answer> {
  const { request, context } = callerRequest;
  const payment = freePayment('test-value', await readQuotaStatus(services, context));
  const refusal = await refuseTestValue(services, testValue, context);
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (testValue === 'gone') {
    const imageCode = await loadImageCode(services);
    const size = { ...request, format: context.format };
    const { image } = await imageCode.renderGoneCard({ source: request.source }, size);
    return { outcome: 'served', image, cache: 'HIT', payment };
  }
  if (testValue === 'slow') await services.clock.sleep(testSlowMs);
  const lakeRequest = { ...callerRequest, request: { ...request, query: 'mountain lake' } };
  const answer = await serveOrdinaryRequest(services, lakeRequest, payment);
  if (answer.outcome === 'refused' || testValue !== 'loose') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}

/** Serves a request that is no test value. A caller without a key gets no AI image. */
async function serveOrdinaryRequest(
  services: Services,
  callerRequest: CallerRequest<ImageRequest>,
  standingPayment?: Payment,
): Promise<Answer> {
  const { request, caller } = callerRequest;
  const mayBeAi = request.source === 'ai' || request.filters.onmiss === 'ai';
  if (mayBeAi && caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const serve: ServeRequest = (served, payment = standingPayment) =>
    serveFromSource(services, { ...callerRequest, request: served }, { standingPayment: payment });
  return serveOrReplace(serve, request);
}

/** Serves a request. `standingPayment` is the charge of a request that found nothing, if it was not refunded. */
type ServeRequest = (request: ImageRequest, standingPayment?: Payment) => Promise<Answer>;

/**
 * Serves a request. If it finds no image, the request that takes its place is served. The second request is
 * charged for itself, unless the charge of the first could not be given back.
 */
export async function serveOrReplace(
  serve: ServeRequest,
  request: ImageRequest,
  onmissRequest?: AiRequest,
): Promise<Answer> {
  const answer = await serve(request);
  const replacement = chooseReplacement(request, answer, onmissRequest);
  if (!replacement) return answer;
  const { payment } = answer;
  const replacementAnswer = await serve(
    replacement,
    payment && mayStayCharged(payment) ? payment : undefined,
  );
  return replacementAnswer.outcome === 'refused' && payment
    ? { payment, ...replacementAnswer }
    : replacementAnswer;
}

/** Chooses the AI image that `onmiss=ai` asks for, or the account's own image if an alternative is gone. */
function chooseReplacement(
  request: ImageRequest,
  answer: Answer,
  onmissRequest?: AiRequest,
): AiRequest | undefined {
  if (answer.outcome === 'served' || request.pick !== undefined) return undefined;
  if (request.source === 'ai') {
    const { alt, ...ownRequest } = request;
    return alt !== undefined && answer.refusal.code === 'not_found' ? ownRequest : undefined;
  }
  const mayReplace = request.filters.onmiss === 'ai' && foundNoImage(answer);
  return mayReplace ? (onmissRequest ?? makeAiRequest(request)) : undefined;
}

/** Serves an image of the request's source, and no other in its place. */
export async function serveFromSource(
  services: Services,
  callerRequest: CallerRequest,
  options: {
    /** The payment of a test value, or of a missed image that this image replaces. */
    readonly standingPayment?: Payment | undefined;
    readonly batchSlot?: ChargedSlot;
  } = {},
): Promise<Answer> {
  const claim = await claimForDay(services, callerRequest, options.standingPayment);
  if ('refusal' in claim) return claim;
  const claimed = { ...callerRequest, claim, batchSlot: options.batchSlot };
  const chargedPlan = await refundIfFailed(services, claimed, claim.standingPayment, () =>
    planAndCharge(services, claimed),
  );
  if ('refusal' in chargedPlan) return settle(services, chargedPlan, claimed);
  const { plan, payment } = chargedPlan;
  const outcome = await refundIfFailed(services, claimed, payment, () => findOrMake(services, plan, claimed));
  return settle(services, { ...outcome, payment }, claimed);
}

/**
 * Does a step of a request. If the step throws, the payment is given back, and the claim ends.
 * @throws `ErrorAfterCharge` with the payment after the refund; the error itself if there was no payment
 */
async function refundIfFailed<Result>(
  services: Services,
  claimed: ClaimedRequest,
  payment: Payment | undefined,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const paymentAfterRefund = payment && (await refundPayment(services, payment));
    await endClaim(services, claimed, paymentAfterRefund);
    throw paymentAfterRefund ? new ErrorAfterCharge(paymentAfterRefund, error) : error;
  }
}

interface ChargedPlan {
  readonly plan: ImagePlan;
  readonly payment: Payment;
}

async function planAndCharge(
  services: Services,
  claimed: ClaimedRequest,
): Promise<ChargedPlan | RefusedAnswer> {
  const plan = await planImage(services, claimed);
  if ('refusal' in plan) return refuseUncharged(services, plan, claimed);
  const charge = await chargeForPlan(services, plan, claimed);
  return 'refusal' in charge ? charge : { plan, payment: charge.payment };
}

/** Refuses a request that was not charged. */
async function refuseUncharged(
  services: Services,
  { refusal, showsQuota = false }: PlanRefusal,
  { context, claim: { standingPayment } }: ClaimedRequest,
): Promise<RefusedAnswer> {
  if (standingPayment) return { outcome: 'refused', refusal, payment: standingPayment };
  if (!showsQuota) return { outcome: 'refused', refusal };
  const payment = freePayment('no-image', await readQuotaStatus(services, context));
  return { outcome: 'refused', refusal, payment };
}

/**
 * Charges for a plan. Nothing is charged if a payment stands. An image that is free by rule takes `work`. Any
 * other image takes a unit of each limit, and a claimed image is marked as paid at once, because other requests
 * wait for that.
 */
async function chargeForPlan(
  services: Services,
  { freeReason }: ImagePlan,
  claimed: ClaimedRequest,
): Promise<Charge | RefusedAnswer> {
  const { context, claim, batchSlot } = claimed;
  if (claim.standingPayment) return { outcome: 'charged', payment: claim.standingPayment };
  if (freeReason !== undefined) return takeFreeWork(services, freeReason, claimed);
  const chargeRequest = () => chargeImage(services, context.requestLimits, context.requestId);
  const charge = await (batchSlot ? runBounded(batchSlot.charging, chargeRequest) : chargeRequest());
  if (charge.outcome === 'charged' && claim.claimedImage)
    await markClaimPaid(services, claim.claimedImage, context.requestId);
  return charge;
}

/** Takes the work of an image that is free by rule. A card takes no work here, only if it is rendered. */
async function takeFreeWork(
  services: Services,
  freeReason: FreeReason,
  { context, claim }: ClaimedRequest,
): Promise<Charge | RefusedAnswer> {
  const limits = freeReason === 'no-image' ? [] : claim.workLimits;
  const rateLimit = await readQuotaStatus(services, context);
  const work = await takeUnits(services, limits, context.requestId);
  if (work.outcome === 'refused')
    return { outcome: 'refused', refusal: work.refusal, payment: freePayment('no-image', rateLimit) };
  const units = work.outcome === 'taken' ? work.units : [];
  return { outcome: 'charged', payment: { ...freePayment(freeReason, rateLimit), units } };
}

/** Settles an answer: the payment for no image is given back, and the claim to the image ends. */
async function settle(services: Services, answer: Answer, claimed: ClaimedRequest): Promise<Answer> {
  const isServed = answer.outcome === 'served';
  const payment = await settlePayment(services, answer);
  await endClaim(services, claimed, payment, isServed);
  const settledAnswer = { ...answer, ...(payment && { payment }) };
  const isAi = claimed.request.source === 'ai' || (isServed && answer.image.source === 'ai');
  if (!isAi) return settledAnswer;
  return addGenerationsLeft(services, services.config.PLANS, claimed.caller, settledAnswer);
}

/** Gives the payment for no image back. The card of a gone image is free after that. */
async function settlePayment(services: Services, answer: Answer): Promise<Payment | undefined> {
  const { outcome, payment } = answer;
  const hasImage = outcome === 'served' && answer.image.fallback !== 'gone';
  if (!payment || hasImage) return payment;
  const paymentAfterRefund = await refundPayment(services, payment);
  const isFreeCard = outcome === 'served' && paymentAfterRefund.state === 'refunded';
  return isFreeCard ? freePayment('no-image', paymentAfterRefund.rateLimit) : paymentAfterRefund;
}

/** Reads the rate limit status before a charge. This takes one read, or none without a limit. */
function readQuotaStatus(services: Services, { requestLimits }: RequestContext): Promise<RateLimitStatus> {
  return readLimitStatus(services, pickQuotaLimit(requestLimits));
}
