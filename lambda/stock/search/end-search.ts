/** Ends a search: keeps and reports the image that was found, or says why there is none. */

import { secondsUntil } from '../../base/window';
import { servedTextsOf } from '../../images/alt-text';
import type { ServedImage } from '../../images/image';
import { type KnownPhoto, keepImage, pickOf } from '../../images/picked-images';
import { serviceUnavailable } from '../../problems/problem';
import { keepAnswer } from '../kept-answers';
import { reportUse } from '../report-use';
import type { StockServices } from '../stock-services';
import type { DeliveredImage } from './deliver-candidate';
import type { PhotoRequest, SearchOutcome, SearchStep } from './search';

/** Stores an image under its pick, reports its use and, where `isRemembered`, keeps it as the answer. */
export async function keepFoundImage(
  services: StockServices,
  { request, format, caller }: PhotoRequest,
  photo: KnownPhoto,
  { location, placeholder, reportUrl }: DeliveredImage,
  steps: readonly SearchStep[],
  isRemembered: boolean,
  validity: Pick<ServedImage, 'keepUntilMs' | 'seedsStartOverAfter'>,
): Promise<SearchOutcome> {
  const { provider, source, candidate, fit } = photo;
  const { widthPx, heightPx } = request;
  const pick = pickOf(provider, candidate.id);
  const image: ServedImage = {
    location,
    widthPx,
    heightPx,
    source,
    attribution: candidate.attribution,
    fit,
    ...servedTextsOf(candidate),
    pick,
    ...(reportUrl !== undefined && { use: { provider, url: reportUrl } }),
    ...(placeholder && { placeholder }),
    ...validity,
  };
  await Promise.all([
    isRemembered && keepAnswer(services, request, format, provider, image),
    keepImage(services, pick, photo, image.color ?? placeholder?.color),
    reportUse(services, image, caller.owner),
  ]);
  return { outcome: 'found', image, cache: steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT' };
}

/** Ends without an image: `none` where every step has succeeded, or else the refusal of the worst failure. */
export function refusalOfSearch(steps: readonly SearchStep[], nowMs: number): SearchOutcome {
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { outcome: 'none' };
  if (failures.some(({ isOutage }) => isOutage))
    return { outcome: 'refused', refusal: serviceUnavailable, isOfCaller: false };
  const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
  const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable', ...retry }, isOfCaller: false };
}
