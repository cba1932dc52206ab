/** Makes and stores a rendition of a drawing, a fetched original, a stored master, or a card. */

import { type Telemetry, tryAndLog } from '../base/telemetry';
import { type FetchRules, fetchOriginal } from './fetch/fetch-original';
import type { ImageStore } from './image-store';
import type { Recipe, RenditionJob, RenditionOutcome, Unusable } from './renderer-job';
import * as codec from './sharp/sharp-codec';

export interface RenderServices {
  readonly imageStore: ImageStore;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly fetching: FetchRules;
  /** Reads the key and certificates of manifests as PEM. It is absent if the operator wants no manifests. */
  readonly readContentCredentials?: (() => Promise<string>) | undefined;
}

/** Shortest side of an image with a manifest, in pixels. A smaller image is lighter than its manifest. */
const signedSidePxMin = 200;

/**
 * Makes and stores the rendition of a job, unless it is stored already.
 * @throws when the image store fails or the signal is aborted; a fault of the source is an outcome
 */
export async function renderAndStore(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<RenditionOutcome> {
  const { imageStore, telemetry } = services;
  const storedFile = await imageStore.get(job.path, signal);
  if (storedFile?.renewalError !== undefined)
    telemetry.error('A rendition was not renewed', storedFile.renewalError, { path: job.path });
  if (storedFile) return { outcome: 'stored', ...(await makePlaceholderField(services, storedFile.bytes)) };
  const rendition = await makeRendition(services, job, signal);
  if (rendition.outcome !== 'encoded') return rendition;
  signal.throwIfAborted();
  // Another run may have stored the rendition meanwhile. It is the same, because the job is the same.
  const isNew = await imageStore.put(job.path, rendition.bytes, signal);
  const placeholderField = await makePlaceholderField(services, rendition.bytes);
  return { outcome: 'stored', ...placeholderField, ...(isNew && { isNew }) };
}

/** Draws the placeholder of a stored rendition. After a failure there is none. */
async function makePlaceholderField({ telemetry }: RenderServices, bytes: Uint8Array) {
  const message = 'A placeholder was not made';
  const placeholder = await tryAndLog(telemetry, message, () => codec.makePlaceholder(bytes));
  return placeholder && { placeholder };
}

async function makeRendition(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<codec.EncodedImage | Unusable | { readonly outcome: 'gone' }> {
  const { source, widthPx, heightPx } = job;
  switch (source.kind) {
    case 'drawing': {
      // Only the first drawing of a sandbox loads this code.
      const { drawScene } = await import('@image-redirect/scene');
      const { kind: _kind, ...scene } = source;
      return codec.paintSvg(drawScene({ ...scene, widthPx, heightPx }), job);
    }
    case 'remote': {
      const original = await fetchOriginal(services.fetching, source.url, source.allowedHosts, signal);
      return original.outcome === 'fetched' ? codec.renderOriginal(original.bytes, job) : original;
    }
    case 'stored': {
      const master = await services.imageStore.get(source.path, signal);
      if (!master) return { outcome: 'gone' };
      const image = await codec.renderOriginal(master.bytes, job);
      return image.outcome === 'encoded' ? signRendition(services, image, master.bytes, job) : image;
    }
    case 'card':
      return codec.paintSvg(drawCard(source.color, job), job);
  }
}

/** Adds a signed manifest to an AI image, if the operator wants manifests and the image is large enough. */
async function signRendition(
  { readContentCredentials }: RenderServices,
  image: codec.EncodedImage,
  master: Uint8Array,
  { widthPx, heightPx, metadata: { generatedBy } }: RenditionJob,
): Promise<codec.EncodedImage | Unusable> {
  const isSigned = generatedBy && Math.min(widthPx, heightPx) >= signedSidePxMin;
  if (!readContentCredentials || !isSigned) return image;
  const masterSize = await codec.measureImage(master);
  if (masterSize.outcome === 'unusable') return masterSize;
  // The C2PA library is loaded with the first image that is signed.
  const { signImage } = await import('./c2pa/sign-image');
  const edit = { generatedBy, masterSize, size: { widthPx, heightPx } };
  return signImage(image, edit, await readContentCredentials());
}

/** Draws the SVG of a card of one colour, a little darker at the bottom. */
function drawCard(color: string, { widthPx, heightPx }: Recipe): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new TypeError('The colour of a card is no #rrggbb');
  const shade =
    '<linearGradient id="s" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${shade}</defs><rect width="100%" height="100%" fill="${color}"/><rect width="100%" height="100%" fill="url(#s)"/></svg>`;
}
