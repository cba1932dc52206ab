/** Delivers an image in the size of a request: by the provider's crop or a rendition. Then stores it as the answer. */

import { hashSha256 } from '../../base/hash';
import { makeStockFolder } from '../../contract/image-paths';
import { mustHotlink } from '../../contract/providers';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { chooseServedTexts } from '../../images/alt-text';
import { type DeliveryUrl, makePublicUrl } from '../../images/delivery-urls';
import type { Placeholder, ServedImage } from '../../images/image';
import type { ImageOutcome, RefusedOutcome } from '../../images/image-outcome';
import {
  type ChoiceEntry,
  makePick,
  type PickedStockImage,
  storePickedImage,
} from '../../images/picked-images';
import { refuseNotRendered } from '../../images/renderer';
import type { RenditionJob, RenditionSource } from '../../images/renderer-job';
import { findExtension, requireStoredPath } from '../../images/stored-path';
import { serviceUnavailable } from '../../problems/problem';
import { askProvider, type RequestBudget } from '../ask-provider';
import { reportFirstUseOfDay } from '../report-use';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { storeAnswer } from '../stored-answers';
import type { StockLookup } from './lookup';

/** An image in the size of the request. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  /** The image as its provider describes it now. If the provider does not answer, the stored description. */
  readonly entry: ChoiceEntry;
  readonly location: DeliveryUrl | ProviderUrl;
  readonly placeholder?: Placeholder | undefined;
  /** URL that reports this use to the provider; absent if the provider wants no reports. */
  readonly reportUrl?: string | undefined;
}

type EntryDelivery =
  | DeliveredImage
  /** `gone` from its provider. `broken`: unreadable, or at a forbidden URL. `unanswered`: its server is silent. */
  | { readonly outcome: 'gone' | 'broken' | 'unanswered' }
  /** The caller has no work left, or the renderer fails: other images would be refused too. */
  | RefusedOutcome;

/** The image to deliver, and the conditions of its delivery. */
interface DeliveryTask {
  readonly provider: StockProvider;
  readonly entry: ChoiceEntry;
  /** Age at which a stored description is too old, in milliseconds: the provider is asked for a new one. */
  readonly urlTtlMs: number;
  readonly budget: RequestBudget;
}

/** Renews the description of an image if it is too old. Then redirects to the provider's crop, or renders the image. */
export async function deliverEntry(
  services: StockServices,
  lookup: StockLookup,
  task: DeliveryTask,
): Promise<EntryDelivery> {
  const renewal = await renewEntry(services, lookup, task);
  if (renewal.outcome === 'gone') return { outcome: 'gone' };
  const describedTask = { ...task, entry: renewal.entry };
  const source = chooseSource(services, lookup, describedTask);
  if ('location' in source) return { outcome: 'delivered', entry: renewal.entry, ...source };
  const delivery = 'outcome' in source ? source : await renderEntry(services, lookup, describedTask, source);
  // If the provider did not answer, the stored URL may have ended. The file may still exist at a new URL.
  const mayHaveMoved =
    renewal.outcome === 'unanswered' && (delivery.outcome === 'gone' || delivery.outcome === 'broken');
  return mayHaveMoved ? { outcome: 'unanswered' } : delivery;
}

/** Replaces a description that is too old by the provider's present one. */
async function renewEntry(
  services: StockServices,
  { allowance }: StockLookup,
  { provider, entry, urlTtlMs, budget }: DeliveryTask,
): Promise<{ readonly outcome: 'described' | 'unanswered' | 'gone'; readonly entry: ChoiceEntry }> {
  const { candidate, checkedMs } = entry;
  const { findById } = provider;
  const nowMs = services.clock.nowMs();
  if (!findById || checkedMs + urlTtlMs > nowMs) return { outcome: 'described', entry };
  const reply = await askProvider(services, provider, budget, (signal) => findById(candidate.id, signal));
  allowance.countRequests(reply.requests);
  if (reply.outcome !== 'answered') return { outcome: 'unanswered', entry };
  if (!reply.content) return { outcome: 'gone', entry };
  // The texts of the search stay, because a reply by id says less and has no rank.
  const candidateNow = { ...candidate, ...reply.content, description: candidate.description };
  return { outcome: 'described', entry: { ...entry, candidate: candidateNow, checkedMs: nowMs } };
}

