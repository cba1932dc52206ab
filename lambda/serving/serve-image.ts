/** Serves an image in five steps: it is claimed for the day, looked up, charged, found or made, and settled. */

import { runBounded } from '../base/concurrency';
import { testSlowMs } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
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
import { readLimitStatus, refusalUnlessTaken } from '../quota/take';
import {
  type AiRequest,
  type ImageRequest,
  makeAiRequest,
  type PermalinkRequest,
} from '../requests/image-request';
import { loadImageCode } from '../services/load-image-code';
import type { Services } from '../services/services';
import type { Answer, RefusedAnswer } from './answer';
import { claimForDay, endClaim } from './claim-for-day';
import { type ChargedSlot, type ClaimedRequest, findOrMake, type ImagePlan, planImage } from './find-or-make';
import type { RequestContext } from './request-context';
import { readTestValue, refuseTestValue, type TestValue } from './test-value';

/**
 * Serves a request. A test value costs nothing.
 * @throws when a table or a function fails; what was charged is refunded by then
 */
export async function serveImage(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const testValue = readTestValue(services, request, caller);
  return testValue
    ? serveTestValue(services, testValue, request, caller, context)
    : serveOrReplace(services, request, caller, context);
}

/** Answers a test value as its real case, or with an ordinary image, for nothing. */
async function serveTestValue(
  services: Services,
  value: TestValue,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const payment = freePayment('test-value', await readQuotaStatus(services, context));
  const refusal = await refuseTestValue(services, value, context);
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (value === 'gone') {
    const imageCode = await loadImageCode(services);
    const size = { ...request, format: context.format };
    const { image } = await imageCode.renderGoneCard(imageCode.services, { source: request.source }, size);
    return { outcome: 'served', image, cache: 'HIT', payment };
  }
  if (value === 'slow') await services.clock.sleep(testSlowMs);
  const lakeRequest = { ...request, query: 'mountain lake' };
  const answer = await serveOrReplace(services, lakeRequest, caller, context, payment);
  if (answer.outcome === 'refused' || value !== 'loose') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}

