/** Delivers an image in the size of a request: cropped by its provider, or as a rendition of the service. */

import { FunctionBusy } from '../../aws/lambda';
import { sha256Hex } from '../../base/hash';
import { stockFolder } from '../../contract/image-paths';
import { mustHotlink } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { publicUrl } from '../../images/delivery-urls';
import type { Candidate, DeliveryUrl, Placeholder } from '../../images/image';
import { type ChoiceEntry, pickOf } from '../../images/picked-images';
import { reportNotRendered } from '../../images/renderer';
import type { RenditionSource } from '../../images/renderer-job';
import { extensionOf, storedPathOf } from '../../images/stored-path';
import type { Refusal } from '../../problems/problem';
import { giveBack, take } from '../../quota/take';
import { type Asker, askProvider } from '../ask-provider';
import type { CandidateSource, StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { PhotoRequest, RenditionWork } from './search';

/** An image of exactly the wanted size. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  readonly location: DeliveryUrl | ProviderUrl;
  /** Absent for an image that the provider crops. */
  readonly placeholder?: Placeholder | undefined;
  /** URL to which this use is reported; absent where the provider wants no reports. */
  readonly reportUrl?: string | undefined;
}

/** The outcome of delivering a candidate. */
export type DeliveryOutcome =
  | DeliveredImage
  /** Its server did not answer, which may pass. */
  | { readonly outcome: 'unanswered' }
  /** The image is gone, cannot be read, or is at a URL that is not allowed. */
  | { readonly outcome: 'broken' }
  /** The renderer failed, or has too much to do, which says nothing about the image. */
  | { readonly outcome: 'failed' | 'busy' }
  /** The caller's work of the hour is used up. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** After how many milliseconds a provider is asked for its description of an image again, and for whom. */
interface Renewal {
  readonly lastsForMs: number;
  readonly asker: Asker;
  readonly requestsMax: number;
}

interface CandidateDelivery {
  readonly delivered: DeliveryOutcome;
  readonly renditionWork: RenditionWork;
}

interface EntryDelivery extends CandidateDelivery {
  /** The image as its provider describes it now; the one that was given where it did not answer. */
  readonly current: ChoiceEntry;
  /** Requests that were sent to the provider. */
  readonly requests: number;
}

/**
 * Delivers an image. Its provider is asked for it again first where its description is too old.
 * @throws when the work of the caller cannot be counted
 */
export async function deliverEntry(
  services: StockServices,
  photoRequest: PhotoRequest,
  provider: StockProvider,
  entry: ChoiceEntry,
  renewal: Renewal,
  before: RenditionWork,
): Promise<EntryDelivery> {
  const { outcome, current, requests } = await renewEntry(services, photoRequest, provider, entry, renewal);
  if (outcome === 'gone')
    return { current, delivered: { outcome: 'broken' }, requests, renditionWork: before };
  const delivery = await deliverCandidate(services, photoRequest, provider, current.candidate, before);
  // The provider did not answer with a new URL, so the file may be missing only because its URL has ended.
  const mayReturn = outcome === 'unanswered' && delivery.delivered.outcome === 'broken';
  return { ...delivery, current, requests, ...(mayReturn && { delivered: { outcome: 'unanswered' } }) };
}

async function renewEntry(
  services: StockServices,
  { caller }: PhotoRequest,
  provider: StockProvider,
  entry: ChoiceEntry,
  { lastsForMs, asker, requestsMax }: Renewal,
): Promise<{ outcome: 'valid' | 'unanswered' | 'gone'; current: ChoiceEntry; requests: number }> {
  const { candidate } = entry;
  const { byId } = provider;
  const nowMs = services.clock.nowMs();
  if (!byId || entry.checkedMs + lastsForMs > nowMs) return { outcome: 'valid', current: entry, requests: 0 };
  const reply = await askProvider(services, provider, { asker, requestsMax, id: caller.id }, (signal) =>
    byId(candidate.id, signal),
  );
  const { requests } = reply;
  if (reply.outcome !== 'answered') return { outcome: 'unanswered', current: entry, requests };
  if (!reply.content) return { outcome: 'gone', current: entry, requests };
  // Keep the description of the search: an answer by id says less, and has no rank.
  const renewed = { ...candidate, ...reply.content, description: candidate.description };
  return { outcome: 'valid', current: { ...entry, candidate: renewed, checkedMs: nowMs }, requests };
}

