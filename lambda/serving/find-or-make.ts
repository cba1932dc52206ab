/** Plans how a request is answered before it is charged, and then finds or makes its image. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { Caller } from '../credentials/caller';
import type { AiPlan, PlanRefusal } from '../generation/plan-ai-image';
import type { BatchSlot } from '../images/batch-slot';
import { foundNoImage, type ImageOutcome } from '../images/image-outcome';
import { refuseFromMemory } from '../quota/take';
import type { ImageRequest, PermalinkRequest, StockRequest } from '../requests/image-request';
import { loadImageCode } from '../services/load-image-code';
import type { Services } from '../services/services';
import type { SearchContext } from '../stock/search/search-types';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';
import type { Claim } from './claim-for-day';
import type { RequestContext } from './request-context';

/** A slot of a batch, with the queue in which the images of its batch are charged. */
export interface ChargedSlot extends BatchSlot {
  /** Lets the images of the batch be charged one at a time, in their order. */
  readonly charging: ConcurrencyBound;
}

/** A request whose image is claimed, or needs no claim. */
export interface ClaimedRequest {
  readonly request: ImageRequest | PermalinkRequest;
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly claim: Claim;
  /** The slot of a batch that shows the image. */
  readonly batchSlot?: ChargedSlot | undefined;
}

/** The plan for a stock image. */
interface StockPlan {
  readonly kind: 'stock';
  readonly request: StockRequest;
  /** It is read while the charge is written. */
  readonly storedAnswer: Promise<StoredAnswer>;
  /** No stock image is free by rule. */
  readonly freeReason?: undefined;
}

/** How a request is answered, as far as that is known before a charge. */
export type ImagePlan = StockPlan | AiPlan;

/** Plans how a request is answered: an image that is free by rule, or a refusal, is looked up before a charge. */
export async function planImage(
  services: Services,
  { request, caller, context, claim }: ClaimedRequest,
): Promise<ImagePlan | PlanRefusal> {
  if (request.source !== 'ai') {
    const usedUp = claim.payment ? undefined : refuseFromMemory(services, context.requestLimits);
    if (usedUp) return { outcome: 'refused', refusal: usedUp };
    return { kind: 'stock', request, storedAnswer: readStoredAnswer(services, request, context.format) };
  }
  const imageCode = await loadImageCode(services);
  if ('imageId' in request) return imageCode.planPermalink(imageCode.services, request, caller);
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  return request.pick === undefined
    ? imageCode.planAiImage(imageCode.services, request, caller)
    : imageCode.planAiPick(imageCode.services, request, caller);
}

/** Finds or makes the image of a plan. */
export function findOrMake(
  services: Services,
  plan: ImagePlan,
  { caller, context, claim, batchSlot }: ClaimedRequest,
): Promise<ImageOutcome> {
  const isPaidBefore = claim.payment !== undefined;
  const findingContext = { ...context, workLimits: claim.workLimits, isPaidBefore, batchSlot };
  return plan.kind === 'stock'
    ? findStockOrPicked(services, plan, caller, findingContext)
    : makeAiImage(services, plan, caller, findingContext);
}

type FindingContext = Omit<SearchContext, 'isRenditionCounted'>;

/** Finds a stock image. A pick that no provider has may be that of an AI image. */
async function findStockOrPicked(
  services: Services,
  plan: StockPlan,
  caller: Caller,
  context: FindingContext,
): Promise<ImageOutcome> {
  const answer = await findStockImage(services, plan, context);
  if (plan.request.pick === undefined || caller.kind === 'anonymous' || !foundNoImage(answer)) return answer;
  const imageCode = await loadImageCode(services);
  const aiPlan = await imageCode.planAiPick(imageCode.services, plan.request, caller);
  return 'refusal' in aiPlan ? aiPlan : makeAiImage(services, aiPlan, caller, context);
}

/** Answers with the stored image where the page may show it, and otherwise finds one. */
async function findStockImage(
  services: Services,
  { request, storedAnswer }: StockPlan,
  context: FindingContext,
): Promise<ImageOutcome> {
  const { image, isRenditionCounted } = await storedAnswer;
  const { batchSlot, account = 'anonymous' } = context;
  const isShown = image && (!batchSlot || (await batchSlot.reserve(image.pick ?? image.location)));
  if (isShown && !image.use) return { outcome: 'served', image, cache: 'HIT' };
  const imageCode = await loadImageCode(services);
  if (isShown) {
    await imageCode.reportUse(imageCode.services, image, account);
    return { outcome: 'served', image, cache: 'HIT' };
  }
  // On a page that shows the known image elsewhere, another one is searched; its rendition counts as work.
  const searchContext = { ...context, isRenditionCounted: isRenditionCounted && !image };
  return imageCode.findImage(imageCode.services, request, searchContext);
}

/** Delivers or makes an AI image, and stores it under its pick unless an earlier request has done so. */
async function makeAiImage(
  services: Services,
  plan: AiPlan,
  caller: Caller,
  context: FindingContext,
): Promise<ImageOutcome> {
  const imageCode = await loadImageCode(services);
  const answer = await imageCode.makeAiImage(imageCode.services, plan, context);
  if (answer.outcome === 'served' && caller.kind !== 'anonymous' && !context.isPaidBefore)
    await imageCode.storePickedAiImage(imageCode.services, answer.image);
  return answer;
}
