/** Plans how a request is answered before it is charged, and finds or makes its image after that. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { AiPlan, PlanRefusal } from '../generation/plan-ai-image';
import type { BatchSlot } from '../images/batch-slot';
import { foundNoImage, type ImageOutcome } from '../images/image-outcome';
import { refuseFromMemory } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import { loadImageCode } from '../services/load-image-code';
import type { Services } from '../services/services';
import type { SearchContext } from '../stock/search/search-types';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';
import type { Claim } from './claim-for-day';
import type { CallerRequest } from './request-context';

/** A slot of a batch, with the queue in which the images of its batch are charged. */
export interface ChargedSlot extends BatchSlot {
  /** Lets the images of the batch be charged one at a time, in their order. */
  readonly charging: ConcurrencyBound;
}

/** A request with its claim. */
export interface ClaimedRequest extends CallerRequest {
  readonly claim: Claim;
  /** The slot of a batch that chooses its image after the slots before it. */
  readonly batchSlot?: ChargedSlot | undefined;
}

/** The plan for a stock image. */
interface StockPlan {
  readonly kind: 'stock';
  readonly request: StockRequest;
  /** It is read while the charge is written. */
  readonly storedAnswer: Promise<StoredAnswer>;
  /** Absent, because no stock image is free by rule. */
  readonly freeReason?: undefined;
}

/** How a request is answered, as far as that is known before the charge. */
export type ImagePlan = StockPlan | AiPlan;

/** Plans how a request is answered. An image that is free by rule is looked up here, before a charge. */
export async function planImage(
  services: Services,
  { request, caller, context, claim, batchSlot }: ClaimedRequest,
): Promise<ImagePlan | PlanRefusal> {
  if (request.source !== 'ai') {
    const refusal = claim.standingPayment ? undefined : refuseFromMemory(services, context.requestLimits);
    if (refusal) return { outcome: 'refused', refusal };
    return { kind: 'stock', request, storedAnswer: readStoredAnswer(services, request, context.format) };
  }
  const imageCode = await loadImageCode(services);
  if ('imageId' in request) return imageCode.planPermalink(request, caller);
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  return request.pick === undefined
    ? imageCode.planAiImage(request, caller, batchSlot)
    : imageCode.planAiPick(request, caller);
}

/** Finds or makes the image of a plan. */
export function findOrMake(
  services: Services,
  plan: ImagePlan,
  claimed: ClaimedRequest,
): Promise<ImageOutcome> {
  return plan.kind === 'stock'
    ? findStockOrPicked(services, plan, claimed)
    : carryOutAiPlan(services, plan, claimed);
}

/** Finds a stock image. A pick that no provider knows may be the pick of an AI image. */
async function findStockOrPicked(
  services: Services,
  plan: StockPlan,
  claimed: ClaimedRequest,
): Promise<ImageOutcome> {
  const { caller } = claimed;
  const outcome = await findStockImage(services, plan, claimed);
  if (plan.request.pick === undefined || caller.kind === 'anonymous' || !foundNoImage(outcome))
    return outcome;
  const imageCode = await loadImageCode(services);
  const aiPlan = await imageCode.planAiPick(plan.request, caller);
  return 'refusal' in aiPlan ? aiPlan : carryOutAiPlan(services, aiPlan, claimed);
}

/** Returns the stored image if the slot of a batch may show it. Otherwise finds another one. */
async function findStockImage(
  services: Services,
  { request, storedAnswer }: StockPlan,
  claimed: ClaimedRequest,
): Promise<ImageOutcome> {
  const { batchSlot, context } = claimed;
  const { image, isRenditionCounted } = await storedAnswer;
  const isShown = image && (!batchSlot || (await batchSlot.reserve(image.pick ?? image.location)));
  if (isShown) {
    if (image.use) await (await loadImageCode(services)).reportUse(image, context.account ?? 'anonymous');
    return { outcome: 'served', image, cache: 'HIT' };
  }
  const imageCode = await loadImageCode(services);
  // If another slot shows the stored image, a different one is searched, and its rendition counts as work.
  const isCounted = isRenditionCounted && !image;
  return imageCode.findImage(request, { ...findingContext(claimed), isRenditionCounted: isCounted });
}

/** Delivers or makes an AI image, and stores it under its pick unless an earlier request has done so. */
async function carryOutAiPlan(
  services: Services,
  plan: AiPlan,
  claimed: ClaimedRequest,
): Promise<ImageOutcome> {
  const imageCode = await loadImageCode(services);
  const outcome = await imageCode.makeAiImage(plan, findingContext(claimed));
  const isFirstUse = claimed.caller.kind !== 'anonymous' && claimed.claim.standingPayment === undefined;
  if (outcome.outcome === 'served' && isFirstUse) await imageCode.storePickedAiImage(outcome.image);
  return outcome;
}

function findingContext({
  context,
  claim,
  batchSlot,
}: ClaimedRequest): Omit<SearchContext, 'isRenditionCounted'> {
  const { standingPayment, workLimits } = claim;
  return { ...context, workLimits, isPaidBefore: standingPayment !== undefined, batchSlot };
}
