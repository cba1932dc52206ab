/** Keeps what a search found: picks, broken images, and the image as the answer to its request. */

import type { Clock } from '../base/clock';
import type { StockSlot } from '../contract/providers';
import { describedBy } from '../images/alt-text';
import type { ServedImage } from '../images/image';
import type { PickedImages, PickedPhoto } from '../images/picked-images';
import type { ChargeRefusal, Refusal } from '../problems/problem';
import type { CachedImages } from './cached-images';
import type { Candidates } from './candidates';
import { pickIdOf } from './deliver-candidate';
import type { Findings, SelectedImage } from './find-at-provider';
import type { Picks } from './picks';
import type { Met, ProviderSearch } from './provider-request';
import type { NoteUse } from './uses';

/** How long an image of a fallback slot is kept, in milliseconds, so that the preferred slot takes over again. */
const fallbackFreshForMs = 300_000;

/** Where what was found is kept. */
export interface KeepDeps {
  readonly cachedImages: Pick<CachedImages, 'keyOf' | 'store'>;
  readonly picks: Picks;
  readonly candidates: Candidates;
  readonly noteUse: NoteUse;
  readonly pickedImages: Pick<PickedImages, 'notePhoto'>;
}

/** What a request is answered with, and until when it may be kept (epoch, milliseconds). */
type KeptImage = ServedImage & { readonly keepUntilMs: number };

/** Stores what a search has learnt about a provider's images. Never throws. */
export async function keepFindings(
  { picks, candidates }: Pick<KeepDeps, 'picks' | 'candidates'>,
  search: ProviderSearch,
  { picks: newPicks, result, broken }: Findings,
): Promise<void> {
  await Promise.all([
    ...newPicks.map((pick) => picks.keep(search.provider.name, pick)),
    result?.offer && candidates.markBroken(search, result.offer, broken),
  ]);
}

/** What a request for a stock image finds. */
export type FoundImage =
  | NotFound
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a request to a provider. */
      readonly cache: 'HIT' | 'MISS';
    };

/** Why there is no image. */
export type NotFound =
  /** Every provider answered and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** A provider would have to be searched, and the caller has searched as often as it may. */
  | { readonly outcome: 'limited'; readonly refusal: ChargeRefusal }
  /** No image was found and at least one provider, or the way to it, failed. */
  | { readonly outcome: 'unavailable'; readonly refusal: Refusal };

/**
 * Stores an image as the answer to a request and under its pick, and has its use reported where its provider wants that.
 * @param met what the searches at all slots have met
 */
export async function keepImage(
  parts: Pick<KeepDeps, 'cachedImages' | 'noteUse' | 'pickedImages'> & {
    readonly clock: Pick<Clock, 'nowMs'>;
  },
  slot: StockSlot,
  search: ProviderSearch,
  image: SelectedImage,
  met: readonly Met[],
): Promise<Extract<FoundImage, { outcome: 'found' }>> {
  const cache = met.some(({ requestsSent }) => requestsSent > 0) ? 'MISS' : 'HIT';
  const served = toServe(parts.clock.nowMs(), slot, search, image);
  const { pick, placeholder, keepUntilMs } = served;
  const photo: PickedPhoto = {
    provider: search.provider.name,
    source: slot,
    candidate: image.candidate,
    fit: image.fit,
    offeredMs: parts.clock.nowMs(),
    ...(placeholder && { placeholder }),
  };
  await Promise.all([
    parts.cachedImages.store(parts.cachedImages.keyOf(search.request, search.format), served, keepUntilMs),
    served.use && parts.noteUse(served, search.caller.owner),
    // A request by the pick itself has confirmed what is stored under it.
    search.request.pick === undefined && parts.pickedImages.notePhoto(pick, photo, keepUntilMs),
  ]);
  return { outcome: 'found', image: served, cache };
}

/** The image as the request is answered with it. */
function toServe(
  nowMs: number,
  slot: StockSlot,
  search: ProviderSearch,
  { candidate, delivered, fit, keepUntilMs }: SelectedImage,
): KeptImage & { readonly pick: string } {
  const { widthPx, heightPx, provider: preferred, pick: requested } = search.request;
  const pick = pickIdOf(search.provider.name, candidate.id);
  const { placeholder } = delivered;
  const fallbackUntilMs =
    slot === preferred || requested !== undefined ? Infinity : nowMs + fallbackFreshForMs;
  return {
    location: delivered.location,
    widthPx,
    heightPx,
    source: slot,
    attribution: candidate.attribution,
    fit,
    ...(candidate.seedsStartOverAfter && { seedsStartOverAfter: candidate.seedsStartOverAfter }),
    ...describedBy(candidate),
    pick,
    ...(delivered.reportUrl && { use: { provider: search.provider.name, url: delivered.reportUrl } }),
    ...(placeholder && { placeholder }),
    keepUntilMs: Math.min(keepUntilMs, fallbackUntilMs),
  };
}
