/** Finds an image by its public id: the one that a page has written its text and credit for, and no other. */

import type { Clock } from '../base/clock';
import type { Stored } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import { isHotlinked } from '../contract/providers';
import { goneCard } from '../images/gone-card';
import {
  type Appearance,
  appearanceOf,
  type PickedImages,
  type PickedPhoto,
  pickedKey,
} from '../images/picked-images';
import { serviceUnavailable } from '../problems/problem';
import { type DeliverCandidateDeps, deliverCandidate } from './deliver-candidate';
import { type FoundImage, type KeepDeps, keepImage } from './keep-image';
import type { ProviderSearch, Search } from './provider-request';
import type { StockProvider } from './stock-provider';

/** After which the source of an image that is gone is sent a request again, in milliseconds: it may have it back. */
const goneForMs = 24 * 3_600_000;

/** What an image is found by its pick with. */
export interface PickedDeps extends DeliverCandidateDeps, KeepDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** The adapter of a provider, bound to a slot or not; `undefined` for a name that is not known (any more). */
  readonly providerOf: (name: string) => StockProvider | undefined;
  /** The operator's own photographs, as the files at these paths list them. */
  readonly libraryOf: (photos: readonly string[]) => StockProvider;
  readonly pickedImages: PickedImages;
  readonly stockMemory: { write(key: string, stored: Stored<PickedPhoto>): Promise<void> };
}

/**
 * An image that was taken down is a card in its average colour, without anything of its pixels.
 * Asks no provider for more than whether it still has the image, once a day and from the share of the budget that is kept
 * for it: without an answer the image is served as it is known.
 */
export async function findPicked(deps: PickedDeps, pick: string, by: Search): Promise<FoundImage> {
  const { request, format, deadlineMs } = by;
  const showCard = async (of: Appearance, freshUntilMs: number, cache: 'HIT' | 'MISS') => {
    const image = await goneCard(deps, { pick, ...of }, request, format, deadlineMs);
    await deps.cachedImages.store(deps.cachedImages.keyOf(request, format), image, freshUntilMs);
    return { outcome: 'found', image, cache } as const;
  };
  if (request.removed?.includes(pick)) {
    const of = await deps.pickedImages.appearance(pick);
    if (!of || of.source === 'ai') return { outcome: 'none' };
    const { placeholder: _, ...plain } = of;
    return showCard(plain, deps.clock.nowMs() + goneForMs, 'HIT');
  }
  const stored = await deps.pickedImages.photo(pick);
  const provider = stored && providerFor(deps, by, stored.value.provider);
  if (!provider) return { outcome: 'none' };
  const search: ProviderSearch = {
    ...by,
    provider,
    requestsMax: 1,
    caller: { ...by.caller, share: 'upkeep', chargeSearch: async () => undefined },
  };
  const checked = await deps.picks.check(search, pickedKey(pick), stored, 1);
  const photo: PickedPhoto = { ...stored.value, isGone: false, ...checked.pick };
  if (!checked.isGone && !photo.isGone) {
    const delivered = await deliverCandidate(deps, search, photo.candidate, false);
    if (delivered.outcome === 'delivered') {
      const { candidate, fit } = photo;
      const image = { candidate, delivered, fit, keepUntilMs: checked.checkedUntilMs };
      return keepImage(deps, photo.source, search, image, [checked]);
    }
    if (delivered.outcome !== 'broken')
      return {
        outcome: 'unavailable',
        refusal:
          'isBusy' in delivered && delivered.isBusy ? serviceUnavailable : { code: 'upstream_unavailable' },
      };
  }
  const freshUntilMs = photo.isGone ? checked.checkedUntilMs : deps.clock.nowMs() + goneForMs;
  if (!photo.isGone)
    await noteGone(deps, pick, { ...stored, value: { ...photo, isGone: true }, freshUntilMs });
  return showCard(appearanceOf(stored.value), freshUntilMs, checked.requestsSent > 0 ? 'MISS' : 'HIT');
}

async function noteGone(
  { stockMemory, telemetry }: PickedDeps,
  pick: string,
  stored: Stored<PickedPhoto>,
): Promise<void> {
  telemetry.info('An image that pages may show is gone', { provider: stored.value.provider, pick });
  await orLogged(telemetry, 'An image that is gone was not marked', () =>
    stockMemory.write(pickedKey(pick), stored),
  );
}

function providerFor(
  { providerOf, libraryOf, imageDelivery }: PickedDeps,
  { request: { photos = [] } }: Search,
  name: string,
): StockProvider | undefined {
  // A slot was bound to it before own delivery was.
  if (imageDelivery === 'own' && isHotlinked(name)) return undefined;
  return name === 'library' ? libraryOf(photos) : providerOf(name);
}
