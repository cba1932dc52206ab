/** Selects an image among a provider's candidates and brings it to exactly the wanted size. */

import type { RenditionSource } from '../../contract/messages/rendition-job';
import { isAllowedUrl, type ProviderUrl } from '../../domain/image/allowed-url';
import {
  type Candidate,
  canFill,
  type DeliveryUrl,
  type RenditionFormat,
  type Size,
} from '../../domain/image/image';
import { type LibraryPath, libraryPathOf } from '../../domain/image/library-path';
import { type StockRequest, sha256Hex } from '../../domain/request/image-request';
import { rankBySeed } from '../../domain/request/selection';
import type { Delivery } from '../../ports/delivery';
import type { Renderer } from '../../ports/renderer';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';

/** Broken images that one request may meet before it turns to another provider. */
const brokenMax = 4;

export interface SelectImageDeps {
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
}

export interface SelectedImage {
  readonly candidate: Candidate;
  /** URL of an image of exactly the wanted size. */
  readonly location: DeliveryUrl | ProviderUrl;
  /** Where this use has to be reported, where the provider asks for it. */
  readonly reportUrl?: string;
}

export interface Selection {
  /** Absent when no candidate would do. */
  readonly selected?: SelectedImage;
  /** Ids of candidates whose images turned out to be broken. */
  readonly broken: readonly string[];
  /** The renderer failed, so another attempt might find an image. */
  readonly rendererFailed: boolean;
}

/** The first candidate, in the order of selection, that can be had in the wanted size. Never throws. */
export async function selectImage(
  deps: SelectImageDeps,
  provider: StockProvider,
  candidates: readonly Candidate[],
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
): Promise<Selection> {
  const broken: string[] = [];
  for (const candidate of selectionOrder(candidates, request, request.seed)) {
    let delivered: Delivered;
    try {
      delivered = await deliverCandidate(deps, provider, candidate, request, format, deadlineMs);
    } catch (error) {
      deps.telemetry.error('A rendition was not made', error, { provider: provider.name });
      return { broken, rendererFailed: true };
    }
    if (delivered.outcome === 'delivered') return { selected: delivered, broken, rendererFailed: false };
    if (delivered.outcome === 'broken') broken.push(candidate.id);
    if (broken.length >= brokenMax) break;
  }
  return { broken, rendererFailed: false };
}

/**
 * The order in which candidates are tried: those known to be large enough by rank of their hash, then those of unknown
 * size, which may turn out too small. Candidates that are too small are left out.
 */
export function selectionOrder(
  candidates: readonly Candidate[],
  size: Size,
  seed: string,
): readonly Candidate[] {
  const ranked = rankBySeed(candidates, seed).filter((candidate) => canFill(candidate, size));
  const isKnown = ({ widthPx, heightPx }: Candidate) => widthPx !== undefined && heightPx !== undefined;
  return [...ranked.filter(isKnown), ...ranked.filter((candidate) => !isKnown(candidate))];
}

type Delivered =
  | ({ readonly outcome: 'delivered' } & SelectedImage)
  /** The provider has it in no such size, or names a URL that is not allowed. */
  | { readonly outcome: 'unsuitable' }
  | { readonly outcome: 'broken' };

/** Brings one candidate to the wanted size. @throws when the renderer fails. */
async function deliverCandidate(
  { renderer, delivery, telemetry }: SelectImageDeps,
  provider: StockProvider,
  candidate: Candidate,
  { widthPx, heightPx }: Size,
  format: RenditionFormat,
  deadlineMs: number,
): Promise<Delivered> {
  const { allowedHosts } = provider.capability;
  const about = { provider: provider.name, candidate: candidate.id };
  const found = provider.sourceFor(candidate, { widthPx, heightPx });
  if (!found) return { outcome: 'unsuitable' };
  let source: RenditionSource;
  if (found.kind === 'draw') source = { kind: 'drawing', words: found.words, seed: found.seed };
  else {
    const { url } = found;
    if (!isAllowedUrl(url, allowedHosts)) {
      telemetry.error('A stock provider named a host that is not on its list', undefined, about);
      return { outcome: 'unsuitable' };
    }
    if (found.kind === 'hotlink') {
      const { reportUrl } = found;
      return { outcome: 'delivered', candidate, location: url, ...(reportUrl && { reportUrl }) };
    }
    source = { kind: 'remote', url, allowedHosts };
  }
  const path = renditionPath(provider.name, candidate.id, { widthPx, heightPx }, format);
  const metadata = { creditLine: candidate.attribution.creditLine, aiGenerated: false };
  const job = { path, source, widthPx, heightPx, format, metadata };
  const rendition = await renderer.render(job, deadlineMs);
  if (rendition.outcome === 'stored')
    return { outcome: 'delivered', candidate, location: delivery.publicUrl(path) };
  telemetry.info('A stock image is unusable', { ...about, reason: rendition.reason });
  return { outcome: 'broken' };
}

/** Where the rendition of a candidate is kept; the same candidate, size and format share it for ever. */
export function renditionPath(
  provider: string,
  id: string,
  size: Size,
  format: RenditionFormat,
): LibraryPath {
  const hash = sha256Hex(JSON.stringify([provider, id, size.widthPx, size.heightPx, format]));
  return libraryPathOf(`stock/${hash.slice(0, 2)}/${hash}.${format === 'jpeg' ? 'jpg' : format}`);
}
