/** Shows a card in place of an image that is gone. */

import { hashSha256 } from '../base/hash';
import { goneCardFolder } from '../contract/image-paths';
import type { RenditionFormat, Size } from '../requests/rendition';
import { type ImageDomain, makePublicUrl } from './delivery-urls';
import type { ServedImage } from './image';
import type { ImageOutcome, RefusedOutcome } from './image-outcome';
import type { Renderer } from './renderer';
import { findExtension, requireStoredPath } from './stored-path';

const neutralColor = '#d5dae1';

/** An image that is gone, in the size and format of its card. Without a `color` the card is grey. */
interface GoneImage extends Size, Pick<ServedImage, 'pick' | 'source' | 'color'> {
  readonly format: RenditionFormat;
}

interface CardServices {
  readonly renderer: Renderer;
  readonly imageDomain: Pick<ImageDomain, 'baseUrl'>;
}

/** A card in the image store. `isNew`: its file was not there yet, so that the caller pays with work. */
interface RenderedCard {
  readonly outcome: 'stored';
  readonly image: ServedImage;
  readonly isNew: boolean;
}

/**
 * Shows the card of an image that is gone. A page would show any other image under the credit of the gone one.
 * @param renderForCaller renders the card, and counts the work if the caller pays for it
 */
export async function showGoneCard(
  services: CardServices,
  goneImage: GoneImage,
  renderForCaller: (render: () => Promise<RenderedCard>) => Promise<RenderedCard | RefusedOutcome>,
): Promise<ImageOutcome> {
  const card = await renderForCaller(() => renderGoneCard(services, goneImage));
  return card.outcome === 'refused' ? card : { outcome: 'served', image: card.image, cache: 'HIT' };
}

/** Renders the card of an image that is gone. @throws when it is not rendered by the deadline */
export async function renderGoneCard(
  { renderer, imageDomain }: CardServices,
  { pick = '', source, color = neutralColor, widthPx, heightPx, format }: GoneImage,
): Promise<RenderedCard> {
  const hash = hashSha256(JSON.stringify(['gone', pick, color, widthPx, heightPx, format]));
  const path = requireStoredPath(`${goneCardFolder}${hash}.${findExtension(`image/${format}`)}`);
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
