/** Makes the placeholder of an image: its average colour and a tiny WebP. */

import sharp, { type Sharp } from 'sharp';
import type { Placeholder } from '../image';

/** The longer side of the tiny WebP, in pixels: with its header it is some 100 bytes, which fits into a page. */
const longerSidePx = 16;
/** Longer side of the image that the colour is averaged over, in pixels: unpacked once for both. */
const averagedSidePx = 64;

/** @throws when the image cannot be read */
export async function placeholderOf(image: Sharp): Promise<Placeholder> {
  const { data, info } = await image
    .resize({ width: averagedSidePx, height: averagedSidePx, fit: 'inside' })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const small = await sharp(data, { raw: { width, height, channels } })
    .resize({ width: longerSidePx, height: longerSidePx, fit: 'inside' })
    .webp({ quality: 30, effort: 6 })
    .toBuffer();
  return { color: averageOf(data), dataUri: `data:image/webp;base64,${small.toString('base64')}` };
}

/** @param rgb three bytes a pixel */
function averageOf(rgb: Uint8Array): string {
  const sums = [0, 0, 0];
  for (const [i, value] of rgb.entries()) sums[i % 3] = (sums[i % 3] ?? 0) + value;
  const pixels = rgb.length / 3;
  const hex = (sum: number) =>
    Math.round(sum / pixels)
      .toString(16)
      .padStart(2, '0');
  return `#${sums.map(hex).join('')}`;
}
