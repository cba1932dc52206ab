/** Delivers an image in the size of a request: cropped by its provider, or as a rendition of the service. */

import { FunctionBusy } from '../../aws/lambda';
import { sha256Hex } from '../../base/hash';
import { stockFolder } from '../../contract/image-paths';
import { mustHotlink } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { publicUrl } from '../../images/delivery-urls';
import type { DeliveryUrl, Placeholder } from '../../images/image';
import { type ChoiceEntry, pickOf } from '../../images/picked-images';
import { reportNotRendered } from '../../images/renderer';
import type { RenditionSource } from '../../images/renderer-job';
import { extensionOf, storedPathOf } from '../../images/stored-path';
import type { Refusal } from '../../problems/problem';
import type { StockRequest } from '../../requests/image-request';
import { askProvider, type RequestBudget } from '../ask-provider';
import type { ImageOffer, StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { StockSearch } from './search-types';

/** An image of exactly the wanted size. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  /** The image as its provider describes it now, or as it did before if the provider does not answer. */
  readonly entry: ChoiceEntry;
  readonly location: DeliveryUrl | ProviderUrl;
  /** Absent for an image that the provider crops. */
  readonly placeholder?: Placeholder | undefined;
  /** URL to which this use is reported; absent where the provider wants no reports. */
  readonly reportUrl?: string | undefined;
}

/** The outcome of delivering an image. */
export type EntryDelivery =
  | DeliveredImage
  /** `unanswered`: by its server, which may pass. `broken`: gone, unreadable, or at a forbidden URL. */
  | { readonly outcome: 'unanswered' | 'broken' }
  /** The renderer failed, or has too much to do, which says nothing about the image: another does no better. */
  | { readonly outcome: 'failed' }
  /** The caller's work of the hour is used up. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** An image of a choice or of a pick. */
interface EntryOfProvider {
  readonly provider: StockProvider;
  readonly entry: ChoiceEntry;
}

/** How old a description may be before the provider is asked again, and the requests that this may take. */
interface Renewal {
  readonly urlTtlMs: number;
  readonly budget: RequestBudget;
}

/**
 * Delivers an image, after asking its provider again for a description that is too old.
 * @throws when the work of the caller cannot be counted
 */
export async function deliverEntry(
  services: StockServices,
  search: StockSearch,
  described: EntryOfProvider,
  renewal: Renewal,
): Promise<EntryDelivery> {
  const { provider } = described;
  const { outcome, entry } = await renewEntry(services, search, described, renewal);
  let delivery: EntryDelivery = { outcome: 'broken' };
  if (outcome !== 'gone') delivery = await deliverAsDescribed(services, search, { provider, entry });
  // The provider did not answer with a new URL, so the file may be missing only because its URL has ended.
  if (outcome === 'unanswered' && delivery.outcome === 'broken') delivery = { outcome: 'unanswered' };
  // Images that cannot be loaded are the provider's failure, not a lack of images.
  if (delivery.outcome === 'broken' || delivery.outcome === 'unanswered')
    search.progress.record({ requests: 0, failure: {} });
  return delivery;
}

/** Replaces a description that is too old by what the provider says now. */
async function renewEntry(
  services: StockServices,
  { progress }: StockSearch,
  { provider, entry }: EntryOfProvider,
  { urlTtlMs, budget }: Renewal,
): Promise<{ readonly outcome: 'described' | 'unanswered' | 'gone'; readonly entry: ChoiceEntry }> {
  const { candidate, checkedMs } = entry;
  const { byId } = provider;
  const nowMs = services.clock.nowMs();
  if (!byId || checkedMs + urlTtlMs > nowMs) return { outcome: 'described', entry };
  const providerReply = await askProvider(services, provider, budget, (signal) => byId(candidate.id, signal));
  progress.record({ requests: providerReply.requests });
  if (providerReply.outcome !== 'answered') return { outcome: 'unanswered', entry };
  if (!providerReply.content) return { outcome: 'gone', entry };
  // Keep the description of the search: an answer by id says less, and has no rank.
  const candidateNow = { ...candidate, ...providerReply.content, description: candidate.description };
  return { outcome: 'described', entry: { ...entry, candidate: candidateNow, checkedMs: nowMs } };
}

/** Delivers an image in the size of a request; an original that is smaller is enlarged. */
async function deliverAsDescribed(
  services: StockServices,
  search: StockSearch,
  { provider, entry }: EntryOfProvider,
): Promise<EntryDelivery> {
  const { stockSettings, telemetry } = services;
  const { name, capability } = provider;
  const { candidate } = entry;
  const { request } = search;
  const offer = provider.offerFor(candidate, request, cropOf(request));
  const source = renditionSourceOf(offer, capability.allowedHosts);
  if (!offer || !source) {
    const labels = { provider: name, candidate: candidate.id };
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { outcome: 'broken' };
  }
  const mayHotlink = stockSettings.imageDelivery !== 'own' || mustHotlink(name);
  if (offer.kind === 'hotlink' && source.kind === 'remote' && mayHotlink)
    return { outcome: 'delivered', entry, location: source.url, reportUrl: offer.reportUrl };
  return renderEntry(services, search, { provider, entry }, source);
}

const cropOf = ({ filters }: StockRequest): Crop => filters.crop ?? 'attention';

/** Has the rendition of an image made. The unit of one that is there already is given back. */
async function renderEntry(
  { renderer, imageDomain, telemetry }: StockServices,
  { request, context: { format }, progress }: StockSearch,
  { provider: { name: provider }, entry }: EntryOfProvider,
  source: RenditionSource,
): Promise<EntryDelivery> {
  const { id, attribution } = entry.candidate;
  const { widthPx, heightPx } = request;
  const crop = cropOf(request);
  const refusal = await progress.renditionUnit.take();
  if (refusal) return { outcome: 'refused', refusal };
  // The same image, size, format and crop always share a file.
  const hash = sha256Hex(JSON.stringify([provider, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${extensionOf(`image/${format}`)}`;
  const path = storedPathOf(`${stockFolder(pickOf(provider, id))}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  try {
    const job = { path, source, widthPx, heightPx, format, metadata, crop };
    const rendition = await renderer.render(job);
    if (rendition.outcome === 'stored') {
      // Another visitor has made the rendition at the same time, and is counted for it.
      if (!rendition.isNew) await progress.renditionUnit.giveBack();
      const { placeholder } = rendition;
      return { outcome: 'delivered', entry, location: publicUrl(imageDomain, path), placeholder };
    }
    // A photograph of the operator whose file was deleted.
    if (rendition.outcome === 'gone') return { outcome: 'broken' };
    const { reason, because = 'broken' } = rendition;
    telemetry.info('A stock image is unusable', { provider, candidate: id, reason });
    return { outcome: because };
  } catch (error) {
    reportNotRendered(telemetry, error, { provider });
    progress.record({ requests: 0, failure: { isOutage: error instanceof FunctionBusy } });
    return { outcome: 'failed' };
  }
}

/** Makes the source that the renderer is given; `undefined` for a URL that is not allowed. */
function renditionSourceOf(
  offer: ImageOffer | undefined,
  allowedHosts: readonly string[],
): RenditionSource | undefined {
  if (!offer || !('url' in offer)) return offer;
  const { url } = offer;
  return isAllowedUrl(url, allowedHosts) ? { kind: 'remote', url, allowedHosts } : undefined;
}
