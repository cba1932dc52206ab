/** Decides how to answer a request before it is charged, and finds or makes its image afterwards. */

import type { AiDecision, UnchargedRefusal } from '../generation/decide-ai-request';
import type { ImageOutcome } from '../images/image-outcome';
import { findRememberedRefusal } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';
import type { ClaimedRequest } from './claim-for-day';
import { loadImageCode } from './load-image-code';

/** The decision for a stock image. */
export interface StockDecision {
  readonly kind: 'stock';
  readonly request: StockRequest;
  /** The answer that is stored for the request. It is read while the charge is written. */
  readonly storedAnswer: Promise<StoredAnswer>;
  /** Absent, because no stock image is free by rule. */
  readonly freeReason?: undefined;
}

/** How a request is answered, as far as that is known before the charge. */
export type ImageDecision = StockDecision | AiDecision;

/** Decides how to answer a request, which is not charged yet. Images of the account may be read for that. */
export async function decideRequest(
  services: Services,
  claimedRequest: ClaimedRequest,
): Promise<ImageDecision | UnchargedRefusal> {
  const { request, context, claim } = claimedRequest;
  if (request.source === 'ai')
    return (await loadImageCode()).decideAiRequest(services, request, claimedRequest);
  const refusal = claim.priorPayment ? undefined : findRememberedRefusal(services, context.requestLimits);
  if (refusal) return { outcome: 'refused', refusal };
  return { kind: 'stock', request, storedAnswer: readStoredAnswer(services, request, context.format) };
}

/** Shows the stored image of a decision. Otherwise finds or makes an image, by code that is loaded for it. */
export async function obtainImage(
  services: Services,
  decision: ImageDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  if (decision.kind !== 'stock')
    return (await loadImageCode()).obtainAiImage(services, decision, claimedRequest);
  const { image, tookRenditionUnit } = await decision.storedAnswer;
  const { batchMember, context } = claimedRequest;
  const isShown = image && (!batchMember || (await batchMember.reserve(image.pick ?? image.location)));
  if (!isShown) {
    // If another slot shows the stored image, the search finds another one, whose rendition takes work.
    const takesUnit = !tookRenditionUnit || image !== undefined;
    return (await loadImageCode()).findStockImage(services, decision.request, claimedRequest, takesUnit);
  }
  if (image.use) await (await loadImageCode()).reportImageUse(services, image, context.account);
  return { outcome: 'served', image, cache: 'HIT' };
}
