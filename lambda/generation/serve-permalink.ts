/**
 * Answers a permalink of an AI image: an ordinary request for callers who may see the image, `not_found` for all others.
 * An image that was removed is refused to those who might see it, and its pick shows a card.
 */

import { sidePx } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer, Refused } from '../images/answer';
import { goneCard } from '../images/gone-card';
import type { PickedImages } from '../images/picked-images';
import { statusOf } from '../quota/charge';
import { freePayment, isKept } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import { type LabelledSize, nearestSidePx, type Size } from '../requests/rendition';
import { deliver } from './deliver';
import { ownershipOf } from './generation-identity';
import { findByImageId, type Generation } from './generations';
import { type AiServices, charged, shownOr, statingGenerations } from './serve-ai';

/** Charges as an ordinary request; makes renditions and never an image. @param size without a side: that of the image itself, or what its ratio makes of the other side */
export async function servePermalink(
  services: AiServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const answer = await serveById(services, imageId, size, caller, context);
  return 'missing' in answer ? answer.refused : answer;
}

/** For credentials of accounts: a site key is published without a signature that would cover a pick of the URL's. */
export async function servePicked(
  services: AiServices & { readonly pickedImages: Pick<PickedImages, 'imageId' | 'appearance'> },
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { pickedImages } = services;
  const { pick = '', widthPx, heightPx, label } = request;
  const size = { widthPx, heightPx, ...(label && { label }) };
  const imageId = caller.publishedAs === 'site' ? undefined : await pickedImages.imageId(pick);
  const answer =
    imageId === undefined ? undefined : await serveById(services, imageId, size, caller, context);
  if (answer && !('missing' in answer)) return answer;
  if (!answer || answer.missing === 'unseen')
    return { outcome: 'refused', refusal: { code: 'no_image_found' } };
  const image = { ...((await pickedImages.appearance(pick)) ?? { source: 'ai' }), pick };
  const { payment = context.payment } = answer.refused;
  const rateLimit = payment?.rateLimit ?? (await statusOf(services, context));
  return {
    outcome: 'served',
    image: await goneCard(services, image, size, context.format, context.deadlineMs),
    cache: 'HIT',
    payment: payment && isKept(payment) ? payment : freePayment('no-image', rateLimit),
  };
}

/** An image that is not there: never shown to this caller, without its file, or taken down by the operator. */
interface Missing {
  readonly missing: 'unseen' | 'lost' | 'removed';
  readonly refused: Refused;
}

async function serveById(
  services: AiServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer | Missing> {
  const generation = await findByImageId(services, imageId);
  const refusal = { code: 'not_found' } as const;
  const refused = { outcome: 'refused', refusal } as const;
  if (!generation || !maySee(generation, caller)) return { missing: 'unseen', refused };
  if (generation.state === 'removed')
    return { missing: 'removed', refused: { outcome: 'refused', refusal: { code: 'image_removed' } } };
  if (generation.state !== 'ready') return { missing: 'lost', refused };
  const { label } = size;
  const wanted = { ...sizeWithin(size, generation.master ?? {}), ...(label && { label }) };
  let isLost = false;
  const answer = await charged(services, context, async () => {
    const shown = await deliver(services, generation, wanted, context);
    // A permalink does not know the words, so the image is made again by the next request that does.
    isLost = shown.outcome === 'lost';
    return shownOr(refusal, shown);
  });
  return isLost && answer.outcome === 'refused'
    ? { missing: 'lost', refused: answer }
    : statingGenerations(services, caller, answer);
}

/** A whole size from the sides that were given and the original's own. */
function sizeWithin({ widthPx, heightPx }: Partial<Size>, master: Partial<Size>): Size {
  const { widthPx: ownWidthPx = sidePx.defaultWidth, heightPx: ownHeightPx = sidePx.defaultHeight } = master;
  const ratio = ownWidthPx / ownHeightPx;
  if (widthPx !== undefined) return { widthPx, heightPx: heightPx ?? nearestSidePx(widthPx / ratio) };
  if (heightPx !== undefined) return { widthPx: nearestSidePx(heightPx * ratio), heightPx };
  const scale = Math.min(1, sidePx.max / Math.max(ownWidthPx, ownHeightPx));
  return { widthPx: nearestSidePx(ownWidthPx * scale), heightPx: nearestSidePx(ownHeightPx * scale) };
}

function maySee({ key }: Generation, caller: Caller): boolean {
  const { mode, account, visibility } = ownershipOf(key);
  return visibility === 'public' || (caller.kind === mode && caller.account === account);
}
