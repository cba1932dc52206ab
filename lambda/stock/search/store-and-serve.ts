/** Ends a search: the delivered image becomes the stored answer. */

import { chooseServedTexts } from '../../images/alt-text';
import type { ServedImage } from '../../images/image';
import type { ImageOutcome } from '../../images/image-outcome';
import { makePick, type PickedStockImage, storePickedImage } from '../../images/picked-images';
import { reportFirstUseOfDay } from '../report-use';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import type { DeliveredImage } from './deliver-entry';
import type { StockSearch } from './stock-search';

type AnswerDetails = Pick<PickedStockImage, 'provider' | 'source'> &
  Pick<ServedImage, 'answerEndsMs' | 'seedsStartOverAfter'> & {
    /** True if it replaces the image of the seed on one page. Then it is no answer to other requests. */
    readonly isSubstitute?: boolean;
  };

/** Stores an image under its pick and as the answer, and reports its use. */
export async function storeAndServe(
  services: StockServices,
  search: StockSearch,
  { entry, location, placeholder, reportUrl }: DeliveredImage,
  { provider, source, isSubstitute = false, ...validity }: AnswerDetails,
): Promise<ImageOutcome> {
  const { request, context } = search;
  const { candidate, fit } = entry;
  const { widthPx, heightPx } = request;
  const pick = makePick(provider, candidate.id);
  const image: ServedImage = {
    location,
    widthPx,
    heightPx,
    source,
    attribution: candidate.attribution,
    fit,
    ...chooseServedTexts(candidate.description),
    pick,
    ...(reportUrl !== undefined && { use: { provider, url: reportUrl } }),
    ...(placeholder && { placeholder }),
    ...validity,
  };
  await Promise.all([
    !isSubstitute && storeAnswer(services, request, context.format, image),
    storePickedImage(services, pick, { provider, source, ...entry }, image.color ?? placeholder?.color),
    reportFirstUseOfDay(services, image, context.account ?? 'anonymous'),
  ]);
  return { outcome: 'served', image, cache: search.hasSentRequest() ? 'MISS' : 'HIT' };
}
