/** Delivers an image in the size of a request: cropped by its provider, or as a rendition of the service. */

import { FunctionBusy } from '../../aws/lambda';
import { sha256Hex } from '../../base/hash';
import { stockFolder } from '../../contract/image-paths';
import { mustHotlink, type StockProviderName } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { makePublicUrl } from '../../images/delivery-urls';
import type { DeliveryUrl, Placeholder } from '../../images/image';
import { type ChoiceEntry, pickOf } from '../../images/picked-images';
import { reportNotRendered } from '../../images/renderer';
import type { RenditionJob, RenditionOutcome, RenditionSource } from '../../images/renderer-job';
import { extensionOf, toStoredPath } from '../../images/stored-path';
import type { Refusal } from '../../problems/problem';
import type { StockRequest } from '../../requests/image-request';
import { askProvider, type RequestBudget } from '../ask-provider';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { StockSearch } from './search-types';

/** An image of exactly the wanted size. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  /** The image as its provider describes it now, or as it did before if the provider does not answer. */
  readonly entry: ChoiceEntry;
  readonly location: DeliveryUrl | ProviderUrl;
  readonly placeholder?: Placeholder | undefined;
  /** URL to which this use is reported; absent where the provider wants no reports. */
  readonly reportUrl?: string | undefined;
}

/** The outcome of delivering an image. */
export type EntryDelivery =
  | DeliveredImage
  /** `unanswered`: by its server, which may pass. `broken`: gone, unreadable, or at a forbidden URL. */
  | { readonly outcome: 'unanswered' | 'broken' }
  /** The renderer failed, or has too much to do: another image does no better. */
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * Delivers an image. Its provider is asked again, within the budget, for a description older than `urlTtlMs`.
 * @throws when the work of the caller cannot be counted
 */
export async function deliverEntry(
  services: StockServices,
  search: StockSearch,
  provider: StockProvider,
  stored: ChoiceEntry,
  renewal: { readonly urlTtlMs: number; readonly budget: RequestBudget },
): Promise<EntryDelivery> {
  const { outcome, entry } = await renewEntry(services, search, provider, stored, renewal);
  const delivery: EntryDelivery =
    outcome === 'gone' ? { outcome: 'broken' } : await deliverAsDescribed(services, search, provider, entry);
  if (delivery.outcome !== 'broken' && delivery.outcome !== 'unanswered') return delivery;
  // An image that cannot be loaded is the provider's failure, not a lack of images.
  search.progress.record({ requests: 0, failure: {} });
  // Without a new URL from the provider, the file may be missing only because its URL has ended.
  return outcome === 'unanswered' ? { outcome } : delivery;
}

/** Replaces a description that is too old by what the provider says now. */
async function renewEntry(
  services: StockServices,
  { progress }: StockSearch,
  provider: StockProvider,
  entry: ChoiceEntry,
  { urlTtlMs, budget }: Parameters<typeof deliverEntry>[4],
): Promise<{ readonly outcome: 'described' | 'unanswered' | 'gone'; readonly entry: ChoiceEntry }> {
  const { candidate, checkedMs } = entry;
  const { findById } = provider;
  const nowMs = services.clock.nowMs();
  if (!findById || checkedMs + urlTtlMs > nowMs) return { outcome: 'described', entry };
  const providerReply = await askProvider(services, provider, budget, (signal) =>
    findById(candidate.id, signal),
  );
  progress.record({ requests: providerReply.requests });
  if (providerReply.outcome !== 'answered') return { outcome: 'unanswered', entry };
  if (!providerReply.content) return { outcome: 'gone', entry };
  // Keep the description of the search: a reply by id says less, and has no rank.
  const candidateNow = { ...candidate, ...providerReply.content, description: candidate.description };
  return { outcome: 'described', entry: { ...entry, candidate: candidateNow, checkedMs: nowMs } };
}

/** Delivers an image in the size of a request; an original that is smaller is enlarged. */
async function deliverAsDescribed(
  services: StockServices,
  search: StockSearch,
  provider: StockProvider,
  entry: ChoiceEntry,
): Promise<EntryDelivery> {
  const { stockSettings, telemetry } = services;
  const { name, capability } = provider;
  const { candidate } = entry;
  const { allowedHosts } = capability;
  const offer = provider.offerImage(candidate, search.request, cropOf(search.request));
  if (offer && !('url' in offer)) return renderEntry(services, search, name, entry, offer);
  if (!offer || !isAllowedUrl(offer.url, allowedHosts)) {
    const labels = { provider: name, candidate: candidate.id };
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { outcome: 'broken' };
  }
  const { url } = offer;
  if (offer.kind === 'hotlink' && (stockSettings.imageDelivery !== 'own' || mustHotlink(name)))
    return { outcome: 'delivered', entry, location: url, reportUrl: offer.reportUrl };
  return renderEntry(services, search, name, entry, { kind: 'remote', url, allowedHosts });
}

const cropOf = ({ filters }: StockRequest): Crop => filters.crop ?? 'attention';

/** Asks the renderer for the rendition of an image. The unit of one that is there already is given back. */
async function renderEntry(
  { renderer, imageDomain, telemetry }: StockServices,
  search: StockSearch,
  provider: StockProviderName,
  entry: ChoiceEntry,
  source: RenditionSource,
): Promise<EntryDelivery> {
  const { progress } = search;
  const refusal = await progress.renditionUnit.take();
  if (refusal) return { outcome: 'refused', refusal };
  const job = makeRenditionJob(search, provider, entry, source);
  let rendition: RenditionOutcome;
  try {
    rendition = await renderer.render(job);
  } catch (error) {
    reportNotRendered(telemetry, error, { provider });
    progress.record({ requests: 0, failure: { isOutage: error instanceof FunctionBusy } });
    return { outcome: 'failed' };
  }
  if (rendition.outcome === 'stored') {
    // Another visitor has made the rendition at the same time, and is counted for it.
    if (!rendition.isNew) await progress.renditionUnit.giveBack();
    const { placeholder } = rendition;
    return { outcome: 'delivered', entry, location: makePublicUrl(imageDomain, job.path), placeholder };
  }
  // A photograph of the operator whose file was deleted.
  if (rendition.outcome === 'gone') return { outcome: 'broken' };
  const { reason, isTemporary } = rendition;
  telemetry.info('A stock image is unusable', { provider, candidate: entry.candidate.id, reason });
  return { outcome: isTemporary ? 'unanswered' : 'broken' };
}

/** Describes the rendition of an image. The same image, size, format and crop always share a file. */
function makeRenditionJob(
  { request, context: { format } }: StockSearch,
  provider: StockProviderName,
  { candidate: { id, attribution } }: ChoiceEntry,
  source: RenditionSource,
): RenditionJob {
  const { widthPx, heightPx } = request;
  const crop = cropOf(request);
  const hash = sha256Hex(JSON.stringify([provider, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${extensionOf(`image/${format}`)}`;
  const path = toStoredPath(`${stockFolder(pickOf(provider, id))}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  return { path, source, widthPx, heightPx, format, metadata, crop };
}
