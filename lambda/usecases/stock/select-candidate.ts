/** Chooses among candidates and brings the chosen one to exactly the wanted size. */

import type { RenditionSource } from '../../contract/messages/rendition-job';
import { isAllowedUrl } from '../../domain/image/allowed-url';
import { type Candidate, canFill, type RenditionFormat, type Size } from '../../domain/image/image';
import { type StockRequest, sha256Hex } from '../../domain/request/image-request';
import { rankBySeed } from '../../domain/request/selection';
import type { Delivery } from '../../ports/delivery';
import type { Renderer } from '../../ports/renderer';
import type { Placement, StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';

/** Renditions that one request may try to have made before it turns to another provider. */
const triesMax = 4;

interface Placed {
  /** Absent when no candidate would do. */
  readonly found?: { readonly candidate: Candidate; readonly location: string; readonly reportUrl?: string };
  /** Candidates whose images turned out to be broken. */
  readonly unusable: readonly string[];
  /** The renderer failed, so another attempt might find an image. */
  readonly rendererFailed: boolean;
}

export interface PlaceDeps {
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
}

export type Place = (
  provider: StockProvider,
  candidates: readonly Candidate[],
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
) => Promise<Placed>;

/**
 * The order in which candidates are tried: those known to be large enough by rank of their hash, then those whose size
 * nobody knows, which may turn out too small. Too small ones are left out.
 */
export function inOrder(candidates: readonly Candidate[], size: Size, seed: string): readonly Candidate[] {
  const ranked = rankBySeed(candidates, seed).filter((candidate) => canFill(candidate, size));
  const isKnown = ({ widthPx, heightPx }: Candidate) => widthPx !== undefined && heightPx !== undefined;
  return [...ranked.filter(isKnown), ...ranked.filter((candidate) => !isKnown(candidate))];
}

/** Where the rendition of a candidate is kept; the same candidate, size and format share it for ever. */
export function renditionPath(provider: string, id: string, size: Size, format: RenditionFormat): string {
  const hash = sha256Hex(JSON.stringify([provider, id, size.widthPx, size.heightPx, format]));
  return `stock/${hash.slice(0, 2)}/${hash}.${format === 'jpeg' ? 'jpg' : format}`;
}

export function createPlace({ renderer, delivery, telemetry }: PlaceDeps): Place {
  return async (provider, candidates, request, format, deadlineMs) => {
    const { widthPx, heightPx, seed } = request;
    const { allowedHosts } = provider.capability;
    const unusable: string[] = [];
    for (const candidate of inOrder(candidates, { widthPx, heightPx }, seed)) {
      const placement = provider.place(candidate, { widthPx, heightPx });
      if (!placement) continue;
      if (placement.kind !== 'draw' && !isAllowedUrl(placement.url, allowedHosts)) {
        telemetry.error('A stock provider named a host that is not on its list', undefined, {
          provider: provider.name,
          candidate: candidate.id,
        });
        continue;
      }
      if (placement.kind === 'hotlink') {
        const { url: location, reportUrl } = placement;
        return {
          found: { candidate, location, ...(reportUrl && { reportUrl }) },
          unusable,
          rendererFailed: false,
        };
      }
      const path = renditionPath(provider.name, candidate.id, { widthPx, heightPx }, format);
      const source = sourceOf(placement, allowedHosts);
      const metadata = { creditLine: candidate.attribution.creditLine, aiGenerated: false };
      try {
        const job = { path, source, widthPx, heightPx, format, metadata };
        const rendition = await renderer.render(job, deadlineMs);
        if (rendition.outcome === 'stored') {
          return {
            found: { candidate, location: delivery.publicUrl(path) },
            unusable,
            rendererFailed: false,
          };
        }
        const { reason } = rendition;
        telemetry.info('A stock image is unusable', {
          provider: provider.name,
          candidate: candidate.id,
          reason,
        });
        unusable.push(candidate.id);
        if (unusable.length >= triesMax) break;
      } catch (error) {
        telemetry.error('A rendition was not made', error, { provider: provider.name });
        return { unusable, rendererFailed: true };
      }
    }
    return { unusable, rendererFailed: false };
  };
}

function sourceOf(
  placement: Exclude<Placement, { kind: 'hotlink' }>,
  allowedHosts: readonly string[],
): RenditionSource {
  if (placement.kind === 'fetch') return { kind: 'remote', url: placement.url, allowedHosts };
  return { kind: 'drawing', words: placement.words, seed: placement.seed };
}
