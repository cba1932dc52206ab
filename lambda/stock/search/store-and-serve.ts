/** Answers with a delivered image: stores it under its pick and as the answer, and reports its use. */

import type { StockProviderName, StockSlot } from '../../contract/providers';
import { chooseServedTexts } from '../../images/alt-text';
import type { ServedImage } from '../../images/image';
import type { ImageOutcome } from '../../images/image-outcome';
import { pickOf, storePickedImage } from '../../images/picked-images';
import { reportUse } from '../report-use';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import type { DeliveredImage } from './deliver-entry';
import type { StockSearch } from './search-types';

/** An image that was found, and how it answers the request. */
export interface FoundImage extends Pick<ServedImage, 'answerEndsMs' | 'seedsStartOverAfter'> {
  readonly provider: StockProviderName;
  readonly source: StockSlot;
  readonly delivery: DeliveredImage;
  /** Whether a page shows it in place of the image of the seed: then it answers no other request. */
  readonly isSubstitute?: boolean;
  readonly cache: 'HIT' | 'MISS';
}

/** Stores an image under its pick and, unless it is a substitute, as the answer; reports its use. */
export async function storeAndServe(
  services: StockServices,
  { request, context }: StockSearch,
  { provider, source, delivery, isSubstitute = false, cache, ...validity }: FoundImage,
): Promise<ImageOutcome> {
  const { entry, location, placeholder, reportUrl } = delivery;
  const { candidate, fit } = entry;
  const { widthPx, heightPx } = request;
  const pick = pickOf(provider, candidate.id);
  const image: ServedImage = {
    location,
    widthPx,
    heightPx,
    source,
    attribution: candidate.attribution,
    fit,
    ...chooseServedTexts(candidate),
    pick,
    ...(reportUrl !== undefined && { use: { provider, url: reportUrl } }),
    ...(placeholder && { placeholder }),
    ...validity,
  };
  await Promise.all([
    !isSubstitute && storeAnswer(services, request, context.format, { image, provider }),
    storePickedImage(services, pick, { provider, source, ...entry }, image.color ?? placeholder?.color),
    reportUse(services, image, context.account ?? 'anonymous'),
  ]);
  return { outcome: 'served', image, cache };
}
