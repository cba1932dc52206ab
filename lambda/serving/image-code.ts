/**
 * Finds and makes the images that no stored answer shows. The bundle has this code in a file of its own, which
 * `loadImageCode` loads with the first request that needs it.
 */

import { carryOutAiDecision } from '../generation/carry-out-ai-decision';
import {
  type AiDecision,
  decideRequestById,
  decideRequestByPick,
  decideRequestByWords,
  type UnchargedRefusal,
} from '../generation/decide-ai-request';
import { renderGoneCard } from '../images/gone-card';
import type { ServedImage } from '../images/image';
import { type ImageOutcome, isMiss } from '../images/image-outcome';
import { storePickedAiImage } from '../images/picked-images';
import type { AiRequest, ImageRequest, PermalinkRequest, StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { createImageServices } from '../services/image-services';
import type { Services } from '../services/services';
import { reportFirstUseOfDay } from '../stock/report-use';
import { findImage } from '../stock/search/find-image';
import type { ClaimedRequest } from './claim-for-day';

export { connectImageServices } from '../services/image-services';
export { parseSubject } from '../stock/subject';

/** Decides how to answer a request for an AI image, by words, pick or id. @throws when a table fails */
export async function decideAiRequest(
  services: Services,
  request: AiRequest | PermalinkRequest,
  { caller, batchMember }: ClaimedRequest,
): Promise<AiDecision | UnchargedRefusal> {
  const imageServices = await createImageServices(services);
  if ('imageId' in request) return decideRequestById(imageServices, request, caller);
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  return request.pick === undefined
    ? decideRequestByWords(imageServices, request, caller, batchMember)
    : decideRequestByPick(imageServices, request, caller);
}

/**
 * Makes and delivers the AI image of a decision, or only delivers it if it exists. Stores it under its pick, unless
 * an earlier request has done so.
 */
export async function obtainAiImage(
  services: Services,
  decision: AiDecision,
  claimedRequest: ClaimedRequest,
): Promise<ImageOutcome> {
  const imageServices = await createImageServices(services);
  const outcome = await carryOutAiDecision(imageServices, decision, makeDeliveryContext(claimedRequest));
  const isFirstUse =
    claimedRequest.caller.kind !== 'anonymous' && claimedRequest.claim.priorPayment === undefined;
  if (outcome.outcome === 'served' && isFirstUse) await storePickedAiImage(imageServices, outcome.image);
  return outcome;
}

/** Finds a stock image. A pick that no provider knows may be the pick of an AI image. */
export async function findStockImage(
  services: Services,
  request: StockRequest,
  claimedRequest: ClaimedRequest,
  renditionTakesUnit: boolean,
): Promise<ImageOutcome> {
  const { caller, batchMember } = claimedRequest;
  const imageServices = await createImageServices(services);
  const context = { ...makeDeliveryContext(claimedRequest), renditionTakesUnit };
  const outcome = await findImage(imageServices, request, context);
  if (!isMiss(outcome)) return outcome;
  if (batchMember?.isDuplicate) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick === undefined || caller.kind === 'anonymous') return outcome;
  const decision = await decideRequestByPick(imageServices, request, caller);
  return 'refusal' in decision ? decision : obtainAiImage(services, decision, claimedRequest);
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
  return (await renderGoneCard(imageServices, { source, widthPx, heightPx, format })).image;
}

function makeDeliveryContext({ context, claim: { priorPayment, workLimits }, batchMember }: ClaimedRequest) {
  return { ...context, workLimits, searchTakesUnit: priorPayment === undefined, batchMember };
}
