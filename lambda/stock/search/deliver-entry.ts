/** Delivers an image in the size of a request: cropped by its provider, or as a rendition of the service. */

import { FunctionBusy } from '../../aws/lambda';
import { sha256Hex } from '../../base/hash';
import { stockFolder } from '../../contract/image-paths';
import { mustHotlink, type StockProviderName } from '../../contract/providers';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { makePublicUrl } from '../../images/delivery-urls';
import type { DeliveryUrl, Placeholder } from '../../images/image';
import { type ChoiceEntry, pickOf } from '../../images/picked-images';
import { reportNotRendered } from '../../images/renderer';
import type { RenditionJob, RenditionSource } from '../../images/renderer-job';
import { extensionOf, toStoredPath } from '../../images/stored-path';
import type { Refusal } from '../../problems/problem';
import { renderForWork } from '../../quota/take';
import { askProvider, type RequestBudget } from '../ask-provider';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { SearchStep, StockSearch } from './search-types';

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

/** The delivery of an image, as it has ended. */
export type EntryDelivery = SearchStep & { readonly kind: 'delivery' } & (
    | DeliveredImage
    /** `unanswered`: by its server, which may pass. `broken`: gone, unreadable, or at a forbidden URL. */
    | { readonly outcome: 'unanswered' | 'broken' }
    /** The renderer failed, or has too much to do: another image does no better. */
    | { readonly outcome: 'failed' }
    | { readonly outcome: 'refused'; readonly refusal: Refusal }
  );

/** The terms on which an image is delivered. */
export interface DeliveryTerms {
  /** Age from which the provider is asked what it says of the image now, in milliseconds. */
  readonly urlTtlMs: number;
  readonly budget: RequestBudget;
  /** Whether a rendition takes a unit of the caller's work. */
  readonly isWork: boolean;
}

/** Delivers an image in the size of a request. */
export async function deliverEntry(
  services: StockServices,
  search: StockSearch,
  provider: StockProvider,
  stored: ChoiceEntry,
  terms: DeliveryTerms,
): Promise<EntryDelivery> {
  const { outcome, entry, requests } = await renewEntry(services, provider, stored, terms);
  const delivery: EntryDelivery =
    outcome === 'gone'
      ? { kind: 'delivery', requests, outcome: 'broken' }
      : { ...(await deliverAsDescribed(services, search, provider, entry, terms)), requests };
  if (delivery.outcome !== 'broken' && delivery.outcome !== 'unanswered') return delivery;
  // An image that cannot be loaded is the provider's failure, not a lack of images.
  const failed = { ...delivery, failure: {} };
  // Without a new URL from the provider, the file may be missing only because its URL has ended.
  return outcome === 'unanswered' ? { ...failed, outcome } : failed;
}

/** Replaces a description that is too old by what the provider says now. */
async function renewEntry(
  services: StockServices,
  provider: StockProvider,
  entry: ChoiceEntry,
  { urlTtlMs, budget }: DeliveryTerms,
): Promise<{
  readonly outcome: 'described' | 'unanswered' | 'gone';
  readonly entry: ChoiceEntry;
  readonly requests: number;
}> {
  const { candidate, checkedMs } = entry;
  const { findById } = provider;
  const nowMs = services.clock.nowMs();
  if (!findById || checkedMs + urlTtlMs > nowMs) return { outcome: 'described', entry, requests: 0 };
  const providerReply = await askProvider(services, provider, budget, (signal) =>
    findById(candidate.id, signal),
  );
  const { requests } = providerReply;
  if (providerReply.outcome !== 'answered') return { outcome: 'unanswered', entry, requests };
  if (!providerReply.content) return { outcome: 'gone', entry, requests };
  // Keep the description of the search: a reply by id says less, and has no rank.
  const candidateNow = { ...candidate, ...providerReply.content, description: candidate.description };
  return { outcome: 'described', entry: { ...entry, candidate: candidateNow, checkedMs: nowMs }, requests };
}

/** Delivers an image in the size of a request; an original that is smaller is enlarged. */
async function deliverAsDescribed(
  services: StockServices,
  search: StockSearch,
  provider: StockProvider,
  entry: ChoiceEntry,
  terms: DeliveryTerms,
): Promise<EntryDelivery> {
  const { stockSettings, telemetry } = services;
  const { name, capability } = provider;
  const { candidate } = entry;
  const { allowedHosts } = capability;
  const step = { kind: 'delivery', requests: 0 } as const;
  const offer = provider.offerImage(candidate, search.request, search.request.filters.crop);
  if (offer && !('url' in offer)) return renderEntry(services, search, name, entry, offer, terms);
  if (!offer || !isAllowedUrl(offer.url, allowedHosts)) {
    const labels = { provider: name, candidate: candidate.id };
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { ...step, outcome: 'broken' };
  }
  const { url } = offer;
  if (offer.kind === 'hotlink' && (stockSettings.imageDelivery !== 'own' || mustHotlink(name)))
    return { ...step, outcome: 'delivered', entry, location: url, reportUrl: offer.reportUrl };
  return renderEntry(services, search, name, entry, { kind: 'remote', url, allowedHosts }, terms);
}

/** Has the rendition of an image made, for a unit of work where it is new. */
async function renderEntry(
  services: StockServices,
  search: StockSearch,
  provider: StockProviderName,
  entry: ChoiceEntry,
  source: RenditionSource,
  { isWork }: DeliveryTerms,
): Promise<EntryDelivery> {
  const job = makeRenditionJob(search, provider, entry, source);
  const render = () => renderJob(services, job, provider);
  const rendition = isWork ? await renderForWork(services, search.context, render) : await render();
  const step = { kind: 'delivery', requests: 0, isCounted: isWork } as const;
  switch (rendition.outcome) {
    case 'stored': {
      const location = makePublicUrl(services.imageDomain, job.path);
      const { placeholder, isNew = false } = rendition;
      return { ...step, isCounted: isWork && isNew, outcome: 'delivered', entry, location, placeholder };
    }
    case 'refused':
      return { ...step, isCounted: false, ...rendition };
    case 'failed':
      return { ...step, ...rendition };
    // A photograph of the operator whose file was deleted.
    case 'gone':
      return { ...step, outcome: 'broken' };
    default: {
      const { reason, isTemporary } = rendition;
      const labels = { provider, candidate: entry.candidate.id, reason };
      services.telemetry.info('A stock image is unusable', labels);
      return { ...step, outcome: isTemporary ? 'unanswered' : 'broken' };
    }
  }
}

async function renderJob({ renderer, telemetry }: StockServices, job: RenditionJob, provider: string) {
  try {
    return await renderer.render(job);
  } catch (error) {
    reportNotRendered(telemetry, error, { provider });
    return { outcome: 'failed', failure: { isOutage: error instanceof FunctionBusy } } as const;
  }
}

/** Describes the rendition of an image. The same image, size, format and crop always share a file. */
function makeRenditionJob(
  { request, context: { format } }: StockSearch,
  provider: StockProviderName,
  { candidate: { id, attribution } }: ChoiceEntry,
  source: RenditionSource,
): RenditionJob {
  const { widthPx, heightPx } = request;
  const crop = request.filters.crop ?? 'attention';
  const hash = sha256Hex(JSON.stringify([provider, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${extensionOf(`image/${format}`)}`;
  const path = toStoredPath(`${stockFolder(pickOf(provider, id))}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  return { path, source, widthPx, heightPx, format, metadata, crop };
}