/** Chooses the provider's crop of an image, or the file to render. */
function chooseSource(
  { stockSettings, telemetry }: StockServices,
  { request }: StockLookup,
  { provider, entry: { candidate } }: DeliveryTask,
):
  | Pick<DeliveredImage, 'location' | 'reportUrl'>
  | RenditionSource
  | { readonly outcome: 'gone' | 'broken' } {
  const { name, capability } = provider;
  const { allowedHosts } = capability;
  const offer = provider.offerImage(candidate, request, request.filters.crop);
  const labels = { provider: name, candidate: candidate.id };
  if (!offer) {
    telemetry.info('A stock image has no file', labels);
    return { outcome: 'gone' };
  }
  if (!('url' in offer)) return offer;
  const { url } = offer;
  if (!isAllowedUrl(url, allowedHosts)) {
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { outcome: 'broken' };
  }
  if (offer.kind === 'hotlink' && (stockSettings.imageDelivery !== 'own' || mustHotlink(name)))
    return { location: url, reportUrl: offer.reportUrl };
  return { kind: 'remote', url, allowedHosts };
}

/** Has an image rendered in the size and format of the request. A smaller original is enlarged. */
async function renderEntry(
  services: StockServices,
  lookup: StockLookup,
  task: DeliveryTask,
  source: RenditionSource,
): Promise<EntryDelivery> {
  const { imageDomain, renderer, telemetry } = services;
  const { entry, provider } = task;
  const labels = { provider: provider.name, candidate: entry.candidate.id };
  const pick = makePick(provider.name, entry.candidate.id);
  const job = makeRenditionJob(lookup, task, pick, source);
  const rendition = await lookup.allowance.renderForUnit(services, pick, () =>
    renderer.render(job).catch((error) => refuseNotRendered(telemetry, error, serviceUnavailable, labels)),
  );
  switch (rendition.outcome) {
    case 'refused':
      return rendition;
    case 'stored': {
      const location = makePublicUrl(imageDomain, job.path);
      return { outcome: 'delivered', entry, location, placeholder: rendition.placeholder };
    }
    case 'gone':
      return { outcome: 'gone' };
    case 'unusable':
      telemetry.info('A stock image is unusable', { ...labels, reason: rendition.reason });
      return { outcome: rendition.isTemporary ? 'unanswered' : 'broken' };
  }
}

/** Makes the job of a rendition. Its path depends on the image, size, format and crop only. */
function makeRenditionJob(
  { request, context: { format } }: StockLookup,
  { provider: { name }, entry }: DeliveryTask,
  pick: string,
  source: RenditionSource,
): RenditionJob {
  const { id, attribution } = entry.candidate;
  const { widthPx, heightPx } = request;
  const crop = request.filters.crop ?? 'attention';
  const hash = hashSha256(JSON.stringify([name, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${findExtension(`image/${format}`)}`;
  const path = requireStoredPath(`${makeStockFolder(pick)}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  return { path, source, widthPx, heightPx, format, metadata, crop };
}

type AnswerDetails = Pick<PickedStockImage, 'provider' | 'source'> &
  Pick<ServedImage, 'answerEndsMs' | 'seedsStartOverAfter'> & {
    /** True if the page shows the image of the seed in another place. Then this is no answer to other requests. */
    readonly isForOnePage?: boolean;
  };

/** Serves a delivered image: stores it under its pick and as the answer, and reports its use. */
export async function storeAndServe(
  services: StockServices,
  { request, context, allowance }: StockLookup,
  { entry, location, placeholder, reportUrl }: DeliveredImage,
  { provider, source, isForOnePage = false, ...validity }: AnswerDetails,
): Promise<ImageOutcome> {
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
    !isForOnePage && storeAnswer(services, request, context.format, image),
    storePickedImage(services, pick, { provider, source, ...entry }, image.color ?? placeholder?.color),
    reportFirstUseOfDay(services, image, context.account ?? 'anonymous'),
  ]);
  return { outcome: 'served', image, cache: allowance.hasSentRequest() ? 'MISS' : 'HIT' };
}
