/** Answers a permalink of an AI image: an ordinary request for callers who may see the image, `not_found` for all others. Its placeholder is free. */

import { createExpiringCache } from '../base/expiring-cache';
import { sidePx } from '../contract/request-bounds';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import type { PickedImages } from '../images/picked-images';
import type { Ledger } from '../quota/ledger';
import type { RequestContext } from '../quota/request-context';
import type { Charges } from '../quota/reservations';
import type { ImageRequest } from '../requests/image-request';
import { nearestSidePx, type Size } from '../requests/rendition';
import type { RenditionService } from './deliver';
import type { Generation, GenerationIndex } from './generation';
import { ownershipOf } from './generation-identity';
import { markLost, payFor, showFree } from './pay-for';

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
  size: Partial<Size>,
  caller: Caller,
  context: RequestContext,
  asPlaceholder?: boolean,
) => Promise<Answer>;

export function createServePermalink(deps: ServePermalinkDeps): ServePermalink {
  return async (imageId, size, caller, context, asPlaceholder = false) => {
    const generation = await deps.index.byImageId(imageId);
    if (generation?.state !== 'READY' || !maySee(generation, caller))
      return { outcome: 'refused', refusal: { code: 'not_found' } };
    // The delivery that the making has paid for belongs to the account that has paid.
    const due = generation.due && isOwner(generation, caller);
    const wanted = sizeWithin(size, generation.master ?? {});
    const answer = asPlaceholder
      ? await showFree(deps, generation, wanted, context, 'placeholder')
      : await payFor(deps, { generation: { ...generation, due }, led: false }, wanted, context);
    if (answer.outcome !== 'lost') return answer;
    // A permalink does not know the words, so the image is made again by the next request that does.
    await markLost(deps, generation);
    return { outcome: 'refused', refusal: { code: 'not_found' }, payment: answer.payment };
  };
}

/** The AI image of a pick, in the size of a request. */
export type ServePicked = (
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
) => Promise<Answer>;

/** For credentials of accounts: a site key is published without a signature that would cover the pick. */
export function createServePicked(
  servePermalink: ServePermalink,
  pickedImages: Pick<PickedImages, 'imageId'>,
): ServePicked {
  const known = createExpiringCache<string>(picksRememberedMax);
  return async ({ pick = '', widthPx, heightPx }, caller, context) => {
    const imageId =
      caller.publishedAs === 'site' ? undefined : (known.get(pick, 0) ?? (await pickedImages.imageId(pick)));
    if (imageId === undefined) return notFound;
    known.set(pick, imageId, Number.MAX_SAFE_INTEGER);
    const answer = await servePermalink(imageId, { widthPx, heightPx }, caller, context);
    const isUnseen = answer.outcome === 'refused' && answer.refusal.code === 'not_found';
    return isUnseen ? { ...answer, ...notFound } : answer;
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
