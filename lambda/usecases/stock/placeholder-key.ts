/** The item that holds the placeholder of an image, where it is made after the image was found. */

import { pickKeptMs } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import type { Size } from '../../domain/image/image';

/** Longer side of the small image that a placeholder is made from, in pixels. */
const smallSidePx = 64;

/** The size of the small image that has the ratio of a size. */
export function smallSizeOf({ widthPx, heightPx }: Size): Size {
  const scale = smallSidePx / Math.max(widthPx, heightPx);
  const side = (px: number) => Math.max(1, Math.round(px * scale));
  return { widthPx: side(widthPx), heightPx: side(heightPx) };
}

/**
 * Key in the lookup cache: all sizes of about the same ratio share it.
 * @param pick public id of the image
 */
export function placeholderKey(pick: string, size: Size, crop: Crop = 'attention'): string {
  const { widthPx, heightPx } = smallSizeOf(size);
  return `PLACEHOLDER#${pick}#${widthPx}x${heightPx}#${crop}`;
}

/** How long it is kept, in milliseconds. */
export const placeholderKeptMs = pickKeptMs;
