/**
 * Finds and makes the images that no stored answer shows. The bundle has this code in a file of its own, which
 * `loadImageCode` loads with the first request that needs it.
 */

import {
  type AiDecision,
  decideAiImage,
  decideAiPick,
  decidePermalink,
  type EarlyRefusal,
} from '../generation/decide-ai-image';
import { carryOutAiDecision } from '../generation/make-ai-image';
import { renderGoneCard } from '../images/gone-card';
import type { ServedImage } from '../images/image';
import { type ImageOutcome, isMiss } from '../images/image-outcome';
import { storePickedAiImage } from '../images/picked-images';
import type { AiRequest, ImageRequest, PermalinkRequest, StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { createImageServices, type ImageServices } from '../services/image-services';
import type { Services } from '../services/services';
import { reportFirstUseOfDay } from '../stock/report-use';
import { findImage } from '../stock/search/find-image';
import type { ClaimedRequest } from './claim-for-day';

export { connectImageServices } from '../services/image-services';
export { parseSubject } from '../stock/subject';

/** Decides how an AI image is answered, by its words, its pick or its id. @throws when a table fails */
export async function decideAiRequest(
  services: Services,
  request: AiRequest | PermalinkRequest,
  { caller, batchMember }: ClaimedRequest,
): Promise<AiDecision | EarlyRefusal> {
  const imageServices = await createImageServices(services);
  if ('imageId' in request) return decidePermalink(imageServices, request, caller);
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  return request.pick === undefined
    ? decideAiImage(imageServices, request, caller, batchMember)
    : decideAiPick(imageServices, request, caller);
}

/** Delivers the AI image of a decision. Makes the image first if it does not exist. */
export async function makeAiImage(
  services: Services,
  decision: AiDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  return makeAndStorePick(await createImageServices(services), decision, claimedRequest);
}

/** Finds a stock image. A pick that no provider knows may be the pick of an AI image. */
export async function findStockImage(
  services: Services,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
  isRenditionCounted: boolean,
): Promise<ImageOutcome> {
  const { caller, batchMember } = claimedRequest;
  const imageServices = await createImageServices(services);
  const context = { ...makeFindingContext(claimedRequest), isRenditionCounted };
  const outcome = await findImage(imageServices, request, context);
  if (!isMiss(outcome)) return outcome;
  if (batchMember?.isDuplicate) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick === undefined || caller.kind === 'anonymous') return outcome;
  const decision = await decideAiPick(imageServices, request, caller);
  return 'refusal' in decision ? decision : makeAndStorePick(imageServices, decision, claimedRequest);
}

/** Reports the use of a stored image to its provider. Never throws. */
export async function reportImageUse(
  services: Services,
  image: Pick<ServedImage, 'pick' | 'use'>,
  account = 'anonymous',
): Promise<void> {
  await reportFirstUseOfDay(await createImageServices(services), image, account);
}

/** Renders the card of a gone image for the test value `gone`. */
export async function renderTestCard(
  services: Services,
  { source, widthPx, heightPx }: ImageRequest,
  format: RenditionFormat,
): Promise<ServedImage> {
  const imageServices = await createImageServices(services);
  return (await renderGoneCard(imageServices, { source }, { widthPx, heightPx, format })).image;
}

/** Carries out a decision, and stores the image under its pick unless an earlier request has done so. */
async function makeAndStorePick(
  imageServices: ImageServices,
  decision: AiDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  const outcome = await carryOutAiDecision(imageServices, decision, makeFindingContext(claimedRequest));
  const isFirstUse =
    claimedRequest.caller.kind !== 'anonymous' && claimedRequest.claim.standingPayment === undefined;
  if (outcome.outcome === 'served' && isFirstUse) await storePickedAiImage(imageServices, outcome.image);
  return outcome;
}

function makeFindingContext({
  context,
  claim: { standingPayment, workLimits },
  batchMember,
}: ClaimedRequest) {
  return { ...context, workLimits, isPaidBefore: standingPayment !== undefined, batchMember };
}
