/** Makes the placeholder of an image: its average colour, a tiny WebP and a ThumbHash. */

import { decode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Size } from '../../requests/rendition';
import type { Placeholder } from '../image';

/** The longer side of the tiny WebP, in pixels: with its header it is some 100 bytes, which fits into a page. */
const longerSidePx = 16;
/** A ThumbHash holds no detail that a larger image would add to. */
const hashedSidePx = 64;
/** Pixels a side that a BlurHash is decoded to: it holds nine waves a side at most. */
const decodedSidePx = 32;

/** @throws when the image cannot be read */
export async function placeholderOf(image: Sharp): Promise<Placeholder> {
  // At most 64 pixels a side, so that the two small images cost nothing beside unpacking the large one once.
  const { data, info } = await image
    .resize({ width: hashedSidePx, height: hashedSidePx, fit: 'inside' })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const small = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ width: longerSidePx, height: longerSidePx, fit: 'inside' })
    .webp({ quality: 30, effort: 6 })
    .toBuffer();
  return {
    color: averageOf(data),
    dataUri: `data:image/webp;base64,${small.toString('base64')}`,
    thumbhash: Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64'),
  };
}

/** @throws when the text is no BlurHash */
export async function placeholderOfBlurHash(blurHash: string, ratio: Size): Promise<Placeholder> {
  const pixels = decode(blurHash, decodedSidePx, decodedSidePx);
  const raw = { width: decodedSidePx, height: decodedSidePx, channels: 4 } as const;
  const scale = hashedSidePx / Math.max(ratio.widthPx, ratio.heightPx);
  const side = (px: number) => Math.max(1, Math.round(px * scale));
  const shaped = await sharp(pixels, { raw })
    .resize({ width: side(ratio.widthPx), height: side(ratio.heightPx), fit: 'fill' })
    .png()
    .toBuffer();
  return placeholderOf(sharp(shaped));
}

/** @param rgba opaque pixels */
function averageOf(rgba: Uint8Array): string {
  const sums = [0, 0, 0];
  for (let i = 0; i < rgba.length; i += 4)
    for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (rgba[i + channel] ?? 0);
  const pixels = rgba.length / 4;
  return `#${sums
    .map((sum) =>
      Math.round(sum / pixels)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
