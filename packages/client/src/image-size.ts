/** Computes the sizes of images that the service accepts. */

import { sidePx, uptoWidthsPx } from './service';

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

export const defaultSize: Size = { widthPx: sidePx.defaultWidth, heightPx: sidePx.defaultHeight };

export const findNearestSidePx = (px: number): number =>
  Math.min(sidePx.max, Math.max(sidePx.min, Math.round(px)));

/** Reads `1920x1080`, or a ratio as a text or number. Other texts give a size that no image has. */
export function parseSize(text: string | number): Size {
  const [widthPx = 0, heightPx = 1] = String(text).split(/[:/x]/).map(Number);
  return { widthPx, heightPx };
}

export const computeHeight = ({ widthPx, heightPx }: Size, otherWidthPx: number): number =>
  // Multiplies first, so that a whole number stays one.
  Math.round((otherWidthPx * heightPx) / widthPx);

/** Lists the sizes that a signature with `upto` allows, the smallest first. All have the ratio of `upto`. */
export const listSizes = (upto: Size): readonly Size[] =>
  uptoWidthsPx
    .map((widthPx) => ({ widthPx, heightPx: computeHeight(upto, widthPx) }))
    .filter(({ widthPx, heightPx }) => widthPx <= upto.widthPx && heightPx === findNearestSidePx(heightPx));

/** Finds the accepted size of a ratio that is nearest to a width. @throws `RangeError` beyond 40:1 or 1:40 */
export function findNearestSize(wantedWidthPx: number, ratio: Size): Size {
  const { widthPx, heightPx } = ratio;
  if (!(widthPx > 0 && heightPx > 0 && widthPx <= 40 * heightPx && heightPx <= 40 * widthPx))
    throw new RangeError('ratio must be from 1:40 to 40:1');
  const leastPx = Math.max(sidePx.min, Math.ceil((sidePx.min * widthPx) / heightPx));
  const mostPx = Math.min(sidePx.max, Math.floor((sidePx.max * widthPx) / heightPx));
  const nearestWidthPx = Math.max(leastPx, Math.min(mostPx, Math.round(wantedWidthPx)));
  return { widthPx: nearestWidthPx, heightPx: findNearestSidePx(computeHeight(ratio, nearestWidthPx)) };
}
