/**
 * Serves AI images that exist, by their ids (permalinks) or picks, to callers who may see them. A removed
 * image is refused by its id; its pick shows a card.
 */

import { sidePx } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import { renderGoneCard } from '../images/gone-card';
import { readImage, type StoreServices, storePickedAiImage } from '../images/picked-images';
import type { Answer } from '../quota/answer';
import { addGenerationsLeft, payForImage, readStatus, refundUnlessServed } from '../quota/pay';
import { freePayment, mayStayCharged } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { renderForWork } from '../quota/take';
import type { ImageRequest } from '../requests/image-request';
import { type LabelledSize, nearestSidePx, type Size } from '../requests/rendition';
import { parseImageKey } from './ai-image-identity';
import { type AiImage, findAiImageById } from './ai-image-store';
import type { AiServices } from './ai-services';
import { deliverAiImage } from './deliver-ai-image';

/**
 * Serves an AI image by its id, charged as an ordinary request. It makes renditions, never an image.
 * @param size an absent side follows from the other one and the image's ratio; by default the image's size
 */
export async function servePermalink(
  services: AiServices & StoreServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const answer = await serveById(services, imageId, size, caller, context);
  if (answer?.outcome === 'served' && caller.kind !== 'anonymous')
    await storePickedAiImage(services, answer.image);
  return answer ?? refusedFor('not_found');
}

/**
 * Serves the AI image of a pick, or a card where it is gone. A site key gets none: it stands in pages without
 * a signature, so that anyone could use it with any pick.
 */
export async function serveAiPick(
  services: AiServices & StoreServices,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { pick = '' } = request;
  const stored = caller.publishedAs === 'site' ? undefined : await readImage(services, pick);
  if (!stored?.image || !('imageId' in stored.image)) return refusedFor('no_image_found');
  const answer = await serveById(services, stored.image.imageId, request, caller, context);
  if (!answer) return refusedFor('no_image_found');
  const code = answer.outcome === 'refused' && answer.refusal.code;
  if (code !== 'not_found' && code !== 'image_removed') return answer;
  return serveGoneCard(services, request, stored.color, context, answer.payment);
}

/** Serves the card of an image that is gone, free of charge, for a unit of `work` where its file is new. */
async function serveGoneCard(
  services: AiServices,
  { pick = '', widthPx, heightPx }: ImageRequest,
  color: string | undefined,
  context: RequestContext,
  refunded = context.settledPayment,
): Promise<Answer> {
  const rateLimit = refunded?.rateLimit ?? (await readStatus(services, context));
  const payment = refunded && mayStayCharged(refunded) ? refunded : freePayment('no-image', rateLimit);
  const gone = { source: 'ai', pick, ...(color !== undefined && { color }) } as const;
  const size = { widthPx, heightPx, format: context.format };
  const card = await renderForWork(services, context, () => renderGoneCard(services, gone, size));
  if (card.outcome === 'refused') return { ...card, payment };
  return { outcome: 'served', image: card.image, cache: 'HIT', payment };
}

const refusedFor = (code: 'not_found' | 'no_image_found' | 'image_removed') =>
  ({ outcome: 'refused', refusal: { code } }) as const;

/**
 * Serves the image of an id; `not_found` where its master is gone, which a request by its words makes anew.
 * @returns `undefined` where there is no such image that the caller may see
 */
async function serveById(
  services: AiServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer | undefined> {
  const aiImage = await findAiImageById(services, imageId);
  if (!aiImage || !maySee(aiImage, caller)) return undefined;
  if (aiImage.state === 'removed') return refusedFor('image_removed');
  if (aiImage.state !== 'ready' || !aiImage.master) return refusedFor('not_found');
  const { label } = size;
  const wholeSize = { ...sizeLike(size, aiImage.master), ...(label && { label }) };
  const admission = await payForImage(services, context);
  if (admission.outcome === 'refused') return admission;
  const delivering = deliverAiImage(services, aiImage, wholeSize, context).then((delivered) =>
    delivered.outcome === 'gone' ? refusedFor('not_found') : delivered,
  );
  const answer = await refundUnlessServed(services, admission.payment, delivering);
  return addGenerationsLeft(services, caller, answer);
}

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
