/** Plans how a request for an AI image is answered: what is free by rule, or refused, is known before a charge. */

import { sidePx, variationBounds } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { RefusedOutcome } from '../images/image-outcome';
import { readImage, type StoreServices } from '../images/picked-images';
import type { StoredPath } from '../images/stored-path';
import { listGenerationLimits } from '../quota/caller-limits';
import { refuseGeneration } from '../quota/limit';
import { findRememberedLimit } from '../quota/take';
import type { AiRequest, ImageRequest, PermalinkRequest } from '../requests/image-request';
import { type LabelledSize, nearestSidePx, type Size } from '../requests/rendition';
import {
  type AiImageIdentity,
  aspectRatios,
  hashWordsAndStyle,
  identifyAiImage,
  parseImageKey,
} from './ai-image-identity';
import { type AiImage, findAiImageById, listPublicImages, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';

/** The card in place of an image that is gone. */
export interface GoneCard extends Size {
  readonly pick: string;
  readonly color?: string;
}

/** An image that is ready. */
export interface DeliveryPlan {
  readonly kind: 'deliver';
  readonly aiImage: AiImage;
  readonly size: LabelledSize;
  /** Present for a pick: what is shown where the master is gone. */
  readonly goneCard?: GoneCard;
  readonly freeReason?: 'alternative';
}

/** An image that is ready or has to be made. */
export interface MakingPlan {
  readonly kind: 'make';
  readonly caller: KeyedCaller;
  readonly identity: AiImageIdentity;
  readonly size: LabelledSize;
  /** The base image, which is made before its variation. */
  readonly baseIdentity?: AiImageIdentity;
  /** The master of a base image that is ready. */
  readonly basePath?: StoredPath | undefined;
  readonly freeReason?: 'variation';
}

/** A card; its work is counted where its file is new. */
export interface CardPlan {
  readonly kind: 'card';
  readonly goneCard: GoneCard;
  readonly freeReason: 'no-image';
}

/** What answers a request, and why it is free, where it is. */
export type AiPlan = DeliveryPlan | MakingPlan | CardPlan;

/** A refusal without a charge. */
export interface PlanRefusal extends RefusedOutcome {
  /** Whether the caller is told what is left of its quota, which takes a read. */
  readonly showsQuota?: boolean;
}

/**
 * Plans the answer to a request by words: a public alternative, a variation, or the account's own image.
 * @throws when a table fails
 */
export async function planAiImage(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<AiPlan | PlanRefusal> {
  const alternative = await findAlternative(services, request, caller);
  if (alternative) return { kind: 'deliver', aiImage: alternative, size: request, freeReason: 'alternative' };
  return request.variation === undefined
    ? planOwnImage(services, request, caller)
    : planVariation(services, request, caller);
}

/** Most public images of an account for the same words and style: a base and its variations in each ratio. */
const ownImagesMax = aspectRatios.length * (1 + variationBounds.max);

/**
 * Finds the `alt`-th public image of the same words and style; where there are fewer, counting starts over.
 * Those of the caller's account are skipped while another one exists. A test key finds none.
 */
async function findAlternative(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<AiImage | undefined> {
  if (request.alt === undefined || caller.kind === 'test') return undefined;
  const listedMax = ownImagesMax + variationBounds.max;
  const publicKeys = await listPublicImages(services, hashWordsAndStyle(request), listedMax);
  const othersKeys = publicKeys.filter((key) => parseImageKey(key).account !== caller.account);
  const candidates = othersKeys.length > 0 ? othersKeys : publicKeys;
  const start = (request.alt - 1) % candidates.length;
  for (const key of [...candidates.slice(start), ...candidates.slice(0, start)]) {
    // The list lags: the item itself says whether the image is still there.
    const aiImage = await readAiImage(services, key);
    if (aiImage?.state === 'ready') return aiImage;
  }
  return undefined;
}

/** Plans an account's own image. One that has to be made is refused while a limit is known to be used up. */
async function planOwnImage(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<AiPlan | PlanRefusal> {
  const { plans, generationsPerDay } = services;
  const identity = identifyAiImage(request, caller, undefined);
  const nowMs = services.clock.nowMs();
  const limit = findRememberedLimit(services, listGenerationLimits(caller, plans, generationsPerDay, nowMs));
  const aiImage = limit && (await readAiImage(services, identity.key));
  if (limit && (!aiImage || aiImage.state === 'failed'))
    return { outcome: 'refused', refusal: refuseGeneration(limit, nowMs), showsQuota: true };
  return { kind: 'make', caller, identity, size: request };
}

/** Plans a variation: free where it or its base is there; otherwise the base is made, and charged. */
async function planVariation(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<MakingPlan> {
  const identity = identifyAiImage(request, caller, request.variation);
  const baseIdentity = identifyAiImage(request, caller, undefined);
  const [variation, base] = await Promise.all([
    readAiImage(services, identity.key),
    readAiImage(services, baseIdentity.key),
  ]);
  const plan = { kind: 'make', caller, identity, size: request } as const;
  return variation?.state === 'ready' || base?.state === 'ready'
    ? { ...plan, basePath: base?.master?.path, freeReason: 'variation' }
    : { ...plan, baseIdentity };
}

/** Plans the answer to a request by an image's id. It makes renditions, never an image. @throws `Outage` */
export async function planPermalink(
  services: AiServices,
  { imageId, size }: Omit<PermalinkRequest, 'source'>,
  caller: Caller,
): Promise<DeliveryPlan | PlanRefusal> {
  return (await planById(services, imageId, size, caller)) ?? refusedFor('not_found');
}

/**
 * Plans the answer to a request by a pick: the AI image, or a card where it is gone. A site key gets none: it
 * stands in pages without a signature, so that anyone could use it with any pick.
 */
export async function planAiPick(
  services: AiServices & StoreServices,
  request: ImageRequest,
  caller: KeyedCaller,
): Promise<AiPlan | PlanRefusal> {
  const { pick = '', widthPx, heightPx } = request;
  const stored = caller.publishedAs === 'site' ? undefined : await readImage(services, pick);
  if (!stored?.image || !('imageId' in stored.image)) return refusedFor('no_image_found');
  const plan = await planById(services, stored.image.imageId, request, caller);
  if (!plan) return refusedFor('no_image_found');
  const { color } = stored;
  const goneCard = { pick, widthPx, heightPx, ...(color !== undefined && { color }) };
  return 'refusal' in plan ? { kind: 'card', goneCard, freeReason: 'no-image' } : { ...plan, goneCard };
}

/**
 * Plans the image of an id; `not_found` where it is not ready, which a request by its words makes anew.
 * @returns `undefined` where there is no such image that the caller may see
 */
async function planById(
  services: AiServices,
  imageId: string,
  { label, ...size }: Partial<LabelledSize>,
  caller: Caller,
): Promise<DeliveryPlan | PlanRefusal | undefined> {
  const aiImage = await findAiImageById(services, imageId);
  if (!aiImage || !maySee(aiImage, caller)) return undefined;
  if (aiImage.state === 'removed') return refusedFor('image_removed');
  if (aiImage.state !== 'ready' || !aiImage.master) return refusedFor('not_found');
  return { kind: 'deliver', aiImage, size: { ...sizeLike(size, aiImage.master), ...(label && { label }) } };
}

const refusedFor = (code: 'not_found' | 'no_image_found' | 'image_removed') =>
  ({ outcome: 'refused', refusal: { code } }) as const;

/** Completes a size: an absent side follows from the master's ratio. */
function sizeLike({ widthPx, heightPx }: Partial<Size>, master: Size): Size {
  const ratio = master.widthPx / master.heightPx;
  if (widthPx !== undefined) return { widthPx, heightPx: heightPx ?? nearestSidePx(widthPx / ratio) };
  if (heightPx !== undefined) return { widthPx: nearestSidePx(heightPx * ratio), heightPx };
  const scale = Math.min(1, sidePx.max / Math.max(master.widthPx, master.heightPx));
  return { widthPx: nearestSidePx(master.widthPx * scale), heightPx: nearestSidePx(master.heightPx * scale) };
}

function maySee({ key }: AiImage, caller: Caller): boolean {
  const { mode, account, visibility } = parseImageKey(key);
  return visibility === 'public' || (caller.kind === mode && caller.account === account);
}
