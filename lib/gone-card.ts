/** The card that the image distribution answers with where a file is gone: an image tag shows it. */

import { createHash } from 'node:crypto';
import { errorCard } from '../lambda/http/error-card';

/** SVG of 600 x 400. */
export const goneCard = errorCard({
  widthPx: 600,
  heightPx: 400,
  status: 404,
  title: 'Image not found',
  detail: 'There is no image at this address any more.',
  code: 'not_found',
});

/** Path below the image distribution, and in the image bucket. */
export function goneCardPath(): string {
  return `public/gone-${createHash('sha256').update(goneCard).digest('hex').slice(0, 16)}.svg`;
}
