/** Finds and makes the images that no stored answer shows. */

import { type AiDecision, decideRequestByPick } from '../generation/decide-ai-request';
import { obtainAiImage } from '../generation/obtain-ai-image';
import type { ImageOutcome } from '../images/image-outcome';
import type { StockRequest } from '../requests/image-request';
import type { ImageServices } from '../services/image-services';
import { obtainStockImage } from '../stock/search/obtain-image';
import type { ClaimedRequest } from './claim-for-day';

export { decideAndReserve } from '../generation/decide-ai-request';
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
  const outcome = await obtainStockImage(services, request, {
    ...makeWorkContext(claimedRequest),
    searchTakesUnit: claim.priorPayment === undefined,
    batchMember,
    recentPick,
  });
  if (outcome.outcome === 'served' || outcome.refusal.code !== 'no_image_found') return outcome;
  if (batchMember?.isDuplicate) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick === undefined || caller.kind === 'anonymous') return outcome;
  const decision = await decideRequestByPick(services, request, caller);
  return 'refusal' in decision ? decision : obtainDecidedImage(services, decision, claimedRequest);
}

/** Obtains the AI image of a decision. The request of a key holder that pays also stores the image's pick. */
export function obtainDecidedImage(
  services: ImageServices,
  decision: AiDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  const { caller, claim } = claimedRequest;
  const storesPick = caller.kind !== 'anonymous' && claim.priorPayment === undefined;
  return obtainAiImage(services, decision, makeWorkContext(claimedRequest), storesPick);
}

const makeWorkContext = ({ context, claim: { workLimits } }: ClaimedRequest) => ({ ...context, workLimits });
