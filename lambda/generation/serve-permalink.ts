/**
 * Answers a permalink of an AI image: an ordinary request for callers who may see the image, `not_found` for all others.
 * An image that was removed is refused to those who might see it, and its pick shows a card.
 */

import { sidePx } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { goneCard } from '../images/gone-card';
import { type ImageItemServices, readImage } from '../images/picked-images';
import { statusOf } from '../quota/charge';
import { freePayment, isKept } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import { type LabelledSize, nearestSidePx, type Size } from '../requests/rendition';
import { type AiServices, deliver } from './deliver';
import { ownershipOf } from './generation-identity';
import { findByImageId, type Generation } from './generations';
import { chargeAndServe, withGenerationsLeft } from './serve-ai';

/**
 * Serves an AI image by its id. It is charged as an ordinary request, and has renditions made, never an image.
 * @param size without a side: that of the image itself, or what its ratio makes of the other side
 */
export async function servePermalink(
  services: AiServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  return (await serveById(services, imageId, size, caller, context)) ?? refusedFor('not_found');
}

/**
 * Serves the AI image of a pick, or a card where it is gone. Not with a site key, which is published without a signature
 * that would cover the pick.
 */
export async function servePicked(
  services: AiServices & ImageItemServices,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { pick = '', widthPx, heightPx, label } = request;
  const size = { widthPx, heightPx, ...(label && { label }) };
  const known = caller.publishedAs === 'site' ? undefined : await readImage(services, pick);
  const imageId = known?.image && 'imageId' in known.image ? known.image.imageId : undefined;
  const answer = imageId && (await serveById(services, imageId, size, caller, context));
  if (!answer) return refusedFor('no_image_found');
  const code = answer.outcome === 'refused' && answer.refusal.code;
  if (code !== 'not_found' && code !== 'image_removed') return answer;
  const image = { source: 'ai', pick, ...(known?.color !== undefined && { color: known.color }) } as const;
  const { payment = context.payment } = answer;
  const rateLimit = payment?.rateLimit ?? (await statusOf(services, context));
  return {
    outcome: 'served',
    image: await goneCard(services, image, size, context.format, context.deadlineMs),
    cache: 'HIT',
    payment: payment && isKept(payment) ? payment : freePayment('no-image', rateLimit),
  };
}

const refusedFor = (code: 'not_found' | 'no_image_found' | 'image_removed') =>
  ({ outcome: 'refused', refusal: { code } }) as const;

/** The image, or `not_found` where its file is lost, as the next request that knows its words makes it again; `undefined` for who may not see it. */
async function serveById(
  services: AiServices,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer | undefined> {
  const generation = await findByImageId(services, imageId);
  if (!generation || !maySee(generation, caller)) return undefined;
  if (generation.state === 'removed') return refusedFor('image_removed');
  if (generation.state !== 'ready') return refusedFor('not_found');
  const { label } = size;
  const wanted = { ...sizeWithin(size, generation.master ?? {}), ...(label && { label }) };
  const answer = await chargeAndServe(services, context, async () => {
    const shown = await deliver(services, generation, wanted, context);
    return shown.outcome === 'lost' ? refusedFor('not_found') : shown;
  });
  return withGenerationsLeft(services, caller, answer);
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
