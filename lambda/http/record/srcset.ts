/** The URLs of one image at the usual widths, for the attribute `srcset`. */

import { sidePx, usualWidthsPx } from '../../contract/request-bounds';
import { routes } from '../../contract/routes';
import type { Size } from '../../domain/image/image';
import type { ImageRequest } from '../../domain/request/image-request';
import { requestQuery } from '../../domain/request/request-query';

/** How many times the requested width is the largest one, for dense screens. */
const densityMax = 2;

/** URL of a request without a credential: the service answers it for every caller. */
export function requestUrl(rootUrl: string, request: ImageRequest): string {
  return `${rootUrl}${routes.image}?${requestQuery(request)}`;
}

/** The requested width and the usual ones up to twice of it, each with the height that keeps the ratio. */
export function srcsetOf(rootUrl: string, request: ImageRequest): string {
  return sizesOf(request)
    .map((size) => `${requestUrl(rootUrl, { ...request, ...size })} ${size.widthPx}w`)
    .join(', ');
}

function sizesOf({ widthPx, heightPx }: Size): readonly Size[] {
  const widths = new Set([...usualWidthsPx.filter((width) => width <= densityMax * widthPx), widthPx]);
  const sizes = [...widths]
    .sort((a, b) => a - b)
    .map((width) => ({ widthPx: width, heightPx: Math.round((width * heightPx) / widthPx) }));
  return sizes.filter((size) =>
    [size.widthPx, size.heightPx].every((px) => px >= sidePx.min && px <= sidePx.max),
  );
}
