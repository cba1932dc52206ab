/** Shows an image from its record as a page should: with something in its place at once, and larger sizes for dense screens. */

import type { ImageRecord } from './fetch-record';

/** The widths of a record's `srcset`, in pixels, ascending. */
const usualWidthsPx = (document.documentElement.dataset['widths'] ?? '').split(' ').map(Number);

/** Fills the place of an image until it is loaded. */
export function showPlaceholder(image: HTMLImageElement, { placeholder, color }: ImageRecord): void {
  if (color) image.style.backgroundColor = color;
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
}

/** The usual width that fills a space on this screen, in pixels. */
export function widthFor(shownPx: number): number {
  const neededPx = shownPx * devicePixelRatio;
  return usualWidthsPx.find((width) => width >= neededPx) ?? usualWidthsPx.at(-1) ?? neededPx;
}

/**
 * Shows the image of a record where it takes `shownPx` CSS pixels. The candidate of its own width is the URL that the
 * record was charged for, so that only a window that becomes larger causes another request.
 */
export function showResponsive(
  image: HTMLImageElement,
  { url, width, srcset }: ImageRecord,
  shownPx: number,
): void {
  const candidates = (srcset ?? '').split(', ').filter((each) => widthOf(each) > width);
  image.sizes = `${Math.ceil(shownPx)}px`;
  image.srcset = [`${url} ${width}w`, ...candidates].join(', ');
  image.src = url;
}

/** Width of a candidate, `0` where it names none. */
function widthOf(candidate: string): number {
  return Number(/ (\d+)w$/.exec(candidate)?.[1] ?? 0);
}
