/** Obtains the image of a pick. If it is gone, a card is shown, and never another image. */

import { dayMs } from '../../base/window';
import { mustHotlink, type StockSlot } from '../../contract/providers';
import { showGoneCard } from '../../images/gone-card';
import type { ImageOutcome } from '../../images/image-outcome';
import { type ImageItem, markGone, type PickedStockImage, readPickedImage } from '../../images/picked-images';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import { deliverEntry, storeAndServe } from './deliver-entry';
import type { StockLookup } from './lookup';

/** The outcome if no provider has an image. */
export const noImageFound = { outcome: 'refused', refusal: { code: 'no_image_found' } } as const;

/** Obtains the image of a pick. A card replaces a gone image, because the page has the credit of this image. */
export async function obtainPickedImage(
  services: StockServices,
  lookup: StockLookup,
  pick: string,
): Promise<ImageOutcome> {
  const item = await readPickedImage(services, pick);
  // The card of a removed AI image is only for its account, and other code shows it.
  if (item?.removal && item.removal.kind !== 'ai') return replaceByCard(services, lookup, pick, item);
  if (item?.removal || !item?.image || !('candidate' in item.image)) return noImageFound;
  // The image was found before the operator set imageDelivery=own. Since then it must not be hotlinked.
  if (services.stockSettings.imageDelivery === 'own' && mustHotlink(item.image.provider)) return noImageFound;
  const isGone = item.goneMs !== undefined && item.goneMs + dayMs > services.clock.nowMs();
  const answer = isGone ? undefined : await deliverPickedImage(services, lookup, pick, item.image);
  return answer ?? replaceByCard(services, lookup, pick, item);
}

/** Delivers the image of a pick. An old URL is renewed first. Returns `undefined` if the image is gone. */
async function deliverPickedImage(
  services: StockServices,
  lookup: StockLookup,
  pick: string,
  image: PickedStockImage,
): Promise<ImageOutcome | undefined> {
  const { provider: name, source } = image;
  const provider = services.findProvider(name);
  const delivery = await deliverEntry(services, lookup, {
    provider,
    entry: image,
    urlTtlMs: provider.capability.urlTtlMs ?? Infinity,
    budget: { share: 'upkeep', requestsMax: 1, requestId: lookup.context.requestId },
  });
  if (delivery.outcome === 'delivered')
    return storeAndServe(services, lookup, delivery, { provider: name, source });
  if (delivery.outcome === 'refused') return delivery;
  if (delivery.outcome === 'unanswered')
    return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
  services.telemetry.info('An image that pages may show is gone', { provider: name, pick });
  await markGone(services, pick);
  return undefined;
}

/** Replaces an image that is gone by a card in its colour. A new card takes a unit of work. */
async function replaceByCard(
  services: StockServices,
  lookup: StockLookup,
  pick: string,
  { image, color }: ImageItem,
): Promise<ImageOutcome> {
  const { request, context } = lookup;
  const source: StockSlot = image && 'source' in image ? image.source : request.source;
  const { widthPx, heightPx } = request;
  const { format } = context;
  const goneImage = { pick, source, widthPx, heightPx, format, ...(color !== undefined && { color }) };
  const card = await showGoneCard(services, goneImage, (render) =>
    lookup.allowance.renderForUnit(services, pick, render),
  );
  if (card.outcome === 'served') await storeAnswer(services, request, format, card.image);
  return card;
}
