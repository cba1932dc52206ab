/** The last step of a search: the delivered image becomes the stored answer. */

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

/** A delivered image, and the details of its answer. */
export interface FoundImage extends Pick<ServedImage, 'answerEndsMs' | 'seedsStartOverAfter'> {
  readonly provider: StockProviderName;
  readonly source: StockSlot;
  readonly delivery: DeliveredImage;
  /** True if it replaces the image of the seed on one page. Then it is no answer to other requests. */
  readonly isSubstitute?: boolean;
  readonly cache: 'HIT' | 'MISS';
}

/** Stores an image under its pick and as the answer, and reports its use. A substitute is no stored answer. */
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