/** Serves a request, or the AI image that takes its place. Without a key there is no AI image. */
async function serveOrReplace(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
  earlier?: Payment,
): Promise<Answer> {
  const mayBeAi = request.source === 'ai' || request.filters.onmiss === 'ai';
  if (mayBeAi && caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const answer = await serveFromSource(services, request, caller, context, earlier);
  const replacement = replacementFor(request, answer);
  if (!replacement) return answer;
  const payment = unrefundedPayment(answer) ?? earlier;
  return withPaymentOf(answer, await serveFromSource(services, replacement, caller, context, payment));
}

/**
 * Serves an image of the request's source, and no other in its place.
 * @param earlier the payment that stands: of a test value, or of an image that this one replaces
 * @throws `ErrorAfterCharge` when a step fails after the charge, once that is given back
 */
export async function serveFromSource(
  services: Services,
  request: ImageRequest | PermalinkRequest,
  caller: Caller,
  context: RequestContext,
  earlier?: Payment,
  batchSlot?: ChargedSlot,
): Promise<Answer> {
  const claim = await claimForDay(services, request, caller, context, earlier);
  if ('refusal' in claim) return claim;
  const claimed = { request, caller, context, claim, batchSlot };
  let { payment } = claim;
  try {
    const plan = await planImage(services, claimed);
    if ('refusal' in plan)
      return await settle(services, await refuseUncharged(services, plan, claimed), claimed);
    const charge = await chargeForPlan(services, plan, claimed);
    if ('refusal' in charge) return await settle(services, charge, claimed);
    payment = charge.payment;
    const answer = await findOrMake(services, plan, claimed);
    return await settle(services, { ...answer, payment }, claimed);
  } catch (error) {
    const left = payment && (await refundPayment(services, payment));
    await endClaim(services, claim, context.requestId, left);
    throw left ? new ErrorAfterCharge(left, error) : error;
  }
}

/** Refuses a request that was not charged. */
async function refuseUncharged(
  services: Services,
  { refusal, showsQuota = false }: PlanRefusal,
  { context, claim }: ClaimedRequest,
): Promise<RefusedAnswer> {
  const status = showsQuota && !claim.payment ? await readQuotaStatus(services, context) : undefined;
  const payment = claim.payment ?? (status && freePayment('no-image', status));
  return { outcome: 'refused', refusal, ...(payment && { payment }) };
}

/**
 * Charges for a plan: nothing where a payment stands, `work` where the image is free by rule, and otherwise a
 * unit of each limit. A claimed image is marked as paid before it is found, as other requests wait for that.
 */
async function chargeForPlan(
  services: Services,
  { freeReason }: ImagePlan,
  claimed: ClaimedRequest,
): Promise<Charge | RefusedAnswer> {
  const { context, claim, batchSlot } = claimed;
  if (claim.payment) return { outcome: 'charged', payment: claim.payment };
  if (freeReason !== undefined) return admitFree(services, freeReason, claimed);
  const chargeRequest = () => chargeImage(services, context.requestLimits, context.requestId);
  const charge = await (batchSlot ? runBounded(batchSlot.charging, chargeRequest) : chargeRequest());
  if (charge.outcome === 'charged' && claim.claimedImage)
    await markClaimPaid(services, claim.claimedImage, context.requestId);
  return charge;
}

/** Takes the work of an image that is free by rule; a card takes its own, where it is new. */
async function admitFree(
  services: Services,
  freeReason: FreeReason,
  { context, claim }: ClaimedRequest,
): Promise<Charge | RefusedAnswer> {
  const limits = freeReason === 'no-image' ? [] : claim.workLimits;
  const refusal = await refusalUnlessTaken(services, limits, context.requestId);
  const status = await readQuotaStatus(services, context);
  if (refusal) return { outcome: 'refused', refusal, payment: freePayment('no-image', status) };
  return { outcome: 'charged', payment: freePayment(freeReason, status) };
}

/** Gives back the charge for an answer without an image, and ends the claim to it. */
async function settle(services: Services, answer: Answer, claimed: ClaimedRequest): Promise<Answer> {
  const { request, caller, context, claim } = claimed;
  const isServed = answer.outcome === 'served';
  const hasImage = isServed && answer.image.fallback !== 'gone';
  const payment =
    answer.payment && (hasImage ? answer.payment : await refundPayment(services, answer.payment));
  const settled =
    isServed && payment?.state === 'refunded' ? freePayment('no-image', payment.rateLimit) : payment;
  await endClaim(services, claim, context.requestId, settled, isServed);
  const isAi = request.source === 'ai' || (isServed && answer.image.source === 'ai');
  const settledAnswer = { ...answer, ...(settled && { payment: settled }) };
  return isAi ? addGenerationsLeft(services, services.config.PLANS, caller, settledAnswer) : settledAnswer;
}

/** Reads the rate limit status before a charge: one read, none without a limit. */
function readQuotaStatus(services: Services, { requestLimits }: RequestContext): Promise<RateLimitStatus> {
  return readLimitStatus(services, pickQuotaLimit(requestLimits));
}

/**
 * Returns the request that takes the place of one without an image: of the AI image that `onmiss=ai` asks for,
 * or of the account's own image where an alternative is gone. It is charged by itself.
 */
export function replacementFor(request: ImageRequest, answer: Answer): AiRequest | undefined {
  if (answer.outcome === 'served' || request.pick !== undefined) return undefined;
  if (request.source === 'ai') {
    const { alt, ...ownRequest } = request;
    return alt !== undefined && answer.refusal.code === 'not_found' ? ownRequest : undefined;
  }
  return request.filters.onmiss === 'ai' && foundNoImage(answer) ? makeAiRequest(request) : undefined;
}

/** Returns the payment of a missed answer that could not be given back: it pays for the image in its place. */
export function unrefundedPayment({ payment }: Answer): Payment | undefined {
  return payment && mayStayCharged(payment) ? payment : undefined;
}

/** Adds the payment of a missed answer to a refusal in its place that has none. */
export function withPaymentOf({ payment }: Answer, replacing: Answer): Answer {
  return replacing.outcome === 'refused' && payment ? { payment, ...replacing } : replacing;
}
