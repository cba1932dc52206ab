/**
 * Decides how to answer a request for an AI image, before the request is charged: with an image that is ready,
 * with one that may have to be made, or with a refusal. The decision says if the answer is free.
 */

import { sidePx, variationBounds } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { BatchMember } from '../images/batch-member';
import type { RefusedOutcome } from '../images/image-outcome';
import { makeAiPick, type PickServices, readPickedImage } from '../images/picked-images';
import { listGenerationLimits } from '../quota/caller-limits';
import { refuseGeneration } from '../quota/limit';
import { findRememberedLimit } from '../quota/take';
import type { AiRequest, ImageRequest, PermalinkRequest } from '../requests/image-request';
import { findNearestSidePx, type LabelledSize, type Size } from '../requests/rendition';
import {
  type AiImageIdentity,
  aspectRatios,
  hashWordsAndStyle,
  identifyAiImage,
  parseImageKey,
} from './ai-image-identity';
import { type AiImage, findAiImageById, listPublicImages, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';
import type { AwaitedImage } from './await-image';

/** The decision to deliver an image that is ready, or the card of a pick. */
export interface DeliveryDecision {
  readonly kind: 'deliver';
  /** Absent if the image of a pick is gone. */
  readonly aiImage?: AiImage;
  readonly size: LabelledSize;
  /** Present for a pick: its card is shown if the image or its master is gone. */
  readonly card?: { readonly pick: string; readonly color?: string | undefined };
  /** `no-image`: a card with a new file takes a unit of `work`. */
  readonly freeReason?: 'alternative' | 'no-image';
}

/** The decision to wait for an image and deliver it. Unless it exists, it is made first. */
export interface AwaitDecision extends AwaitedImage {
  readonly kind: 'await';
  readonly size: LabelledSize;
  /** Present if the base image is made before its variation, because neither is ready. */
  readonly baseIdentity?: AiImageIdentity;
  readonly freeReason?: 'variation';
}

/** How to answer a request for an AI image. A decision with a `freeReason` costs no request. */
export type AiDecision = DeliveryDecision | AwaitDecision;

/** A refusal without a charge. */
export interface UnchargedRefusal extends RefusedOutcome {
  /** True if the response states what is left of the caller's quota. That takes a read of the counter. */
  readonly showsQuota?: boolean;
}

/**
 * Decides how to answer a request by words, pick or id. Words get a public alternative, a variation, or the account's
 * own image. In a batch, it is reserved for its page slot.
 * @throws when a table fails
 */
export async function decideAndReserve(
  services: AiServices & PickServices,
  request: AiRequest | PermalinkRequest,
  caller: Caller,
  batchMember?: BatchMember,
): Promise<AiDecision | UnchargedRefusal> {
  if ('imageId' in request)
    return (await decideDelivery(services, request.imageId, request.size, caller)) ?? refuse('not_found');
  if (caller.kind === 'anonymous') return refuse('authentication_required');
  if (request.pick !== undefined) return decideRequestByPick(services, request, caller);
  const alternative = await reserveAlternative(services, request, caller, batchMember);
  if (alternative) return alternative;
  const decision = await (request.variation === undefined
    ? decideOwnImage(services, request, caller)
    : decideVariation(services, request, caller));
  if ('refusal' in decision || !batchMember) return decision;
  const isReserved = await batchMember.reserve(makeAiPick(decision.identity.imageId));
  return isReserved ? decision : refuse('duplicate_image');
}

/** The most public images that one account can have for the same words and style. */
const ownImagesMax = aspectRatios.length * (1 + variationBounds.max);

/**
 * Reserves the `alt`-th public image of the same words and style, counted from the oldest. After the last image,
 * counting starts over. Images of the caller's account are used only if no other account has one. A test key
 * gets none. An image that another slot of the batch shows is left out.
 * @returns `undefined` if there is no such image
 */
async function reserveAlternative(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
  batchMember: BatchMember | undefined,
): Promise<DeliveryDecision | UnchargedRefusal | undefined> {
  if (request.alt === undefined || caller.kind === 'test') return undefined;
  const listedMax = ownImagesMax + variationBounds.max;
  const publicKeys = await listPublicImages(services, hashWordsAndStyle(request), listedMax);
  const othersKeys = publicKeys.filter((key) => parseImageKey(key).account !== caller.account);
  const candidates = othersKeys.length > 0 ? othersKeys : publicKeys;
  const start = (request.alt - 1) % candidates.length;
  let isShownElsewhere = false;
  for (const key of [...candidates.slice(start), ...candidates.slice(0, start)]) {
    // The list lags behind, so the item is read to see if the image is still there.
    const aiImage = await readAiImage(services, key);
    if (aiImage?.state !== 'ready') continue;
    if (!batchMember || (await batchMember.reserve(makeAiPick(aiImage.imageId))))
      return { kind: 'deliver', aiImage, size: request, freeReason: 'alternative' };
    isShownElsewhere = true;
  }
  return isShownElsewhere ? refuse('duplicate_image') : undefined;
}

/** Decides how to answer a request for the account's own image. */
async function decideOwnImage(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<AwaitDecision | UnchargedRefusal> {
  const identity = identifyAiImage(request, caller, undefined);
  const refusal = findGenerationRefusal(services, caller);
  if (refusal && isMissing(await readAiImage(services, identity.key))) return refusal;
  return { kind: 'await', caller, identity, size: request };
}

/**
 * Decides how to answer a request for a variation. It is free if the variation or its base image is ready.
 * Otherwise the base image is made first, and the request pays for it.
 */
async function decideVariation(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<AwaitDecision | UnchargedRefusal> {
  const identity = identifyAiImage(request, caller, request.variation);
  const baseIdentity = identifyAiImage(request, caller, undefined);
  const keys = [identity.key, baseIdentity.key];
  const [variation, base] = await Promise.all(keys.map((key) => readAiImage(services, key)));
  const refusal = findGenerationRefusal(services, caller);
  if (refusal && isMissing(variation)) return refusal;
  const decision = { kind: 'await', caller, identity, size: request } as const;
  const isFree = variation?.state === 'ready' || base?.state === 'ready';
  if (!isFree) return { ...decision, baseIdentity };
  return { ...decision, basePath: base?.master?.path, freeReason: 'variation' };
}

/** Finds the refusal of a new image by a limit that this instance remembers to be used up. Makes no call. */
function findGenerationRefusal(services: AiServices, caller: KeyedCaller): UnchargedRefusal | undefined {
  const nowMs = services.clock.nowMs();
  const limits = listGenerationLimits(caller, services.plans, services.generationsPerDay, nowMs);
  const limit = findRememberedLimit(services, limits);
  return limit && { outcome: 'refused', refusal: refuseGeneration(limit, nowMs), showsQuota: true };
}

/** Returns true if an image is absent or failed. An image whose making has stopped counts as being made. */
const isMissing = (aiImage: AiImage | undefined) => !aiImage || aiImage.state === 'failed';

/**
 * Decides how to answer a request by a pick: with the AI image, or with a card if the image is gone. A site key
 * gets no image, because its URLs have no signature and anybody could add any pick to them.
 */
export async function decideRequestByPick(
  services: AiServices & PickServices,
  request: ImageRequest,
  caller: KeyedCaller,
): Promise<AiDecision | UnchargedRefusal> {
  const { pick = '' } = request;
  const pickedImage = caller.publishedAs === 'site' ? undefined : await readPickedImage(services, pick);
  if (!pickedImage?.image || !('imageId' in pickedImage.image)) return refuse('no_image_found');
  const decision = await decideDelivery(services, pickedImage.image.imageId, request, caller);
  if (!decision) return refuse('no_image_found');
  const card = { pick, color: pickedImage.color };
  return 'refusal' in decision
    ? { kind: 'deliver', size: request, card, freeReason: 'no-image' }
    : { ...decision, card };
}

/**
 * Decides how to deliver the image of an id. It is refused as `not_found` while it is not ready, because only a
 * request by its words has it made.
 * @returns `undefined` if there is no such image, or if the caller may not see it
 */
async function decideDelivery(
  services: AiServices,
  imageId: string,
  { label, ...size }: Partial<LabelledSize>,
  caller: Caller,
): Promise<DeliveryDecision | UnchargedRefusal | undefined> {
  const aiImage = await findAiImageById(services, imageId);
  if (!aiImage || !maySee(aiImage, caller)) return undefined;
  if (aiImage.state === 'removed') return refuse('image_removed');
  if (aiImage.state !== 'ready' || !aiImage.master) return refuse('not_found');
  return { kind: 'deliver', aiImage, size: { ...deriveSize(size, aiImage.master), ...(label && { label }) } };
}

type DecidedCode =
  | 'authentication_required'
  | 'not_found'
  | 'no_image_found'
  | 'image_removed'
  | 'duplicate_image';

const refuse = (code: DecidedCode) => ({ outcome: 'refused', refusal: { code } }) as const;

/** Completes a size: a missing side follows from the ratio of the master. */
function deriveSize({ widthPx, heightPx }: Partial<Size>, master: Size): Size {
  const ratio = master.widthPx / master.heightPx;
  if (widthPx !== undefined) return { widthPx, heightPx: heightPx ?? findNearestSidePx(widthPx / ratio) };
  if (heightPx !== undefined) return { widthPx: findNearestSidePx(heightPx * ratio), heightPx };
  const scale = Math.min(1, sidePx.max / Math.max(master.widthPx, master.heightPx));
  return {
    widthPx: findNearestSidePx(master.widthPx * scale),
    heightPx: findNearestSidePx(master.heightPx * scale),
  };
}

function maySee({ key }: AiImage, caller: Caller): boolean {
  const { mode, account, visibility } = parseImageKey(key);
  return visibility === 'public' || (caller.kind === mode && caller.account === account);
}