/** Delivers a candidate in the size of a request; an original that is smaller is enlarged. */
async function deliverCandidate(
  services: StockServices,
  photoRequest: PhotoRequest,
  { name: provider, sourceFor, capability }: StockProvider,
  candidate: Candidate,
  before: RenditionWork,
): Promise<CandidateDelivery> {
  const { stockSettings, telemetry } = services;
  const { request } = photoRequest;
  const crop = request.filters.crop ?? 'attention';
  const offered = sourceFor(candidate, request, crop);
  const source = renditionSourceOf(offered, capability.allowedHosts);
  if (!offered || !source) {
    const labels = { provider, candidate: candidate.id };
    telemetry.error('A stock provider named a host that is not on its list', undefined, labels);
    return { delivered: { outcome: 'broken' }, renditionWork: before };
  }
  const isCropped = stockSettings.imageDelivery !== 'own' || mustHotlink(provider);
  if (offered.kind === 'hotlink' && source.kind === 'remote' && isCropped) {
    const { reportUrl } = offered;
    return { delivered: { outcome: 'delivered', location: source.url, reportUrl }, renditionWork: before };
  }
  return renderCandidate(services, photoRequest, provider, candidate, { source, crop }, before);
}

/** Has the rendition of a candidate made; where that is there already, its unit is given back. */
async function renderCandidate(
  services: StockServices,
  { request, format, caller }: PhotoRequest,
  provider: string,
  { id, attribution }: Candidate,
  { source, crop }: { readonly source: RenditionSource; readonly crop: Crop },
  before: RenditionWork,
): Promise<CandidateDelivery> {
  const { renderer, delivery, telemetry, deadline } = services;
  const { widthPx, heightPx } = request;
  const taken = before === 'due' ? await take(services, caller.workLimits, caller.id) : undefined;
  if (taken?.outcome === 'refused')
    return { delivered: { outcome: 'refused', refusal: taken.refusal }, renditionWork: before };
  const renditionWork = taken?.units ?? before;
  // The same candidate, size, format and crop always share a file.
  const hash = sha256Hex(JSON.stringify([provider, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${extensionOf(`image/${format}`)}`;
  const path = storedPathOf(`${stockFolder(pickOf(provider, id))}${file}`);
  const metadata = { creditLine: attribution.creditLine, aiGenerated: false };
  try {
    const job = { path, source, widthPx, heightPx, format, metadata, crop };
    const rendition = await renderer.render(job, deadline.endsMs);
    if (rendition.outcome === 'stored') {
      // Of two visitors at once, one has made it.
      if (!rendition.isNew && typeof renditionWork === 'object') await giveBack(services, renditionWork);
      const { placeholder } = rendition;
      const delivered = { outcome: 'delivered', location: publicUrl(delivery, path), placeholder } as const;
      return { delivered, renditionWork: 'none' };
    }
    // Only a photograph of the operator's own can be gone from where it is stored.
    if (rendition.outcome === 'gone') return { delivered: { outcome: 'broken' }, renditionWork };
    const { reason, because = 'broken' } = rendition;
    telemetry.info('A stock image is unusable', { provider, candidate: id, reason });
    return { delivered: { outcome: because }, renditionWork };
  } catch (error) {
    reportNotRendered(telemetry, error, { provider });
    return { delivered: { outcome: error instanceof FunctionBusy ? 'busy' : 'failed' }, renditionWork };
  }
}

/** The source that the renderer is given; `undefined` for a URL that is not allowed. */
function renditionSourceOf(
  offered: CandidateSource | undefined,
  allowedHosts: readonly string[],
): RenditionSource | undefined {
  if (!offered) return undefined;
  if (offered.kind === 'draw') return { kind: 'drawing', words: offered.words, seed: offered.seed };
  if (offered.kind === 'stored') return offered;
  const { url } = offered;
  return isAllowedUrl(url, allowedHosts) ? { kind: 'remote', url, allowedHosts } : undefined;
}
