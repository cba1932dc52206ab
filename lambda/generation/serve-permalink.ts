/**
 * Answers a permalink of an AI image: an ordinary request for callers who may see the image, `not_found` for all others.
 * An image that was removed is refused to those who might see it, and its pick shows a card.
 */

import { createExpiringCache } from '../base/expiring-cache';
import { sidePx } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { type GoneCardDeps, goneCard } from '../images/gone-card';
import type { PickedImages } from '../images/picked-images';
import type { Ledger } from '../quota/ledger';
import type { Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { Charges } from '../quota/reservations';
import type { ImageRequest } from '../requests/image-request';
import { type LabelledSize, nearestSidePx, type Size } from '../requests/rendition';
import type { RenditionService } from './deliver';
import type { Generation, GenerationIndex } from './generation';
import { ownershipOf } from './generation-identity';
import { markLost, payFor } from './pay-for';

interface ServePermalinkDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly renditions: RenditionService;
  readonly ledger: Ledger;
}

const notFound = { outcome: 'refused', refusal: { code: 'no_image_found' } } as const;
const picksRememberedMax = 5_000;

/** @param size without a side: that of the image itself, or what its ratio makes of the other side */
export type ServePermalink = (
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
) => Promise<Answer>;

/** An image that is not there: never shown to this caller, without its file, or taken down by the operator. */
interface Unshown {
  readonly outcome: 'unseen' | 'lost' | 'removed';
  readonly payment?: Payment;
}

async function serveById(
  deps: ServePermalinkDeps,
  ...[imageId, size, caller, context]: Parameters<ServePermalink>
): Promise<Answer | Unshown> {
  const generation = await deps.index.byImageId(imageId);
  if (!generation || !maySee(generation, caller)) return { outcome: 'unseen' };
  if (generation.state !== 'READY') return { outcome: generation.state === 'REMOVED' ? 'removed' : 'lost' };
  // The delivery that the making has paid for belongs to the account that has paid.
  const due = generation.due && isOwner(generation, caller);
  const { label } = size;
  const wanted = { ...sizeWithin(size, generation.master ?? {}), ...(label && { label }) };
  const answer = await payFor(deps, { generation: { ...generation, due }, led: false }, wanted, context);
  if (answer.outcome !== 'lost') return answer;
  // A permalink does not know the words, so the image is made again by the next request that does.
  await markLost(deps, generation);
  return { outcome: 'lost', payment: answer.payment };
}

/** Charges as an ordinary request; makes renditions and never an image. */
export function createServePermalink(deps: ServePermalinkDeps): ServePermalink {
  return async (...request) => {
    const answer = await serveById(deps, ...request);
    if (answer.outcome === 'served' || answer.outcome === 'refused') return answer;
    const { outcome, ...paid } = answer;
    return {
      outcome: 'refused',
      refusal: { code: outcome === 'removed' ? 'image_removed' : 'not_found' },
      ...paid,
    };
  };
}

/** The AI image of a pick, in the size of a request. */
export type ServePicked = (
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
) => Promise<Answer>;

interface ServePickedDeps extends ServePermalinkDeps, GoneCardDeps {
  readonly pickedImages: Pick<PickedImages, 'imageId' | 'appearance'>;
}

/** For credentials of accounts: a site key is published without a signature that would cover a pick of the URL's. */
export function createServePicked(deps: ServePickedDeps): ServePicked {
  const { pickedImages, ledger } = deps;
  const cachedIds = createExpiringCache<string>(picksRememberedMax);
  return async (request, caller, context) => {
    const { pick = '', widthPx, heightPx, label } = request;
    if (caller.publishedAs === 'site') return notFound;
    const imageId = cachedIds.get(pick, 0) ?? (await pickedImages.imageId(pick));
    if (imageId === undefined) return notFound;
    cachedIds.set(pick, imageId, Number.MAX_SAFE_INTEGER);
    const size = { widthPx, heightPx, ...(label && { label }) };
    const answer = await serveById(deps, imageId, size, caller, context);
    if (answer.outcome === 'served' || answer.outcome === 'refused') return answer;
    if (answer.outcome === 'unseen') return notFound;
    const { placeholder, ...plain } = (await pickedImages.appearance(pick)) ?? { source: 'ai' };
    const isDrawn = answer.outcome === 'lost' && placeholder;
    const image = { ...plain, pick, ...(isDrawn && { placeholder }) };
    const { payment = context.payment } = answer;
    const isFree = payment === undefined || payment.state === 'refunded';
    return {
      outcome: 'served',
      image: await goneCard(deps, image, size, context.format, context.deadlineMs),
      cache: 'HIT',
      payment: isFree
        ? {
            state: 'free',
            because: 'no-image',
            rateLimit: payment?.rateLimit ?? (await ledger.status(context)),
          }
        : payment,
    };
  };
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

function maySee(generation: Generation, caller: Caller): boolean {
  return ownershipOf(generation.key).visibility === 'public' || isOwner(generation, caller);
}

function isOwner({ key }: Generation, caller: Caller): boolean {
  const { mode, account } = ownershipOf(key);
  return caller.kind === mode && caller.account === account;
}
