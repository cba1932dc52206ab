/** Brings one candidate to exactly the wanted size: at its provider, or as a rendition of the service. */

import type { Telemetry } from '../base/telemetry';
import type { ImageDelivery } from '../contract/environment';
import { stockFolder } from '../contract/image-paths';
import type { Crop } from '../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../images/allowed-url';
import type { Delivery } from '../images/delivery';
import type { Candidate, DeliveryUrl, Placeholder } from '../images/image';
import { extensionOf, type LibraryPath, libraryPathOf } from '../images/library-path';
import { type Renderer, RendererBusy, reportNotRendered } from '../images/renderer';
import type { RenditionSource } from '../images/renderer-job';
import { sha256Hex } from '../requests/image-request';
import type { RenditionFormat, Size } from '../requests/rendition';
import type { ProviderSearch } from './provider-request';
import type { CandidateSource, StockProvider } from './stock-provider';

/** Public id of a provider's image: 80 bits, no secret. */
export function pickIdOf(provider: string, id: string): string {
  return sha256Hex(JSON.stringify(['pick', provider, id])).slice(0, 20);
}

/** What renders and delivers images. */
export interface DeliverCandidateDeps {
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
  /** With `own`, what a provider crops is fetched and delivered as a rendition; `provider` by default. */
  readonly imageDelivery?: ImageDelivery;
}

/** An image that is ready at its URL. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  /** URL of an image of exactly the wanted size. */
  readonly location: DeliveryUrl | ProviderUrl;
  /** Absent for an image that the provider crops. */
  readonly placeholder?: Placeholder;
  /** Where this use has to be reported, where the provider asks for it. */
  readonly reportUrl?: string;
}

type Delivered =
  | DeliveredImage
  /** The provider does not have it large enough for this size. */
  | { readonly outcome: 'too-small' }
  /** Its server did not answer, which may pass. */
  | { readonly outcome: 'unanswered' }
  /** Gone, removed by the operator, no image that can be read, or at a URL that is not allowed. */
  | { readonly outcome: 'broken' }
  /** The renderer failed or has too much to do, which says nothing about the image. */
  | { readonly outcome: 'failed'; readonly isBusy: boolean };

/**
 * @throws `NotClaimed` alone, when the caller does not show the image: nothing was rendered then
 * @param anew the image is fetched even where its rendition is stored, to see whether it still answers
 */
export async function deliverCandidate(
  deps: DeliverCandidateDeps,
  search: ProviderSearch,
  candidate: Candidate,
  anew: boolean,
): Promise<Delivered> {
  const pick = pickIdOf(search.provider.name, candidate.id);
  if (search.request.removed?.includes(pick)) return { outcome: 'broken' };
  await search.caller.claim?.(pick);
  try {
    return await deliver(deps, search, candidate, anew);
  } catch (error) {
    reportNotRendered(deps.telemetry, error, { provider: search.provider.name });
    return { outcome: 'failed', isBusy: error instanceof RendererBusy };
  }
}

async function deliver(
  { renderer, delivery, telemetry, imageDelivery }: DeliverCandidateDeps,
  { provider, request: { widthPx, heightPx, filters, pick }, format, deadlineMs }: ProviderSearch,
  candidate: Candidate,
  anew: boolean,
): Promise<Delivered> {
  const size = { widthPx, heightPx };
  const crop: Crop = filters.crop ?? 'attention';
  const { allowedHosts } = provider.capability;
  const about = { provider: provider.name, candidate: candidate.id };
  // What a page has chosen is enlarged as far as the page asks.
  const enlarge = pick !== undefined;
  const offered = enlarge
    ? sourceInAnySize(provider, candidate, size, crop)
    : provider.sourceFor(candidate, size, crop);
  if (!offered) return { outcome: 'too-small' };
  const source = renditionSourceOf(offered, allowedHosts);
  if (!source) {
    telemetry.error('A stock provider named a host that is not on its list', undefined, about);
    return { outcome: 'broken' };
  }
  if (offered.kind === 'hotlink' && imageDelivery !== 'own') {
    const { reportUrl } = offered;
    // Whether it still answers only its provider can say.
    if (anew || source.kind !== 'remote') return { outcome: 'broken' };
    return { outcome: 'delivered', location: source.url, ...(reportUrl && { reportUrl }) };
  }
  const path = renditionPath(provider.name, candidate.id, size, format, crop);
  const metadata = { creditLine: candidate.attribution.creditLine, aiGenerated: false };
  const how = {
    ...(crop !== 'attention' && { crop }),
    ...(anew && { anew }),
    ...(enlarge && { enlarge }),
  };
  const job = { path, source, ...size, format, metadata, ...how };
  const rendition = await renderer.render(job, deadlineMs);
  if (rendition.outcome === 'stored') {
    const { placeholder } = rendition;
    return { outcome: 'delivered', location: delivery.publicUrl(path), ...(placeholder && { placeholder }) };
  }
  // Only a stored original can be gone.
  if (rendition.outcome === 'gone') return { outcome: 'broken' };
  const { reason, because = 'broken' } = rendition;
  telemetry.info('A stock image is unusable', { ...about, reason });
  return { outcome: because };
}

/** What the renderer makes an image from; `undefined` where it may not be fetched. */
function renditionSourceOf(
  offered: CandidateSource,
  allowedHosts: readonly string[],
): RenditionSource | undefined {
  if (offered.kind === 'draw') return { kind: 'drawing', words: offered.words, seed: offered.seed };
  if (offered.kind === 'stored') return offered;
  const { url } = offered;
  return isAllowedUrl(url, allowedHosts) ? { kind: 'remote', url, allowedHosts } : undefined;
}

/** The source of an image of a size, or the largest that the provider has where that is smaller. */
function sourceInAnySize(
  provider: StockProvider,
  candidate: Candidate,
  size: Size,
  crop: Crop,
): CandidateSource | undefined {
  for (let { widthPx, heightPx } = size; Math.min(widthPx, heightPx) >= 1; widthPx /= 2, heightPx /= 2) {
    const smaller = { widthPx: Math.floor(widthPx), heightPx: Math.floor(heightPx) };
    const offered = provider.sourceFor(candidate, smaller, crop);
    if (offered?.kind === 'hotlink' && smaller.widthPx < size.widthPx) {
      // Its servers enlarge: only an original of unknown size is never too small.
      const { widthPx: _width, heightPx: _height, ...unmeasured } = candidate;
      return provider.sourceFor(unmeasured, size, crop);
    }
    if (offered) return offered;
  }
  return undefined;
}

/** Where the rendition of a candidate is kept; the same candidate, size, format and crop always share it. */
export function renditionPath(
  provider: string,
  id: string,
  size: Size,
  format: RenditionFormat,
  crop: Crop = 'attention',
): LibraryPath {
  const hash = sha256Hex(JSON.stringify([provider, id, size.widthPx, size.heightPx, format, crop]));
  return libraryPathOf(`${stockFolder(pickIdOf(provider, id))}${hash}.${extensionOf(`image/${format}`)}`);
}
