/** Computes sizes: the nearest valid one of a request, and those that a signed `upto` allows. */

import { sidePx, uptoWidthsPx } from '../contract/request-bounds';
import { isWithinBounds, nearestSidePx, type Size } from './rendition';

/** Reads the sides of a valid `upto`. */
export function readUpto(upto: string): Size {
  const [widthPx = 0, heightPx = 0] = upto.split('x').map(Number);
  return { widthPx, heightPx };
}

/** Computes the height at a width, in the ratio of `upto`. */
export function heightBelow(upto: Size, widthPx: number): number {
  return Math.round((widthPx * upto.heightPx) / upto.widthPx);
}

/** Lists the sizes that may be requested below `upto`: the listed widths in its ratio, the smallest first. */
export function sizesBelow(upto: Size): readonly Size[] {
  return uptoWidthsPx
    .map((widthPx) => ({ widthPx, heightPx: heightBelow(upto, widthPx) }))
    .filter((size) => size.widthPx <= upto.widthPx && isWithinBounds(size));
}

interface SideTexts {
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/**
 * Derives or checks the height of a request with `upto`. A given one may be one pixel off, as pages round
 * differently. @returns the height, or the faulty parameter with its bounds
 */
export function heightFor(
  upto: string,
  { width = '', height }: SideTexts,
):
  | { readonly height: string }
  | { readonly parameter: 'upto' | 'width' | 'height'; readonly bounds: string } {
  const sizes = sizesBelow(readUpto(upto));
  const range = `a height from ${sidePx.min} to ${sidePx.max}`;
  if (sizes.length === 0)
    return {
      parameter: 'upto',
      bounds: `a size that holds one of the widths ${uptoWidthsPx.join(', ')} with ${range}`,
    };
  const size = sizes.find(({ widthPx }) => /^\d+$/.test(width) && widthPx === Number(width));
  const widths = sizes.map(({ widthPx }) => widthPx).join(', ');
  if (!size) return { parameter: 'width', bounds: `with upto=${upto}, required: one of ${widths}` };
  const { heightPx } = size;
  if (height === undefined) return { height: String(heightPx) };
  if (/^\d+$/.test(height) && Math.abs(Number(height) - heightPx) <= 1) return { height };
  const bounds = `with upto=${upto} and width=${width}, ${heightPx} or one pixel more or less`;
  return { parameter: 'height', bounds };
}

/** Computes the nearest valid size, in the requested ratio if the bounds allow, else in the default one. */
export function nearestServedSize({ width, height }: SideTexts): Size {
  const wantedWidthPx = pixelsIn(width);
  const wantedHeightPx = pixelsIn(height);
  if (wantedWidthPx === undefined || wantedHeightPx === undefined) {
    const ratio = sidePx.defaultWidth / sidePx.defaultHeight;
    const widthForHeightPx =
      wantedHeightPx === undefined ? sidePx.defaultWidth : nearestSidePx(wantedHeightPx) * ratio;
    const widthPx = nearestSidePx(wantedWidthPx ?? widthForHeightPx);
    return { widthPx, heightPx: nearestSidePx(wantedHeightPx ?? widthPx / ratio) };
  }
  const growth = sidePx.min / Math.min(wantedWidthPx, wantedHeightPx);
  const scale = growth > 1 ? growth : Math.min(1, sidePx.max / Math.max(wantedWidthPx, wantedHeightPx));
  return { widthPx: nearestSidePx(wantedWidthPx * scale), heightPx: nearestSidePx(wantedHeightPx * scale) };
}

/** Reads a side as a number of pixels, in bounds or not; `undefined` for any other text. */
export function pixelsIn(text = ''): number | undefined {
  const px = /^\d+$/.test(text) ? Math.min(Number(text), 1e9) : 0;
  return px > 0 ? px : undefined;
}
