/** Makes one rendition and stores it: drawn, or from an original that is fetched or read from the library. */

import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import { type FetchRules, fetchOriginal } from './fetch/fetch-original';
import type { ImageLibrary } from './image-library';
import type { Recipe, RenditionJob, RenditionOutcome, Unusable } from './renderer-job';
import * as codec from './sharp/sharp-codec';

/** What rendering needs of the services of the renderer. */
export interface RenderServices {
  readonly bucket: ImageLibrary;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly fetching: FetchRules;
  /** The key and certificates of manifests, as PEM; absent where the operator wants none. @throws when it cannot be read */
  readonly readContentCredentials?: (() => Promise<string>) | undefined;
}

/** Both sides of an image that carries a manifest are at least this long, in pixels: a smaller one weighs little more. */
const signedSidePxMin = 200;

/**
 * A job whose file is stored already makes nothing.
 * @throws when the bucket fails or the signal is aborted; whatever is wrong with the source is an outcome
 */
export async function renderAndStore(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<RenditionOutcome> {
  const { bucket, telemetry } = services;
  let image = await bucket.get(job.path, signal);
  let isNew = false;
  if (!image) {
    const made = await make(services, job, signal);
    if (made.outcome !== 'encoded') return made;
    signal.throwIfAborted();
    // Another run that stored it meanwhile made the same image from the same job.
    isNew = await bucket.put(job.path, made, signal);
    image = made;
  }
  const { bytes } = image;
  // An image without a placeholder is served all the same.
  const making = () => codec.placeholder(bytes);
  const placeholder = await orLogged(telemetry, 'A placeholder was not made', making);
  return { outcome: 'stored', ...(placeholder && { placeholder }), ...(isNew && { isNew }) };
}

async function make(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<codec.Encoded | Unusable | { readonly outcome: 'gone' }> {
  const { source, widthPx, heightPx } = job;
  switch (source.kind) {
    case 'drawing': {
      // The drawings are loaded by the service that draws alone.
      const { drawScene } = await import('@image-redirect/scene');
      const { kind: _, ...scene } = source;
      return codec.paint(drawScene({ ...scene, widthPx, heightPx }), job);
    }
    case 'remote': {
      const fetched = await fetchOriginal(services.fetching, source.url, source.allowedHosts, signal);
      return fetched.outcome === 'fetched' ? codec.render(fetched.bytes, job) : fetched;
    }
    case 'stored': {
      // A master of our own is the best there is, so it is enlarged as far as the request asks.
      const master = await services.bucket.get(source.path, signal);
      if (!master) return { outcome: 'gone' };
      const image = await codec.render(master.bytes, job);
      return image.outcome === 'encoded' ? withManifest(services, image, master.bytes, job) : image;
    }
    case 'card':
      return codec.paint(cardOf(source.color, job), job);
  }
}

/** An image that a model made, signed where the operator wants it and it is not too small. */
async function withManifest(
  { readContentCredentials }: RenderServices,
  image: codec.Encoded,
  master: Uint8Array,
  { widthPx, heightPx, metadata: { generatedBy } }: RenditionJob,
): Promise<codec.Encoded | Unusable> {
  const isSigned = generatedBy && Math.min(widthPx, heightPx) >= signedSidePxMin;
  if (!readContentCredentials || !isSigned) return image;
  const masterSize = await codec.measure(master);
  if (masterSize.outcome === 'unusable') return masterSize;
  // The C2PA library is loaded with the first AI image.
  const { signImage } = await import('./c2pa/sign-image');
  const edit = { generatedBy, masterSize, size: { widthPx, heightPx } };
  return signImage(image, edit, await readContentCredentials());
}

/** A card of one colour, a little darker below. */
function cardOf(color: string, { widthPx, heightPx }: Recipe): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new TypeError('The colour of a card is no #rrggbb');
  const shade =
    '<linearGradient id="s" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${shade}</defs><rect width="100%" height="100%" fill="${color}"/><rect width="100%" height="100%" fill="url(#s)"/></svg>`;
}
