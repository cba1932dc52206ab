/** The sizes of an image: the nearest valid size of a request, and the sizes that a signed `upto` allows. */

import { findNearestSidePx, listSizes, parseSize, type Size } from '../../packages/client/src/image-size';
import { sidePx, uptoWidthsPx } from '../contract/request-bounds';

interface SideTexts {
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/**
 * Computes the height of a request with `upto`, or says which parameter is at fault. If the request has a
 * height, it may be one pixel more or less, because pages round differently.
 */
export function computeHeightBelow(
  upto: string,
  { width = '', height }: SideTexts,
):
  | { readonly height: string }
  | { readonly parameter: 'upto' | 'width' | 'height'; readonly bounds: string } {
  const sizes = listSizes(parseSize(upto));
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
 * Finds the valid size that is nearest to the size of a request. It keeps the ratio of both sides if the
 * bounds allow. When a side is missing, the ratio is taken from `upto`, or else from the default size.
 */
export function findNearestServedSize({
  width,
  height,
  upto = '',
}: SideTexts & { readonly upto?: string | undefined }): Size {
  const widthPx = parsePixels(width);
  const heightPx = parsePixels(height);
  if (widthPx !== undefined && heightPx !== undefined) return scaleIntoBounds({ widthPx, heightPx });
  const [uptoWidthPx, uptoHeightPx] = upto.split('x').map(parsePixels);
  const hasUpto = uptoWidthPx !== undefined && uptoHeightPx !== undefined;
  const usualWidthPx = hasUpto ? uptoWidthPx : sidePx.defaultWidth;
  const ratio = hasUpto ? uptoWidthPx / uptoHeightPx : sidePx.defaultWidth / sidePx.defaultHeight;
  if (heightPx !== undefined) {
    const nearestHeightPx = findNearestSidePx(heightPx);
    return { widthPx: findNearestSidePx(nearestHeightPx * ratio), heightPx: nearestHeightPx };
  }
  const nearestWidthPx = findNearestSidePx(widthPx ?? usualWidthPx);
  return { widthPx: nearestWidthPx, heightPx: findNearestSidePx(nearestWidthPx / ratio) };
}

/** Scales a size into the bounds of an image. An extreme ratio changes, because both sides have bounds. */
function scaleIntoBounds({ widthPx, heightPx }: Size): Size {
  const growth = sidePx.min / Math.min(widthPx, heightPx);
  const scale = growth > 1 ? growth : Math.min(1, sidePx.max / Math.max(widthPx, heightPx));
  return { widthPx: findNearestSidePx(widthPx * scale), heightPx: findNearestSidePx(heightPx * scale) };
}

/** Parses a side as a number of pixels. The number may be out of bounds. Another text gives `undefined`. */
export function parsePixels(text = ''): number | undefined {
  const px = /^\d+$/.test(text) ? Math.min(Number(text), 1e9) : 0;
  return px > 0 ? px : undefined;
}
