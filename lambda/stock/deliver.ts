/** Brings one candidate to exactly the wanted size: cropped by its provider, or as a rendition of the service. */

import { stockFolder } from '../contract/image-paths';
import { isHotlinked } from '../contract/providers';
import type { Crop } from '../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../images/allowed-url';
import { publicUrl } from '../images/delivery-urls/delivery';
import type { Candidate, DeliveryUrl, Placeholder } from '../images/image';
import { extensionOf, type LibraryPath, libraryPathOf } from '../images/library-path';
import { pickOf } from '../images/picked-images';
import { RendererBusy, reportNotRendered } from '../images/renderer';
import type { RenditionSource } from '../images/renderer-job';
import type { Refusal } from '../problems/problem';
import { type StockRequest, sha256Hex } from '../requests/image-request';
import type { RenditionFormat, Size } from '../requests/rendition';
import type { SearchCaller } from './search-caller';
import type { CandidateSource, StockProvider } from './stock-provider';
import type { StockServices } from './stock-services';

/** What became of delivering a candidate. */
export type Delivered =
  | {
      readonly outcome: 'delivered';
      /** URL of an image of exactly the wanted size. */
      readonly location: DeliveryUrl | ProviderUrl;
      /** Absent for an image that the provider crops. */
      readonly placeholder?: Placeholder;
      /** Where this use has to be reported, where the provider asks for it. */
      readonly reportUrl?: string;
    }
  /** Its server did not answer, which may pass. */
  | { readonly outcome: 'unanswered' }
  /** Gone, no image that can be read, or at a URL that is not allowed. */
  | { readonly outcome: 'broken' }
  /** The renderer failed, or has too much to do, which says nothing about the image. */
  | { readonly outcome: 'failed' | 'busy' }
  /** The caller has had as much made as it may. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** An original that is smaller than the size is enlarged. @throws when the work of the caller cannot be counted */
export async function deliver(
  services: StockServices,
  provider: StockProvider,
  candidate: Candidate,
  { widthPx, heightPx, filters }: Pick<StockRequest, 'widthPx' | 'heightPx' | 'filters'>,
  format: RenditionFormat,
  caller: Pick<SearchCaller, 'takeRendition' | 'giveBackRendition'>,
): Promise<Delivered> {
  const { renderer, delivery, telemetry, settings, deadline } = services;
  const size = { widthPx, heightPx };
  const crop: Crop = filters.crop ?? 'attention';
  const about = { provider: provider.name, candidate: candidate.id };
  const offered = provider.sourceFor(candidate, size, crop);
  const source = renditionSourceOf(offered, provider.capability.allowedHosts);
  if (!offered || !source) {
    telemetry.error('A stock provider named a host that is not on its list', undefined, about);
    return { outcome: 'broken' };
  }
  const isCropped = settings.imageDelivery !== 'own' || isHotlinked(provider.name);
  if (offered.kind === 'hotlink' && source.kind === 'remote' && isCropped) {
    const { reportUrl } = offered;
    return { outcome: 'delivered', location: source.url, ...(reportUrl !== undefined && { reportUrl }) };
  }
  const path = renditionPath(provider.name, candidate.id, size, format, crop);
  const metadata = { creditLine: candidate.attribution.creditLine, aiGenerated: false };
  const job = {
    path,
    source,
    ...size,
    format,
    metadata,
    ...(crop !== 'attention' && { crop }),
  };
  const refusal = await caller.takeRendition();
  if (refusal) return { outcome: 'refused', refusal };
  try {
    const rendition = await renderer.render(job, deadline.endsMs);
    if (rendition.outcome === 'stored') {
      if (!rendition.isNew) await caller.giveBackRendition();
      const { placeholder } = rendition;
      const location = publicUrl(delivery, path);
      return { outcome: 'delivered', location, ...(placeholder && { placeholder }) };
    }
    // Only a photograph of the operator's own can be gone from where it is stored.
    if (rendition.outcome === 'gone') return { outcome: 'broken' };
    const { reason, because } = rendition;
    telemetry.info('A stock image is unusable', { ...about, reason });
    return { outcome: because === 'unanswered' ? because : 'broken' };
  } catch (error) {
    reportNotRendered(telemetry, error, { provider: provider.name });
    return { outcome: error instanceof RendererBusy ? 'busy' : 'failed' };
  }
}

/** Whether an image is at a host of its provider: the hosts may have changed since its choice was kept. */
export function isAtItsProvider(
  provider: StockProvider,
  candidate: Candidate,
  { widthPx, heightPx, filters }: Pick<StockRequest, 'widthPx' | 'heightPx' | 'filters'>,
): boolean {
  const offered = provider.sourceFor(candidate, { widthPx, heightPx }, filters.crop ?? 'attention');
  return renditionSourceOf(offered, provider.capability.allowedHosts) !== undefined;
}

/** What the renderer makes an image from; `undefined` where it may not be fetched. */
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

/** Where the rendition of a candidate is kept; the same candidate, size, format and crop always share it. */
function renditionPath(
  provider: string,
  id: string,
  size: Size,
  format: RenditionFormat,
  crop: Crop = 'attention',
): LibraryPath {
  const hash = sha256Hex(JSON.stringify([provider, id, size.widthPx, size.heightPx, format, crop]));
  return libraryPathOf(`${stockFolder(pickOf(provider, id))}${hash}.${extensionOf(`image/${format}`)}`);
}
