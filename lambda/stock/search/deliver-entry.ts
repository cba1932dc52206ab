/** Delivers an image in the size of a request: the provider crops it, or the service renders it. */

import { hashSha256 } from '../../base/hash';
import { makeStockFolder } from '../../contract/image-paths';
import { mustHotlink } from '../../contract/providers';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import type { DeliveryUrl } from '../../images/delivery-urls';
import { makePublicUrl } from '../../images/delivery-urls';
import type { Placeholder } from '../../images/image';
import type { RefusedOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, makePick } from '../../images/picked-images';
import { refuseNotRendered } from '../../images/renderer';
import type { RenditionJob, RenditionSource } from '../../images/renderer-job';
import { findExtension, requireStoredPath } from '../../images/stored-path';
import { serviceUnavailable } from '../../problems/problem';
import { askProvider, type RequestBudget } from '../ask-provider';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { StockSearch } from './stock-search';

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

export type EntryDelivery =
  | DeliveredImage
  /** `unanswered`: its server does not answer now. `broken`: gone, unreadable, or at a forbidden URL. */
  | { readonly outcome: 'unanswered' | 'broken' }
  /** The caller has no work left, or the renderer fails: other images would be refused too. */
  | RefusedOutcome;

/** The image to deliver, and the conditions of its delivery. */
interface DeliveryOrder {
  readonly provider: StockProvider;
  readonly entry: ChoiceEntry;
  /** Age at which a stored description is too old, in milliseconds: the provider is asked for a new one. */
  readonly urlTtlMs: number;
  readonly budget: RequestBudget;
  /** True if another member of the batch shows the image of the seed. */
  readonly isSubstitute?: boolean;
}

/** Renews the description of an image if it is too old, and then delivers the image. */
export async function deliverEntry(
  services: StockServices,
  search: StockSearch,
  order: DeliveryOrder,
): Promise<EntryDelivery> {
  const renewal = await renewEntry(services, search, order);
  let delivery: EntryDelivery = { outcome: 'broken' };
  if (renewal.outcome !== 'gone')
    delivery = await deliverAsDescribed(services, search, { ...order, entry: renewal.entry });
  if (delivery.outcome !== 'broken' && delivery.outcome !== 'unanswered') return delivery;
  // The image exists and did not load. This is a failure of the provider, so the search is not "no image".
  search.noteFailure({});
  // If the provider did not answer, the stored URL may have ended. The file may still exist at a new URL.
  return renewal.outcome === 'unanswered' ? { outcome: 'unanswered' } : delivery;
}

/** Replaces a description that is too old by the provider's present one. */
async function renewEntry(
  services: StockServices,
  search: StockSearch,
  { provider, entry, urlTtlMs, budget }: DeliveryOrder,
): Promise<{ readonly outcome: 'described' | 'unanswered' | 'gone'; readonly entry: ChoiceEntry }> {
  const { candidate, checkedMs } = entry;
  const { findById } = provider;
  const nowMs = services.clock.nowMs();
  if (!findById || checkedMs + urlTtlMs > nowMs) return { outcome: 'described', entry };
  const reply = await askProvider(services, provider, budget, (signal) => findById(candidate.id, signal));
  search.noteRequests(reply.requests);
  if (reply.outcome !== 'answered') return { outcome: 'unanswered', entry };
  if (!reply.content) return { outcome: 'gone', entry };
  // The texts of the search stay, because a reply by id says less and has no rank.
  const candidateNow = { ...candidate, ...reply.content, description: candidate.description };
  return { outcome: 'described', entry: { ...entry, candidate: candidateNow, checkedMs: nowMs } };
}

/** Redirects to the provider's crop of an image, or renders it. A smaller original is enlarged. */
async function deliverAsDescribed(
  services: StockServices,
  search: StockSearch,
  order: DeliveryOrder,
): Promise<EntryDelivery> {
  const { stockSettings, telemetry } = services;
  const { provider, entry } = order;
  const { name, capability } = provider;
  const { allowedHosts } = capability;
  const offer = provider.offerImage(entry.candidate, search.request, search.request.filters.crop);
  const labels = { provider: name, candidate: entry.candidate.id };
  if (!offer) {
    telemetry.info('A stock image has no file', labels);
    return { outcome: 'broken' };
  }
  if (!('url' in offer)) return renderEntry(services, search, order, offer);
  const { url } = offer;
  if (!isAllowedUrl(url, allowedHosts)) {
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { outcome: 'broken' };
  }
  if (offer.kind === 'hotlink' && (stockSettings.imageDelivery !== 'own' || mustHotlink(name)))
    return { outcome: 'delivered', entry, location: url, reportUrl: offer.reportUrl };
  return renderEntry(services, search, order, { kind: 'remote', url, allowedHosts });
}

/** Has an image rendered in the size and format of the request. */
async function renderEntry(
  services: StockServices,
  search: StockSearch,
  order: DeliveryOrder,
  source: RenditionSource,
): Promise<EntryDelivery> {
  const { imageDomain, renderer, telemetry } = services;
  const { entry, isSubstitute } = order;
  const labels = { provider: order.provider.name, candidate: entry.candidate.id };
  const job = makeRenditionJob(search, order, source);
  const render = () =>
    renderer
      .render(job)
      .catch((error) =>
        refuseNotRendered(telemetry, error, serviceUnavailable, { provider: labels.provider }),
      );
  const rendition = await search.renderForUnit(services, render, isSubstitute);
  if (rendition.outcome === 'refused') return rendition;
  if (rendition.outcome === 'stored') {
    const location = makePublicUrl(imageDomain, job.path);
    return { outcome: 'delivered', entry, location, placeholder: rendition.placeholder };
  }
  // The file of one of the operator's photographs was deleted.
  if (rendition.outcome === 'gone') return { outcome: 'broken' };
  telemetry.info('A stock image is unusable', { ...labels, reason: rendition.reason });
  return { outcome: rendition.isTemporary ? 'unanswered' : 'broken' };
}

/** Makes the job of a rendition. Its path depends on the image, size, format and crop only. */
function makeRenditionJob(
  { request, context: { format } }: StockSearch,
  { provider: { name }, entry }: DeliveryOrder,
  source: RenditionSource,
): RenditionJob {
  const { id, attribution } = entry.candidate;
  const { widthPx, heightPx } = request;
  const crop = request.filters.crop ?? 'attention';
  const hash = hashSha256(JSON.stringify([name, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${findExtension(`image/${format}`)}`;
  const path = requireStoredPath(`${makeStockFolder(makePick(name, id))}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  return { path, source, widthPx, heightPx, format, metadata, crop };
}
