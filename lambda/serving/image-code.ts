/** Finds and makes the images that no stored answer shows. */

import { carryOutAiDecision } from '../generation/carry-out-ai-decision';
import {
  type AiDecision,
  decideAndReserveByWords,
  decideRequestById,
  decideRequestByPick,
  type UnchargedRefusal,
} from '../generation/decide-ai-request';
import type { ImageOutcome } from '../images/image-outcome';
import { storePickedAiImage } from '../images/picked-images';
import type { AiRequest, PermalinkRequest, StockRequest } from '../requests/image-request';
import type { ImageServices } from '../services/image-services';
import type { LookupContext } from '../stock/search/lookup';
import { obtainImage } from '../stock/search/obtain-image';
import type { ClaimedRequest } from './claim-for-day';

export { renderGoneCard } from '../images/gone-card';
export { connectImageServices, createImageServices } from '../services/image-services';
export { reportFirstUseOfDay } from '../stock/report-use';
export { parseSubject } from '../stock/subject';

/**
 * Decides how to answer a request for an AI image, by words, pick or id. In a batch, the image of words is
 * reserved for its page slot.
 * @throws when a table fails
 */
export async function decideAndReserve(
  services: ImageServices,
  request: AiRequest | PermalinkRequest,
  { caller, batchMember }: ClaimedRequest,
): Promise<AiDecision | UnchargedRefusal> {
  if ('imageId' in request) return decideRequestById(services, request, caller);
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  return request.pick === undefined
    ? decideAndReserveByWords(services, request, caller, batchMember)
    : decideRequestByPick(services, request, caller);
}

/**
 * Makes and delivers the AI image of a decision, or only delivers it if it exists. Stores it under its pick, unless
 * an earlier request has done so.
 */
export async function obtainAiImage(
  services: ImageServices,
  decision: AiDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  const outcome = await carryOutAiDecision(services, decision, makeLookupContext(claimedRequest));
  const isFirstUse =
    claimedRequest.caller.kind !== 'anonymous' && claimedRequest.claim.priorPayment === undefined;
  if (outcome.outcome === 'served' && isFirstUse) await storePickedAiImage(services, outcome.image);
  return outcome;
}

/** Finds a stock image and stores its rendition. A pick that no provider knows may be the pick of an AI image. */
export async function obtainStockImage(
  services: ImageServices,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
  recentPick: string | undefined,
): Promise<ImageOutcome> {
  const { caller, batchMember } = claimedRequest;
  const context = { ...makeLookupContext(claimedRequest), recentPick };
  const outcome = await obtainImage(services, request, context);
  if (outcome.outcome === 'served' || outcome.refusal.code !== 'no_image_found') return outcome;
  if (batchMember?.isDuplicate) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick === undefined || caller.kind === 'anonymous') return outcome;
  const decision = await decideRequestByPick(services, request, caller);
  return 'refusal' in decision ? decision : obtainAiImage(services, decision, claimedRequest);
}

function makeLookupContext({
  context,
  claim: { priorPayment, workLimits },
  batchMember,
}: ClaimedRequest): LookupContext {
  return { ...context, workLimits, searchTakesUnit: priorPayment === undefined, batchMember };
}
