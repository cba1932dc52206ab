/** Makes one rendition and stores it: drawn, or from an original that is fetched or read from the library. */

import type { Telemetry } from '../base/telemetry';
import { signedSidePxMin } from './content-credentials';
import { type FetchRules, fetchOriginal } from './fetch/fetch-original';
import type { EncodedImage, Recipe } from './image-codec';
import type { ImageLibrary } from './image-library';
import type { RenditionJob, RenditionOutcome } from './renderer-job';
import * as codec from './sharp/sharp-codec';

/** What rendering needs of the services of the renderer. */
export interface RenderServices {
  readonly bucket: ImageLibrary;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly fetching: FetchRules;
  /** The key and certificates of manifests, as PEM; absent where the operator wants none. @throws when it cannot be read */
  readonly readContentCredentials?: (() => Promise<string>) | undefined;
}

/**
 * A job whose file is stored already makes nothing.
 * @throws when the bucket fails or the signal is aborted; whatever is wrong with the source is an outcome
 */
export async function renderAndStore(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<RenditionOutcome> {
  const { bucket } = services;
  const stored = await bucket.get(job.path);
  if (stored) return storedAs(services, stored.bytes);
  const image = await make(services, job, signal);
  if (image.outcome !== 'encoded') return image;
  signal.throwIfAborted();
  // Another run that stored it meanwhile made the same image from the same job.
  await bucket.put(job.path, image);
  return storedAs(services, image.bytes);
}

/** An image without a placeholder is served all the same. */
async function storedAs({ telemetry }: RenderServices, image: Uint8Array): Promise<RenditionOutcome> {
  try {
    return { outcome: 'stored', placeholder: await codec.placeholder(image) };
  } catch (error) {
    telemetry.error('A placeholder was not made', error);
    return { outcome: 'stored' };
  }
}

async function make(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<EncodedImage | { readonly outcome: 'gone' }> {
  const { source } = job;
  const recipe = recipeOf(job);
  switch (source.kind) {
    case 'drawing': {
      // The drawings are loaded by the service that draws alone.
      const { drawScene } = await import('@image-redirect/scene');
      const { kind: _, ...scene } = source;
      return codec.paint(drawScene({ ...scene, widthPx: job.widthPx, heightPx: job.heightPx }), recipe);
    }
    case 'remote': {
      const fetched = await fetchOriginal(services.fetching, source.url, source.allowedHosts, signal);
      return fetched.outcome === 'fetched' ? codec.render(fetched.bytes, recipe) : fetched;
    }
    case 'stored': {
      // A master of our own is the best there is, so it is enlarged as far as the request asks.
      const master = await services.bucket.get(source.path);
      if (!master) return { outcome: 'gone' };
      const image = await codec.render(master.bytes, recipe);
      return image.outcome === 'encoded' ? withManifest(services, image, master.bytes, job) : image;
    }
    case 'card': {
      const { placeholder, color } = source;
      if (placeholder === undefined) return codec.paint(cardOf(color, recipe), recipe);
      const [, base64 = ''] = placeholder.split(',');
      return codec.render(Buffer.from(base64, 'base64'), recipe);
    }
  }
}

/** An image that a model made, signed where the operator wants it and it is not too small. */
async function withManifest(
  { readContentCredentials }: RenderServices,
  image: Extract<EncodedImage, { outcome: 'encoded' }>,
  master: Uint8Array,
  { widthPx, heightPx, metadata: { generatedBy } }: RenditionJob,
): Promise<EncodedImage> {
  const isSigned = generatedBy && Math.min(widthPx, heightPx) >= signedSidePxMin;
  if (!readContentCredentials || !isSigned) return image;
  const masterSize = await codec.measure(master);
  if (masterSize.outcome !== 'measured') return masterSize;
  // The C2PA library is loaded with the first AI image.
  const { signImage } = await import('./c2pa/sign-image');
  return signImage(
    image,
    { generatedBy, masterSize, size: { widthPx, heightPx } },
    await readContentCredentials(),
  );
}

/** A card of one colour, a little darker below. */
function cardOf(color: string, { widthPx, heightPx }: Recipe): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new TypeError('The colour of a card is no #rrggbb');
  const shade =
    '<linearGradient id="s" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${shade}</defs><rect width="100%" height="100%" fill="${color}"/><rect width="100%" height="100%" fill="url(#s)"/></svg>`;
}

function recipeOf({ widthPx, heightPx, format, metadata, crop, label }: RenditionJob): Recipe {
  const how = { ...(crop && { crop }), ...(label && { label }) };
  return { widthPx, heightPx, format, metadata, ...how };
}
