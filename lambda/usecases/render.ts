/** Makes one rendition and stores it: drawn, or from an original that is fetched or read from the library. */

import type { RenditionJob } from '../contract/messages/rendition-job';
import type { RenditionOutcome } from '../contract/messages/rendition-outcome';
import { enlargementMax } from '../domain/image/image';
import type { DrawScene } from '../ports/draw-scene';
import type { EncodedImage, ImageCodec, Recipe } from '../ports/image-codec';
import type { ImageLibrary } from '../ports/image-library';
import type { OriginalFetcher } from '../ports/original-fetcher';

export interface RenderDeps {
  readonly library: ImageLibrary;
  readonly codec: ImageCodec;
  readonly fetchOriginal: OriginalFetcher;
  readonly drawScene: DrawScene;
}

/** @throws when the library fails or the signal is aborted; whatever is wrong with the source is an outcome. */
export type Render = (job: RenditionJob, signal: AbortSignal) => Promise<RenditionOutcome>;

export function createRender({ library, codec, fetchOriginal, drawScene }: RenderDeps): Render {
  const make = async (
    job: RenditionJob,
    signal: AbortSignal,
  ): Promise<EncodedImage | { readonly outcome: 'gone' }> => {
    const { source } = job;
    const recipe = recipeOf(job);
    switch (source.kind) {
      case 'drawing': {
        const { kind: _, ...scene } = source;
        return codec.paint(drawScene({ ...scene, widthPx: job.widthPx, heightPx: job.heightPx }), recipe);
      }
      case 'remote': {
        const fetched = await fetchOriginal(source.url, source.allowedHosts, signal);
        return fetched.outcome === 'fetched' ? codec.render(fetched.bytes, recipe, enlargementMax) : fetched;
      }
      case 'stored': {
        // A master of our own is the best there is, so it is enlarged as far as the request asks.
        const master = await library.get(source.path);
        return master ? codec.render(master.bytes, recipe) : { outcome: 'gone' };
      }
    }
  };

  return async (job, signal) => {
    if (!job.anew && (await library.has(job.path))) return { outcome: 'stored' };
    const image = await make(job, signal);
    if (image.outcome !== 'encoded') return image;
    signal.throwIfAborted();
    // Another run that stored it meanwhile made the same image from the same job.
    await library.put(job.path, image);
    return { outcome: 'stored' };
  };
}

function recipeOf({ widthPx, heightPx, format, metadata, crop }: RenditionJob): Recipe {
  return { widthPx, heightPx, format, metadata, ...(crop && { crop }) };
}
