/** The size of a request whose URL was signed with `upto`: one of a closed list of widths, with the ratio that was signed. */

import { sidePx, uptoWidthsPx } from '../contract/request-bounds';
import type { ParameterFault } from '../problems/problem';
import type { Size } from './rendition';

/** The sides of a text that the schema accepts as `upto`. */
export function readUpto(upto: string): Size {
  const [widthPx = 0, heightPx = 0] = upto.split('x').map(Number);
  return { widthPx, heightPx };
}

/** The height that keeps the ratio at a width. */
export function heightBelow(upto: Size, widthPx: number): number {
  return Math.round((widthPx * upto.heightPx) / upto.widthPx);
}

/**
 * The sides of a request as text, the height derived when it is absent; or what is wrong with them. A height may be one
 * pixel off, as pages round in their own ways.
 */
export function sizeBelow(
  signed: string,
  { width, height }: { readonly width?: string | undefined; readonly height?: string | undefined },
): { readonly width: string; readonly height: string } | ParameterFault {
  const upto = readUpto(signed);
  const widths: readonly number[] = uptoWidthsPx.filter(
    (each) => each <= upto.widthPx && isSide(heightBelow(upto, each)),
  );
  if (widths.length === 0)
    return {
      parameter: 'upto',
      bounds: `a size that holds one of the widths ${uptoWidthsPx.join(', ')} with a height from ${sidePx.min} to ${sidePx.max}`,
    };
  const widthPx = Number(width);
  if (width === undefined || !/^\d+$/.test(width) || !widths.includes(widthPx))
    return { parameter: 'width', bounds: `with upto=${signed}, required: one of ${widths.join(', ')}` };
  const derived = heightBelow(upto, widthPx);
  if (height === undefined) return { width, height: String(derived) };
  if (!/^\d+$/.test(height) || Math.abs(Number(height) - derived) > 1)
    return {
      parameter: 'height',
      bounds: `with upto=${signed} and width=${width}, ${derived} or one pixel more or less`,
    };
  return { width, height };
}

function isSide(px: number): boolean {
  return px >= sidePx.min && px <= sidePx.max;
}
