/** The ends of a search and of a pick: an image that is delivered and kept, or the reason for none. */

import { secondsUntil } from '../../base/window';
import { servedTextsOf } from '../../images/alt-text';
import type { ServedImage } from '../../images/image';
import { type Entry, type KnownPhoto, keepImage, pickOf } from '../../images/picked-images';
import { serviceUnavailable } from '../../problems/problem';
import { type Asker, askProvider } from '../ask-provider';
import { keepAnswer } from '../kept-answers';
import { reportUse } from '../report-use';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { type DeliveredImage, type DeliveryOutcome, deliverCandidate } from './deliver-candidate';
import type { PhotoRequest, SearchOutcome, SearchStep } from './search';

/**
 * Delivers an image. Its provider is asked for it again first where its description is too old.
 * @param lastsForMs how long a description is valid, in milliseconds
 * @returns `current`: the image as its provider describes it now, or `known` where it did not answer;
 * `broken` where the provider no longer has it
 */
export async function deliverCurrent(
  services: StockServices,
  { request, format, caller }: PhotoRequest,
  provider: StockProvider,
  known: Entry,
  lastsForMs: number,
  budget: { readonly asker: Asker; readonly requestsMax: number },
): Promise<{ readonly current: Entry; readonly delivered: DeliveryOutcome; readonly requests: number }> {
  const { candidate } = known;
  const nowMs = services.clock.nowMs();
  let current: Entry | undefined = known;
  let requests = 0;
  const isOld = known.checkedMs + lastsForMs <= nowMs;
  if (isOld && provider.byId) {
    const reply = await askProvider(services, provider, { ...budget, id: caller.id }, (signal) =>
      (provider.byId as NonNullable<StockProvider['byId']>)(candidate.id, signal),
    );
    requests = reply.requests;
    if (reply.outcome === 'answered') {
      // Keep the description of the search: an answer by id says less, and has no rank.
      const described = reply.content && {
        ...candidate,
        ...reply.content,
        description: candidate.description,
      };
      current = described && { ...known, candidate: described, checkedMs: nowMs };
    }
  }
  if (!current) return { current: known, delivered: { outcome: 'broken' }, requests };
  const delivered = await deliverCandidate(services, provider, current.candidate, request, format, caller);
  // The provider did not answer with a new URL, so the file may be missing only because its URL has ended.
  const isUnknown = isOld && provider.byId !== undefined && current === known;
  if (delivered.outcome === 'broken' && isUnknown)
    return { current, delivered: { outcome: 'unanswered' }, requests };
  return { current, delivered, requests };
}

/**
 * Answers with an image: keeps the answer, stores the image under its pick, has its use reported.
 * @param isKept whether later requests get the same answer
 */
export async function answerWith(
  services: StockServices,
  { request, format, caller }: PhotoRequest,
  photo: KnownPhoto,
  { location, placeholder, reportUrl }: DeliveredImage,
  steps: readonly SearchStep[],
  isKept = true,
  more: Pick<ServedImage, 'keepUntilMs' | 'seedsStartOverAfter'> = {},
): Promise<SearchOutcome> {
  const { provider, source, candidate, fit, checkedMs } = photo;
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
    ...more,
  };
  const known = { provider, source, candidate, fit, checkedMs };
  await Promise.all([
    isKept && keepAnswer(services, request, format, provider, image),
    keepImage(services, pick, known, image.color ?? placeholder?.color),
    reportUse(services, image, caller.owner),
  ]);
  return { outcome: 'found', image, cache: steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT' };
}

/**
 * Says why there is no image.
 * @param steps the searches at all slots, and the deliveries of what they found
 */
export function notFound(steps: readonly SearchStep[], nowMs: number): SearchOutcome {
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { outcome: 'none' };
  if (failures.some(({ isOutage }) => isOutage))
    return { outcome: 'refused', refusal: serviceUnavailable, isOfCaller: false };
  const retryMs = Math.min(...failures.map((each) => each.retryMs ?? Infinity));
  const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable', ...retry }, isOfCaller: false };
}
