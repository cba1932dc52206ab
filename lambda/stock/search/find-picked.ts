/** The image of a pick, which pages show by name: that image or a card, and no other image. */

import { dayMs } from '../../base/window';
import { mustHotlink, type StockSlot } from '../../contract/providers';
import { renderGoneCard } from '../../images/gone-card';
import { type ImageItem, markGone, readImage } from '../../images/picked-images';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import { deliverEntry } from './deliver-entry';
import { answerWithImage } from './found-image';
import type { PhotoRequest, SearchOutcome } from './search';

/** After how long the source of an image that is gone is tried again, in milliseconds. */
const goneForMs = dayMs;

/**
 * Finds the image of a pick, or shows a card where it is gone: a page has written its text and credit for
 * this one. A provider whose URLs end is asked for a new one, from the budget for upkeep.
 */
export async function findPicked(
  services: StockServices,
  photoRequest: PhotoRequest,
  pick: string,
): Promise<SearchOutcome> {
  const { clock, stockSettings, telemetry } = services;
  const item = await readImage(services, pick);
  // The card of a removed AI image is shown to its account alone.
  if (item?.removal && item.removal.kind !== 'ai') return showCard(services, item, photoRequest, pick);
  if (item?.removal || !item?.image || !('candidate' in item.image)) return { outcome: 'none' };
  const photo = item.image;
  // Found while a provider that must be hotlinked was bound: with imageDelivery=own it may not be linked.
  if (stockSettings.imageDelivery === 'own' && mustHotlink(photo.provider)) return { outcome: 'none' };
  if (item.goneMs !== undefined && item.goneMs + goneForMs > clock.nowMs())
    return showCard(services, item, photoRequest, pick);
  const provider = services.findProvider(photo.provider);
  const lastsForMs = provider.capability.urlTtlMs ?? Infinity;
  const renewal = { lastsForMs, asker: 'upkeep', requestsMax: 1 } as const;
  const delivery = await deliverEntry(services, photoRequest, { provider, entry: photo, renewal });
  switch (delivery.outcome) {
    case 'delivered':
      return answerWithImage(services, photoRequest, {
        provider: photo.provider,
        source: photo.source,
        delivered: delivery,
        isRemembered: true,
      });
    case 'refused':
      return { ...delivery, isOfCaller: true };
    case 'broken':
      telemetry.info('An image that pages may show is gone', { provider: photo.provider, pick });
      await markGone(services, pick);
      return showCard(services, item, photoRequest, pick);
    default:
      return photoRequest.progress.endWithoutImage();
  }
}

/** Answers with a card in the colour of an image that is gone. @throws when it is not rendered */
async function showCard(
  services: StockServices,
  { image, color }: ImageItem,
  { request, format }: PhotoRequest,
  pick: string,
): Promise<SearchOutcome> {
  const source: StockSlot = image && 'source' in image ? image.source : request.provider;
  const gone = { pick, source, ...(color !== undefined && { color }) };
  const { widthPx, heightPx } = request;
  const card = await renderGoneCard(services, gone, { widthPx, heightPx, format }, services.deadline.endsMs);
  await storeAnswer(services, request, format, { image: card });
  return { outcome: 'found', image: card, cache: 'HIT' };
}
