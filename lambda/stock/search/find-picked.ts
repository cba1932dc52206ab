/** Finds the image of a pick, which pages show by name: that image or a card, and no other image. */

import { dayMs } from '../../base/window';
import { mustHotlink, type StockSlot } from '../../contract/providers';
import { showGoneCard } from '../../images/gone-card';
import type { ImageOutcome } from '../../images/image-outcome';
import { type ImageItem, markGone, type PickedStockImage, readPickedImage } from '../../images/picked-images';
import { renderForWork } from '../../quota/take';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import { deliverEntry } from './deliver-entry';
import { nameCacheStatus, refuseWithoutImage } from './search-steps';
import type { StockSearch } from './search-types';
import { storeAndServe } from './store-and-serve';

const goneTtlMs = dayMs;
/** The answer where no provider has an image. */
export const noImageFound = { outcome: 'refused', refusal: { code: 'no_image_found' } } as const;

/** Finds the image of a pick, or a card where it is gone: a page has text and credit of this image alone. */
export async function findPicked(
  services: StockServices,
  search: StockSearch,
  pick: string,
): Promise<ImageOutcome> {
  const item = await readPickedImage(services, pick);
  // The card of a removed AI image is shown to its account alone.
  if (item?.removal && item.removal.kind !== 'ai') return showCard(services, search, pick, item);
  if (item?.removal || !item?.image || !('candidate' in item.image)) return noImageFound;
  // Found while a provider that must be hotlinked was bound: with imageDelivery=own it may not be linked.
  const isOwnDelivery = services.stockSettings.imageDelivery === 'own';
  if (isOwnDelivery && mustHotlink(item.image.provider)) return noImageFound;
  const isGone = item.goneMs !== undefined && item.goneMs + goneTtlMs > services.clock.nowMs();
  const answer = isGone ? undefined : await deliverPickedImage(services, search, pick, item.image);
  return answer ?? showCard(services, search, pick, item);
}

/** Delivers the image of a pick, after asking its provider for a new URL if need be. `undefined`: gone. */
async function deliverPickedImage(
  services: StockServices,
  search: StockSearch,
  pick: string,
  image: PickedStockImage,
): Promise<ImageOutcome | undefined> {
  const { provider: name, source } = image;
  const provider = services.findProvider(name);
  const { urlTtlMs = Infinity } = provider.capability;
  const { requestId, isRenditionCounted } = search.context;
  const budget = { share: 'upkeep', requestsMax: 1, requestId } as const;
  const terms = { urlTtlMs, budget, isWork: !isRenditionCounted };
  const delivery = await deliverEntry(services, search, provider, image, terms);
  switch (delivery.outcome) {
    case 'delivered': {
      const cache = nameCacheStatus([delivery]);
      return storeAndServe(services, search, { provider: name, source, delivery, cache });
    }
    case 'refused':
      return delivery;
    case 'broken':
      services.telemetry.info('An image that pages may show is gone', { provider: name, pick });
      await markGone(services, pick);
      return undefined;
    default:
      return { outcome: 'refused', refusal: refuseWithoutImage([delivery], services.clock.nowMs()) };
  }
}

/** Answers with a card in the colour of an image that is gone, for a unit of work where it is new. */
async function showCard(
  services: StockServices,
  { request, context }: StockSearch,
  pick: string,
  { image, color }: ImageItem,
): Promise<ImageOutcome> {
  const source: StockSlot = image && 'source' in image ? image.source : request.source;
  const { widthPx, heightPx } = request;
  const { format, isRenditionCounted } = context;
  const goneImage = { pick, source, widthPx, heightPx, format, ...(color !== undefined && { color }) };
  const card = await showGoneCard(services, goneImage, (render) =>
    isRenditionCounted ? render() : renderForWork(services, context, render),
  );
  if (card.outcome === 'served') await storeAnswer(services, request, format, { image: card.image });
  return card;
}
