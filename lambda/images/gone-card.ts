/** Renders the card in place of an image that is gone. */

import { sha256Hex } from '../base/hash';
import { goneCardFolder } from '../contract/image-paths';
import type { RenditionFormat, Size } from '../requests/rendition';
import { type ImageDomain, makePublicUrl } from './delivery-urls';
import type { ServedImage } from './image';
import type { Renderer } from './renderer';
import { extensionOf, toStoredPath } from './stored-path';

const neutralColor = '#d5dae1';

/**
 * Renders the card for an image that is gone, as no other image must stand under its credit.
 * @returns the card; `isNew`: its file was not there yet, so that it counts as work
 * @throws when it is not rendered by the deadline
 */
export async function renderGoneCard(
  {
    renderer,
    imageDomain,
  }: { readonly renderer: Renderer; readonly imageDomain: Pick<ImageDomain, 'baseUrl'> },
  { pick = '', source, color = neutralColor }: Pick<ServedImage, 'pick' | 'source' | 'color'>,
  { widthPx, heightPx, format }: Size & { readonly format: RenditionFormat },
): Promise<{ readonly outcome: 'stored'; readonly image: ServedImage; readonly isNew: boolean }> {
  const hash = sha256Hex(JSON.stringify(['gone', pick, color, widthPx, heightPx, format]));
  const path = toStoredPath(`${goneCardFolder}${hash}.${extensionOf(`image/${format}`)}`);
  const creditLine = 'Image no longer available';
  const metadata = { creditLine, aiGenerated: false };
  const job = { path, source: { kind: 'card', color }, widthPx, heightPx, format, metadata } as const;
  const rendition = await renderer.render(job);
  if (rendition.outcome !== 'stored') throw new Error(`A card was not rendered: ${rendition.outcome}`);
  const image: ServedImage = {
    location: makePublicUrl(imageDomain, path),
    widthPx,
    heightPx,
    source,
    attribution: { providerName: 'Image Redirect', license: { id: 'cc0-1.0', name: 'CC0 1.0' }, creditLine },
    fallback: 'gone',
    alt: creditLine,
    color,
    pick,
  };
  return { outcome: 'stored', image, isNew: rendition.isNew === true };
}
