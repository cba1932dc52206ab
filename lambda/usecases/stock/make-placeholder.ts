/** Makes the placeholder of an image from a small size of it, after the caller has been answered, and stores it. */

import type { PlaceholderOrder } from '../../contract/messages/renderer-job';
import type { Placeholder } from '../../domain/image/image';
import type { Clock } from '../../ports/clock';
import type { ImageCodec } from '../../ports/image-codec';
import type { LookupCache } from '../../ports/lookup-cache';
import type { OriginalFetcher } from '../../ports/original-fetcher';
import type { Telemetry } from '../../ports/telemetry';
import { placeholderKeptMs } from './placeholder-key';

export interface MakePlaceholderDeps {
  readonly fetchOriginal: OriginalFetcher;
  readonly codec: Pick<ImageCodec, 'render' | 'placeholder'>;
  readonly lookups: Pick<LookupCache, 'write'>;
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

export function createMakePlaceholder(deps: MakePlaceholderDeps): MakePlaceholder {
  const { fetchOriginal, codec, lookups, clock, telemetry } = deps;
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
    const endsMs = clock.nowMs() + placeholderKeptMs;
    await lookups.write(key, { value: placeholder, freshUntilMs: endsMs, staleUntilMs: endsMs });
    return placeholder;
  };
}
