/** What is shown in place of an image that is gone: a calm card in its own colour, and no other image under its credit. */

import { sha256Hex } from '../base/sha256-hex';
import type { RenditionFormat, Size } from '../requests/rendition';
import { type Delivery, publicUrl } from './delivery-urls/delivery';
import type { ServedImage } from './image';
import { extensionOf, libraryPathOf } from './library-path';
import type { Renderer } from './renderer';

/** What renders and delivers a card. */
interface CardServices {
  readonly renderer: Renderer;
  readonly delivery: Pick<Delivery, 'baseUrl'>;
}

/** The card's colour where nothing is known of the image's. */
const neutralColor = '#d5dae1';

/**
 * The card for an image that is gone, rendered in exactly the requested size.
 * @param deadlineMs moment (epoch, milliseconds) by which it is there
 * @throws when it was not rendered
 */
export async function goneCard(
  { renderer, delivery }: CardServices,
  { pick = '', source, color = neutralColor }: Pick<ServedImage, 'pick' | 'source' | 'color'>,
  { widthPx, heightPx }: Size,
  format: RenditionFormat,
  deadlineMs: number,
): Promise<ServedImage> {
  const hash = sha256Hex(JSON.stringify(['gone', pick, color, widthPx, heightPx, format]));
  const path = libraryPathOf(`stock/gone/${hash}.${extensionOf(`image/${format}`)}`);
  const creditLine = 'Image no longer available';
  const metadata = { creditLine, aiGenerated: false };
  const job = { path, source: { kind: 'card', color }, widthPx, heightPx, format, metadata } as const;
  const rendition = await renderer.render(job, deadlineMs);
  if (rendition.outcome !== 'stored') throw new Error(`A card was not rendered: ${rendition.outcome}`);
  return {
    location: publicUrl(delivery, path),
    widthPx,
    heightPx,
    source,
    attribution: { providerName: 'Image Redirect', license: { id: 'cc0-1.0', name: 'CC0 1.0' }, creditLine },
    fallback: 'gone',
    alt: creditLine,
    color,
    pick,
  };
}
