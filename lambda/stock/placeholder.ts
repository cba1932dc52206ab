/**
 * The placeholder of a stock image: made of the BlurHash that its provider says, or of a small size of the image. The
 * latter is ordered by one request of all and made after that has been answered, so it is kept in an item of its own.
 */

import type { Clock, Ids } from '../base/clock';
import type { Cache } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { pickKeptMs } from '../contract/providers';
import type { Crop } from '../contract/request-bounds';
import { placeholderClaimMs, placeholderTimeoutMs } from '../contract/timeouts';
import { isAllowedUrl } from '../images/allowed-url';
import type { Candidate, Placeholder } from '../images/image';
import type { ImageCodec } from '../images/image-codec';
import type { OriginalFetcher } from '../images/render';
import type { Background, PlaceholderMaker } from '../images/renderer';
import { reportNotRendered } from '../images/renderer';
import { isPlaceholder } from '../images/renderer-answer';
import type { PlaceholderOrder } from '../images/renderer-job';
import type { Size } from '../requests/rendition';
import type { ProviderSearch } from './provider-request';

/** Longer side of the small image that a placeholder is made from, in pixels. */
const smallSidePx = 64;

/** The size of the small image that has the ratio of a size. */
export function smallSizeOf({ widthPx, heightPx }: Size): Size {
  const scale = smallSidePx / Math.max(widthPx, heightPx);
  const side = (px: number) => Math.max(1, Math.round(px * scale));
  return { widthPx: side(widthPx), heightPx: side(heightPx) };
}

/**
 * Key in the cache of a placeholder that is made after its image was found: all sizes of about the same ratio
 * share it.
 * @param pick public id of the image
 */
export function placeholderKey(pick: string, size: Size, crop: Crop = 'attention'): string {
  const { widthPx, heightPx } = smallSizeOf(size);
  return `PLACEHOLDER#${pick}#${widthPx}x${heightPx}#${crop}`;
}

/** What placeholders are made and ordered with. */
export interface PlaceholderDeps {
  readonly cache: Pick<Cache, 'lease' | 'release'>;
  readonly background: Background;
  readonly placeholders: PlaceholderMaker;
  readonly ids: Pick<Ids, 'hex'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'info' | 'error' | 'count'>;
}

/**
 * The placeholder of an image that its provider crops.
 * @param pick public id of the image
 * @returns `undefined` where it is being made, or cannot be. Never throws.
 */
export function placeholderFor(
  deps: PlaceholderDeps,
  search: ProviderSearch,
  candidate: Candidate,
  pick: string,
): Promise<Placeholder | undefined> {
  const { blurHash } = candidate.description;
  return blurHash === undefined
    ? orderPlaceholder(deps, search, candidate, pick)
    : ofBlurHash(deps, search, blurHash);
}

async function ofBlurHash(
  { placeholders, clock, telemetry }: PlaceholderDeps,
  { provider, request: { widthPx, heightPx }, deadlineMs }: ProviderSearch,
  blurHash: string,
): Promise<Placeholder | undefined> {
  const waitEndsMs = Math.min(deadlineMs, clock.nowMs() + placeholderTimeoutMs);
  try {
    return await placeholders.ofBlurHash(blurHash, { widthPx, heightPx }, waitEndsMs);
  } catch (error) {
    reportNotRendered(telemetry, 'placeholder', error, { provider: provider.name });
    return undefined;
  }
}

/** Has it made of the image, by one request of all. Only a request for the placeholder alone waits for it, until its deadline. */
async function orderPlaceholder(
  { cache, background, placeholders, ids, telemetry }: PlaceholderDeps,
  { provider, request, deadlineMs }: ProviderSearch,
  candidate: Candidate,
  pick: string,
): Promise<Placeholder | undefined> {
  const {
    widthPx,
    heightPx,
    asPlaceholder,
    filters: { crop },
  } = request;
  const { allowedHosts } = provider.capability;
  const size = smallSizeOf({ widthPx, heightPx });
  const key = placeholderKey(pick, { widthPx, heightPx }, crop);
  const holder = ids.hex(8);
  try {
    const source = provider.sourceFor(candidate, size, crop ?? 'attention');
    if (!source || !('url' in source) || !isAllowedUrl(source.url, allowedHosts)) return undefined;
    const lease = await cache.lease<Placeholder>(key, holder, placeholderClaimMs);
    if (lease.outcome === 'fresh') return isPlaceholder(lease.stored.value) ? lease.stored.value : undefined;
    if (lease.outcome === 'busy') return undefined;
    const how = { ...size, ...(crop && { crop }) };
    const order = { kind: 'make-placeholder', key, url: source.url, allowedHosts, ...how } as const;
    if (asPlaceholder) return await placeholders.ofImage(order, deadlineMs);
    await background.handOver(order);
  } catch (error) {
    reportNotRendered(telemetry, 'placeholder', error, { provider: provider.name });
    await cache.release(key, holder).catch(() => undefined); // The lease ends by itself.
  }
  return undefined;
}

/** What the renderer makes a placeholder with. */
interface MakePlaceholderDeps {
  readonly fetchOriginal: OriginalFetcher;
  readonly codec: Pick<ImageCodec, 'render' | 'placeholder'>;
  readonly cache: Pick<Cache, 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

/**
 * @returns `undefined` where the image cannot be read, which is logged and final
 * @throws when its server did not answer or it was not stored, so that the job is done again
 */
export type MakePlaceholder = (
  order: PlaceholderOrder,
  signal: AbortSignal,
) => Promise<Placeholder | undefined>;

/** What is made is kept for 400 days. */
export function createMakePlaceholder(deps: MakePlaceholderDeps): MakePlaceholder {
  const { fetchOriginal, codec, cache, clock, telemetry } = deps;
  return async ({ key, url, allowedHosts, widthPx, heightPx, crop }, signal) => {
    const fetched = await fetchOriginal(url, allowedHosts, signal);
    if (fetched.outcome === 'unusable' && fetched.because === 'unanswered')
      throw new Error(`A small image was not fetched: ${fetched.reason}`);
    // Cropped here too, as a provider may answer with another ratio than it was asked for.
    const small =
      fetched.outcome === 'fetched'
        ? await codec.render(fetched.bytes, {
            widthPx,
            heightPx,
            format: 'webp',
            // It is an intermediate image, whose metadata is not kept.
            metadata: { creditLine: 'placeholder', aiGenerated: false },
            ...(crop && { crop }),
          })
        : fetched;
    if (small.outcome === 'unusable') {
      telemetry.error('A placeholder was not made', new Error(small.reason), { host: new URL(url).host });
      return undefined;
    }
    const placeholder = await codec.placeholder(small.bytes);
    const endsMs = clock.nowMs() + pickKeptMs;
    await cache.write(key, { value: placeholder, freshUntilMs: endsMs, staleUntilMs: endsMs });
    return placeholder;
  };
}
