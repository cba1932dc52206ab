/** Sizes that the service accepts: the nearest to a wanted width that keeps the ratio within the bounds of both sides. */

import { sidePxMax as max, sidePxMin as min, pageWidths } from './service';

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `3:2`, `16/9`, or width divided by height. */
export type Ratio = number | `${number}:${number}` | `${number}/${number}`;

const clamp = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));

/** @throws `RangeError` for a ratio that no accepted size has: beyond 40:1 or 1:40 */
export function nearestSize(width: number, { width: w, height: h }: Size): Size {
  if (!(w > 0 && h > 0 && w <= 40 * h && h <= 40 * w))
    throw new RangeError('ratio must be from 1:40 to 40:1');
  // Multiplied first, so that a whole number stays one.
  const near = clamp(
    Math.max(min, Math.ceil((min * w) / h)),
    Math.round(width),
    Math.min(max, Math.floor((max * w) / h)),
  );
  return { width: near, height: clamp(min, Math.round((near * h) / w), max) };
}

/**
 * The smallest width that a signature for sizes up to `upto` allows and that is not below the wanted one, else the
 * largest.
 * @throws `RangeError` when it allows none
 */
export function signedWidth(width: number, upto: Size): number {
  const allowed = pageWidths.filter(
    (w) => w <= upto.width && Math.round((w * upto.height) / upto.width) >= min,
  );
  const nearest = allowed.find((w) => w >= width) ?? allowed.at(-1);
  if (!nearest || upto.width > max || upto.height > max) throw new RangeError('upto is out of bounds');
  return nearest;
}

/** A ratio, or `1920x1080`, as a size; what is neither has sides that `nearestSize` and `signedWidth` refuse. */
export function readSize(text: string | number): Size {
  const [width = 0, height = 1] = String(text).split(/[:/x]/).map(Number);
  return { width, height };
}
