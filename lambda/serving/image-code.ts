/** Finds and makes the images that no stored answer shows. */

import { decideRequestByPick } from '../generation/decide-ai-request';
import { obtainAiImage } from '../generation/obtain-ai-image';
import type { ImageOutcome } from '../images/image-outcome';
import type { StockRequest } from '../requests/image-request';
import type { ImageServices } from '../services/image-services';
import { obtainStockImage } from '../stock/search/obtain-image';
import type { ClaimedRequest } from './claim-for-day';

export { decideAndReserve } from '../generation/decide-ai-request';
export { obtainAiImage } from '../generation/obtain-ai-image';
export { renderGoneCard } from '../images/gone-card';
export { connectImageServices, createImageServices } from '../services/image-services';
export { reportFirstUseOfDay } from '../stock/report-use';
export { parseSubject } from '../stock/subject';

/** Finds a stock image and stores its rendition. A pick that no provider knows may be the pick of an AI image. */
export async function obtainForStockRequest(
  services: ImageServices,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
  recentPick: string | undefined,
): Promise<ImageOutcome> {
  const { caller, batchMember, claim } = claimedRequest;
  const isFirstPayment = claim.priorPayment === undefined;
  const context = { ...claimedRequest.context, workLimits: claim.workLimits };
  const lookupContext = { ...context, searchTakesUnit: isFirstPayment, batchMember, recentPick };
  const outcome = await obtainStockImage(services, request, lookupContext);
  if (outcome.outcome === 'served' || outcome.refusal.code !== 'no_image_found') return outcome;
  if (batchMember?.isDuplicate) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick === undefined || caller.kind === 'anonymous') return outcome;
  const decision = await decideRequestByPick(services, request, caller);
  if ('refusal' in decision) return decision;
  return obtainAiImage(services, decision, context, isFirstPayment);
}
