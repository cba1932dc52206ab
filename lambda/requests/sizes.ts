/** The sizes of an image: the nearest valid one of a request, and those that a signed `upto` allows. */

import { nearestSidePx, readSize, type Size, sizesBelow } from '../../packages/client/src/image-size';
import { sidePx, uptoWidthsPx } from '../contract/request-bounds';

interface SideTexts {
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/**
 * Derives or checks the height of a request with `upto`, or says which parameter is at fault. A stated height
 * may be one pixel off, as pages round differently.
 */
export function readHeightBelow(
  upto: string,
  { width = '', height }: SideTexts,
):
  | { readonly height: string }
  | { readonly parameter: 'upto' | 'width' | 'height'; readonly bounds: string } {
  const sizes = sizesBelow(readSize(upto));
  if (sizes.length === 0) {
    const range = `a height from ${sidePx.min} to ${sidePx.max}`;
    const bounds = `a size that holds one of the widths ${uptoWidthsPx.join(', ')} with ${range}`;
    return { parameter: 'upto', bounds };
  }
  const size = sizes.find(({ widthPx }) => /^\d+$/.test(width) && widthPx === Number(width));
  if (!size) {
    const widths = sizes.map(({ widthPx }) => widthPx).join(', ');
    return { parameter: 'width', bounds: `with upto=${upto}, required: one of ${widths}` };
  }
  const { heightPx } = size;
  if (height === undefined) return { height: String(heightPx) };
  if (/^\d+$/.test(height) && Math.abs(Number(height) - heightPx) <= 1) return { height };
  const bounds = `with upto=${upto} and width=${width}, ${heightPx} or one pixel more or less`;
  return { parameter: 'height', bounds };
}

/**
 * Computes the nearest valid size to that of a request. Its ratio is that of both sides, else that of `upto`,
 * else the default one, as far as the bounds allow.
 */
export function nearestServedSize({
  width,
  height,
  upto = '',
}: SideTexts & { readonly upto?: string | undefined }): Size {
  const widthPx = readPixels(width);
  const heightPx = readPixels(height);
  if (widthPx !== undefined && heightPx !== undefined) return scaleIntoBounds({ widthPx, heightPx });
  const [uptoWidthPx, uptoHeightPx] = upto.split('x').map(readPixels);
  const isUpto = uptoWidthPx !== undefined && uptoHeightPx !== undefined;
  const usualWidthPx = isUpto ? uptoWidthPx : sidePx.defaultWidth;
  const ratio = isUpto ? uptoWidthPx / uptoHeightPx : sidePx.defaultWidth / sidePx.defaultHeight;
  if (heightPx !== undefined) {
    const nearestHeightPx = nearestSidePx(heightPx);
    return { widthPx: nearestSidePx(nearestHeightPx * ratio), heightPx: nearestHeightPx };
  }
  const nearestWidthPx = nearestSidePx(widthPx ?? usualWidthPx);
  return { widthPx: nearestWidthPx, heightPx: nearestSidePx(nearestWidthPx / ratio) };
}

/** Scales a size until both sides are within the bounds of an image, as far as its ratio allows. */
function scaleIntoBounds({ widthPx, heightPx }: Size): Size {
  const growth = sidePx.min / Math.min(widthPx, heightPx);
  const scale = growth > 1 ? growth : Math.min(1, sidePx.max / Math.max(widthPx, heightPx));
  return { widthPx: nearestSidePx(widthPx * scale), heightPx: nearestSidePx(heightPx * scale) };
}

/** Reads a side as a number of pixels, in bounds or not; `undefined` for any other text. */
export function readPixels(text = ''): number | undefined {
  const px = /^\d+$/.test(text) ? Math.min(Number(text), 1e9) : 0;
  return px > 0 ? px : undefined;
}
