/** Answers a request for an AI image: charges it, has the image made, and delivers it or refunds it. */

import { variationBounds } from '../contract/request-bounds';
import type { KeyedCaller } from '../credentials/caller';
import type { UnpaidAnswer } from '../images/answer';
import { type StoreServices, storePickedAiImage } from '../images/picked-images';
import type { StoredPath } from '../images/stored-path';
import type { Refusal } from '../problems/problem';
import type { Answer, RefusedAnswer } from '../quota/answer';
import { generationLimitsOf } from '../quota/caller-limits';
import { generationRefusalOf } from '../quota/limit';
import {
  type Admission,
  addGenerationsLeft,
  payForImage,
  readStatus,
  refundUnlessServed,
} from '../quota/pay';
import { ErrorAfterCharge, type FreeReason, freePayment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { takeOrRefuse, usedUpLimitIn } from '../quota/take';
import type { AiRequest, ImageRequest } from '../requests/image-request';
import {
  type AiImageIdentity,
  aspectRatios,
  hashWordsAndStyle,
  type ImageKey,
  identifyAiImage,
  parseImageKey,
} from './ai-image-identity';
import { type AiImage, listPublicImages, readAiImage } from './ai-image-store';
import type { AiServices } from './ai-services';
import { awaitImage } from './await-image';
import { deliverAiImage } from './deliver-ai-image';
import { serveAiPick } from './serve-permalink';

interface AiCall {
  readonly request: AiRequest;
  readonly caller: KeyedCaller;
  readonly context: RequestContext;
}

/**
 * Serves the AI image of a request's words or pick, and stores it under its pick.
 * @throws `ErrorAfterCharge` when a table fails and the request is paid already, or was charged and refunded
 */
export async function serveAiByWordsOrPick(
  services: AiServices & StoreServices,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { settledPayment } = context;
  try {
    const answer =
      request.source === 'ai' && request.pick === undefined
        ? await serveAiByWords(services, request, caller, context)
        : await serveAiPick(services, request, caller, context);
    // An image that was paid before is stored already.
    if (answer.outcome === 'served' && !settledPayment) await storePickedAiImage(services, answer.image);
    return answer;
  } catch (error) {
    throw settledPayment ? new ErrorAfterCharge(settledPayment, error) : error;
  }
}

/**
 * Answers a request for an AI image by its words. Alternatives and variations that are free are looked for
 * before a charge, so that they are served also when the quota is used up.
 * @throws when a table fails; what was charged has been given back by then
 */
export async function serveAiByWords(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const call = { request, caller, context };
  const serveOwn = request.variation === undefined ? serveBase : serveVariation;
  const answer = (await serveAlternative(services, call)) ?? (await serveOwn(services, call));
  return addGenerationsLeft(services, caller, answer);
}

/**
 * Serves the alternative that a request asks for with `alt`.
 * @returns `undefined` where there is none, or its master is gone, which only its own account has made again
 */
async function serveAlternative(
  services: AiServices,
  { request, caller, context }: AiCall,
): Promise<Answer | undefined> {
  const alternative = await findAlternative(services, request, caller);
  if (!alternative) return undefined;
  const admission = await admitFree(services, context, 'alternative');
  if (admission.outcome === 'refused') return admission;
  const delivered = await deliverAiImage(services, alternative, request, context);
  return delivered.outcome === 'gone' ? undefined : { ...delivered, payment: admission.payment };
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
  const key = candidates[(request.alt - 1) % candidates.length];
  // The list lags: the item itself says whether the image is still there.
  const aiImage = key && (await readAiImage(services, key));
  return aiImage?.state === 'ready' ? aiImage : undefined;
}

async function serveBase(services: AiServices, call: AiCall): Promise<Answer> {
  const { request, caller, context } = call;
  const identity = identifyAiImage(request, caller, undefined);
  const refusal = await rememberedGenerationRefusal(services, caller, identity.key);
  if (refusal) return refuseUncharged(services, context, refusal);
  const admission = await payForImage(services, context);
  if (admission.outcome === 'refused') return admission;
  return refundUnlessServed(services, admission.payment, makeAndDeliver(services, call, identity));
}

/** Serves a variation: free where it or its base is there; otherwise the base is made, and charged. */
async function serveVariation(services: AiServices, call: AiCall): Promise<Answer> {
  const { request, caller, context } = call;
  const identity = identifyAiImage(request, caller, request.variation);
  const baseIdentity = identifyAiImage(request, caller, undefined);
  const [variation, base] = await Promise.all([
    readAiImage(services, identity.key),
    readAiImage(services, baseIdentity.key),
  ]);
  const isFree = variation?.state === 'ready' || base?.state === 'ready';
  const admission = isFree
    ? await admitFree(services, context, 'variation')
    : await payForImage(services, context);
  if (admission.outcome === 'refused') return admission;
  const makeWithBase = async (): Promise<UnpaidAnswer> => {
    const made = isFree ? undefined : await awaitImage(services, { caller, identity: baseIdentity });
    if (made?.outcome === 'refused') return made;
    return makeAndDeliver(services, call, identity, (made?.aiImage ?? base)?.master?.path);
  };
  return refundUnlessServed(services, admission.payment, makeWithBase());
}

/** Has an image made, and delivers it. One whose master is gone is made again, once, for the same charge. */
async function makeAndDeliver(
  services: AiServices,
  { request, caller, context }: AiCall,
  identity: AiImageIdentity,
  basePath?: StoredPath,
): Promise<UnpaidAnswer> {
  let goneGenerationId: string | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const result = await awaitImage(services, { caller, identity, basePath, goneGenerationId });
    if (result.outcome === 'refused') return result;
    const delivered = await deliverAiImage(services, result.aiImage, request, context);
    if (delivered.outcome === 'served') return { ...delivered, cache: result.isNew ? 'MISS' : 'HIT' };
    if (delivered.outcome === 'refused') return delivered;
    goneGenerationId = result.aiImage.generationId;
  }
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
}

/** Admits a delivery that is free by rule, for a unit of `work`; one that is paid already takes none. */
async function admitFree(
  services: AiServices,
  context: RequestContext,
  freeReason: FreeReason,
): Promise<Admission | RefusedAnswer> {
  if (context.settledPayment) return { outcome: 'admitted', payment: context.settledPayment };
  const refusal = await takeOrRefuse(services, context.workLimits, context.requestId);
  if (refusal) return refuseUncharged(services, context, refusal);
  return { outcome: 'admitted', payment: freePayment(freeReason, await readStatus(services, context)) };
}

/** Refuses a request that was not charged, with the rate limit status for the headers. */
async function refuseUncharged(
  services: AiServices,
  context: RequestContext,
  refusal: Refusal,
): Promise<RefusedAnswer> {
  const { settledPayment } = context;
  const payment = settledPayment ?? freePayment('no-image', await readStatus(services, context));
  return { outcome: 'refused', refusal, payment };
}

/** Returns the remembered refusal of a limit of generations, for an image that has to be made. */
async function rememberedGenerationRefusal(
  services: AiServices,
  caller: KeyedCaller,
  key: ImageKey,
): Promise<Refusal | undefined> {
  const { plans, generationsPerDay } = services;
  const nowMs = services.clock.nowMs();
  const limit = usedUpLimitIn(services, generationLimitsOf(caller, plans, generationsPerDay, nowMs));
  if (!limit) return undefined;
  const aiImage = await readAiImage(services, key);
  return !aiImage || aiImage.state === 'failed' ? generationRefusalOf(limit, nowMs) : undefined;
}
