/** Delivers a candidate in the wanted size: cropped by its provider, or as a rendition of the service. */

import { FunctionBusy } from '../../aws/lambda';
import { sha256Hex } from '../../base/sha256-hex';
import { stockFolder } from '../../contract/image-paths';
import { mustHotlink } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import { isAllowedUrl, type ProviderUrl } from '../../images/allowed-url';
import { publicUrl } from '../../images/delivery-urls';
import type { Candidate, DeliveryUrl, Placeholder } from '../../images/image';
import { pickOf } from '../../images/picked-images';
import { reportNotRendered } from '../../images/renderer';
import type { RenditionSource } from '../../images/renderer-job';
import { extensionOf, storedPathOf } from '../../images/stored-path';
import type { Refusal } from '../../problems/problem';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { CandidateSource, StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { giveBackRendition, type SearchCaller, takeRendition } from './search-caller';

/** An image of exactly the wanted size. */
export interface DeliveredImage {
  readonly outcome: 'delivered';
  readonly location: DeliveryUrl | ProviderUrl;
  /** Absent for an image that the provider crops. */
  readonly placeholder?: Placeholder;
  /** URL to which this use is reported; absent where the provider wants no reports. */
  readonly reportUrl?: string;
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

/**
 * Delivers a candidate in the size of a request; an original that is smaller is enlarged.
 * @throws when the work of the caller cannot be counted
 */
export async function deliverCandidate(
  services: StockServices,
  { name: provider, sourceFor, capability }: StockProvider,
  candidate: Candidate,
  { widthPx, heightPx, filters }: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<DeliveryOutcome> {
  const { renderer, delivery, telemetry, stockSettings, deadline } = services;
  const { id } = candidate;
  const crop: Crop = filters.crop ?? 'attention';
  const offered = sourceFor(candidate, { widthPx, heightPx }, crop);
  const source = renditionSourceOf(offered, capability.allowedHosts);
  if (!offered || !source) {
    const about = { provider, candidate: id };
    telemetry.error('A stock provider named a host that is not on its list', undefined, about);
    return { outcome: 'broken' };
  }
  const isCropped = stockSettings.imageDelivery !== 'own' || mustHotlink(provider);
  if (offered.kind === 'hotlink' && source.kind === 'remote' && isCropped) {
    const { reportUrl } = offered;
    return { outcome: 'delivered', location: source.url, ...(reportUrl !== undefined && { reportUrl }) };
  }
  // The same candidate, size, format and crop always share a file.
  const hash = sha256Hex(JSON.stringify([provider, id, widthPx, heightPx, format, crop]));
  const file = `${hash}.${extensionOf(`image/${format}`)}`;
  const path = storedPathOf(`${stockFolder(pickOf(provider, id))}${file}`);
  const metadata = { creditLine: candidate.attribution.creditLine, aiGenerated: false };
  const refusal = await takeRendition(services, caller);
  if (refusal) return { outcome: 'refused', refusal };
  try {
    const job = { path, source, widthPx, heightPx, format, metadata, crop };
    const rendition = await renderer.render(job, deadline.endsMs);
    if (rendition.outcome === 'stored') {
      if (!rendition.isNew) await giveBackRendition(services, caller);
      const { placeholder } = rendition;
      const location = publicUrl(delivery, path);
      return { outcome: 'delivered', location, ...(placeholder && { placeholder }) };
    }
    // Only a photograph of the operator's own can be gone from where it is stored.
    if (rendition.outcome === 'gone') return { outcome: 'broken' };
    const { reason, because = 'broken' } = rendition;
    telemetry.info('A stock image is unusable', { provider, candidate: id, reason });
    return { outcome: because };
  } catch (error) {
    reportNotRendered(telemetry, error, { provider });
    return { outcome: error instanceof FunctionBusy ? 'busy' : 'failed' };
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
