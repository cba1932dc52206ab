/** Makes and stores a rendition of a drawing, a fetched original, a stored master, or a card. */

import { type Telemetry, undefinedIfFailed } from '../base/telemetry';
import { type FetchRules, fetchOriginal } from './fetch/fetch-original';
import type { ImageStore } from './image-store';
import type { Recipe, RenditionJob, RenditionOutcome, StoredRendition, Unusable } from './renderer-job';
import * as codec from './sharp/sharp-codec';

export interface RenderServices {
  readonly imageStore: ImageStore;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly fetching: FetchRules;
  /** Reads key and certificates of manifests, as PEM; absent if the operator wants no manifests. */
  readonly readContentCredentials?: (() => Promise<string>) | undefined;
}

/** Shortest side of an image with a manifest, in pixels: a manifest weighs more than a smaller image. */
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
  const stored = await imageStore.get(job.path, signal);
  if (stored) {
    if (stored.renewalError !== undefined)
      telemetry.error('A rendition was not renewed', stored.renewalError, { path: job.path });
    return describeStored(services, stored.bytes, false);
  }
  const rendition = await makeRendition(services, job, signal);
  if (rendition.outcome !== 'encoded') return rendition;
  signal.throwIfAborted();
  // Another run may have stored the rendition meanwhile: it is the same, made from the same job.
  const isNew = await imageStore.put(job.path, rendition.bytes, signal);
  return describeStored(services, rendition.bytes, isNew);
}

/** Describes a stored rendition, without a placeholder where none can be made. */
async function describeStored(
  { telemetry }: RenderServices,
  bytes: Uint8Array,
  isNew: boolean,
): Promise<StoredRendition> {
  const placeholder = await undefinedIfFailed(telemetry, 'A placeholder was not made', () =>
    codec.makePlaceholder(bytes),
  );
  return { outcome: 'stored', ...(placeholder && { placeholder }), ...(isNew && { isNew }) };
}

async function makeRendition(
  services: RenderServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<codec.EncodedImage | Unusable | { readonly outcome: 'gone' }> {
  const { source, widthPx, heightPx } = job;
  switch (source.kind) {
    case 'drawing': {
      // Loaded by the sandbox's first drawing: other stages never draw.
      const { drawScene } = await import('@image-redirect/scene');
      const { kind: _kind, ...scene } = source;
      return codec.paintSvg(drawScene({ ...scene, widthPx, heightPx }), job);
    }
    case 'remote': {
      const fetched = await fetchOriginal(services.fetching, source.url, source.allowedHosts, signal);
      return fetched.outcome === 'fetched' ? codec.renderOriginal(fetched.bytes, job) : fetched;
    }
    case 'stored': {
      const master = await services.imageStore.get(source.path, signal);
      if (!master) return { outcome: 'gone' };
      const image = await codec.renderOriginal(master.bytes, job);
      return image.outcome === 'encoded' ? withManifest(services, image, master.bytes, job) : image;
    }
    case 'card':
      return codec.paintSvg(drawCard(source.color, job), job);
  }
}

/** Signs a rendition of an AI image, if the operator wants manifests and it is large enough. */
async function withManifest(
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
