/** Plans how a request is answered before it is charged, and finds or makes its image after that. */

import type { AiPlan, PlanRefusal } from '../generation/plan-ai-image';
import type { ImageOutcome } from '../images/image-outcome';
import { findRememberedRefusal } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';
import type { ClaimedRequest } from './claim-for-day';
import { loadImageCode } from './load-image-code';

/** The plan for a stock image. */
export interface StockPlan {
  readonly kind: 'stock';
  readonly request: StockRequest;
  /** The answer that is stored for the request. It is read while the charge is written. */
  readonly storedAnswer: Promise<StoredAnswer>;
  /** Absent, because no stock image is free by rule. */
  readonly freeReason?: undefined;
}

/** How a request is answered, as far as that is known before the charge. */
export type ImagePlan = StockPlan | AiPlan;

/** Plans how a request is answered. An AI image that is free by rule is looked up here, before a charge. */
export async function planImage(
  services: Services,
  claimedRequest: ClaimedRequest,
): Promise<ImagePlan | PlanRefusal> {
  const { request, context, claim } = claimedRequest;
  if (request.source === 'ai')
    return (await loadImageCode()).planAiRequest(services, request, claimedRequest);
  const refusal = claim.standingPayment ? undefined : findRememberedRefusal(services, context.requestLimits);
  if (refusal) return { outcome: 'refused', refusal };
  return { kind: 'stock', request, storedAnswer: readStoredAnswer(services, request, context.format) };
}

/** Shows the stored image of a plan. Otherwise finds or makes an image, by code that is loaded for it. */
export async function findOrMake(
  services: Services,
  plan: ImagePlan,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  if (plan.kind !== 'stock') return (await loadImageCode()).makeAiImage(services, plan, claimedRequest);
  const { image, isRenditionCounted } = await plan.storedAnswer;
  const { batchSlot, context } = claimedRequest;
  const isShown = image && (!batchSlot || (await batchSlot.reserve(image.pick ?? image.location)));
  if (!isShown) {
    // If another slot shows the stored image, the search finds another one, whose rendition takes work.
    const isCounted = isRenditionCounted && !image;
    return (await loadImageCode()).findStockImage(services, plan.request, claimedRequest, isCounted);
  }
  if (image.use) await (await loadImageCode()).reportImageUse(services, image, context.account);
  return { outcome: 'served', image, cache: 'HIT' };
}
