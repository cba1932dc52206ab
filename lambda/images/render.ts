/** Makes one rendition and stores it: drawn, or from an original that is fetched or read from the library. */

import type { Telemetry } from '../base/telemetry';
import type { Style } from '../contract/request-bounds';
import { type SignImage, signedSidePxMin } from './content-credentials';
import { enlargementMax } from './image';
import type { EncodedImage, ImageCodec, Recipe } from './image-codec';
import type { ImageLibrary } from './image-library';
import type { RenditionOutcome } from './renderer-answer';
import type { RenditionJob } from './renderer-job';

/** Where a rendition is made from and stored. */
export interface RenderDeps {
  readonly library: ImageLibrary;
  readonly codec: ImageCodec;
  readonly fetchOriginal: OriginalFetcher;
  readonly drawScene: DrawScene;
  /** Absent where the operator wants no manifests. */
  readonly signImage?: SignImage | undefined;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

/** @throws when the library fails or the signal is aborted; whatever is wrong with the source is an outcome. */
export type Render = (job: RenditionJob, signal: AbortSignal) => Promise<RenditionOutcome>;

/** A job whose file is stored already makes nothing. */
export function createRender({
  library,
  codec,
  fetchOriginal,
  drawScene,
  signImage,
  telemetry,
}: RenderDeps): Render {
  const make = async (
    job: RenditionJob,
    signal: AbortSignal,
  ): Promise<EncodedImage | { readonly outcome: 'gone' }> => {
    const { source } = job;
    const recipe = recipeOf(job);
    switch (source.kind) {
      case 'drawing': {
        const { kind: _, ...scene } = source;
        const svg = await drawScene({ ...scene, widthPx: job.widthPx, heightPx: job.heightPx });
        return codec.paint(svg, recipe);
      }
      case 'remote': {
        const fetched = await fetchOriginal(source.url, source.allowedHosts, signal);
        const limit = job.enlarge ? undefined : enlargementMax;
        return fetched.outcome === 'fetched' ? codec.render(fetched.bytes, recipe, limit) : fetched;
      }
      case 'stored': {
        // A master of our own is the best there is, so it is enlarged as far as the request asks.
        const master = await library.get(source.path);
        if (!master) return { outcome: 'gone' };
        const image = await codec.render(master.bytes, recipe);
        const { generatedBy } = job.metadata;
        const isSigned = generatedBy && Math.min(job.widthPx, job.heightPx) >= signedSidePxMin;
        if (!signImage || !isSigned || image.outcome !== 'encoded') return image;
        const masterSize = await codec.measure(master.bytes);
        if (masterSize.outcome !== 'measured') return masterSize;
        return signImage(image, { generatedBy, masterSize, size: job });
      }
      case 'card': {
        const { placeholder, color } = source;
        if (placeholder === undefined) return codec.paint(cardOf(color, recipe), recipe);
        const [, base64 = ''] = placeholder.split(',');
        return codec.render(Buffer.from(base64, 'base64'), recipe);
      }
    }
  };

  /** An image without a placeholder is served all the same. */
  const storedAs = async (image: Uint8Array): Promise<RenditionOutcome> => {
    try {
      return { outcome: 'stored', placeholder: await codec.placeholder(image) };
    } catch (error) {
      telemetry.error('A placeholder was not made', error);
      return { outcome: 'stored' };
    }
  };

  return async (job, signal) => {
    const stored = job.anew ? undefined : await library.get(job.path);
    if (stored) return storedAs(stored.bytes);
    const image = await make(job, signal);
    if (image.outcome !== 'encoded') return image;
    signal.throwIfAborted();
    // Another run that stored it meanwhile made the same image from the same job.
    await library.put(job.path, image);
    return storedAs(image.bytes);
  };
}

/** A card of one colour, a little darker below. */
function cardOf(color: string, { widthPx, heightPx }: Recipe): string {
  const shade =
    '<linearGradient id="s" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${shade}</defs><rect width="100%" height="100%" fill="${color}"/><rect width="100%" height="100%" fill="url(#s)"/></svg>`;
}

function recipeOf({ widthPx, heightPx, format, metadata, crop, label }: RenditionJob): Recipe {
  const how = { ...(crop && { crop }), ...(label && { label }) };
  return { widthPx, heightPx, format, metadata, ...how };
}

/** What is drawn; equal requests give equal drawings. */
export interface SceneRequest {
  readonly words: string;
  readonly seed: string;
  readonly style?: Style;
  readonly variation?: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** @returns an SVG document of exactly the requested size */
export type DrawScene = (request: SceneRequest) => string | Promise<string>;

/** What fetching an image ends in. */
export type FetchedOriginal =
  | { readonly outcome: 'fetched'; readonly bytes: Uint8Array }
  /** Gone, too large, no image, or behind a redirect to a host that is not allowed. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: 'unanswered' };

/**
 * @param allowedHosts hosts that the URL and every redirect may name; a local fake provider is named with its port
 * @throws when the signal is aborted.
 */
export type OriginalFetcher = (
  url: string,
  allowedHosts: readonly string[],
  signal: AbortSignal,
) => Promise<FetchedOriginal>;
