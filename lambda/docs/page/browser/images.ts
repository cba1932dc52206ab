/** Records of images: fetched from the service, and shown as a page should, with something in the place of an image at once. */

import type { Attribution, ImageRecord, Problem } from '../../../../packages/client/src/service';
import { isWebUrl, link } from './elements';
import { withParameters } from './snippets';

/** The record of an image, or the problem in place of it. */
export type RecordResponse = { readonly status: number; readonly headers: Headers } & (
  | { readonly ok: true; readonly record: ImageRecord }
  | { readonly ok: false; readonly problem: Problem }
);

/** Path prefix of the stage under which the page is served. */
export const prefix = document.documentElement.dataset['prefix'] ?? '';

/**
 * @param url URL of a request for an image; the key is sent as a header only
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function fetchRecord(url: string, key = ''): Promise<RecordResponse> {
  const response = await fetch(withParameters(url, [['format', 'json']]), {
    headers: { Accept: 'application/json, image/webp', ...(key === '' ? {} : { 'X-API-Key': key }) },
    referrerPolicy: 'no-referrer',
  });
  const { status, headers } = response;
  const body: unknown = await response.json();
  return response.ok
    ? { ok: true, status, headers, record: body as ImageRecord }
    : { ok: false, status, headers, problem: body as Problem };
}

/** A record or a problem for each slot, or the problem of the whole batch. */
export type BatchResponse =
  | { readonly ok: true; readonly images: Readonly<Record<string, ImageRecord | Problem>> }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The records of several images in one call, by slot.
 * @param key API key, without which a batch is refused; sent as a header only
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function fetchBatch(images: readonly object[], key: string): Promise<BatchResponse> {
  const response = await fetch(`${prefix}/api/images`, {
    method: 'POST',
    headers: { Accept: 'application/json, image/webp', 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ images }),
    referrerPolicy: 'no-referrer',
  });
  const body: unknown = await response.json();
  return response.ok
    ? { ok: true, images: (body as { images: Record<string, ImageRecord | Problem> }).images }
    : { ok: false, problem: body as Problem };
}

/** The credit line, linked to the page of the image where there is one. */
export function creditOf({ creditLine, landingUrl }: Attribution): HTMLAnchorElement | string {
  return isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine;
}

/** The widths of a record's `srcset`, in pixels, ascending. */
const usualWidthsPx = (document.documentElement.dataset['widths'] ?? '').split(' ').map(Number);

/** Fills the place of an image until it is loaded. */
export function showPlaceholder(image: HTMLImageElement, { placeholder, color }: ImageRecord): void {
  if (color) image.style.backgroundColor = color;
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
}

/** The usual width that fills a space on this screen, in pixels. */
function widthFor(shownPx: number): number {
  const neededPx = shownPx * devicePixelRatio;
  return usualWidthsPx.find((width) => width >= neededPx) ?? usualWidthsPx.at(-1) ?? neededPx;
}

/**
 * Shows the image of a record where it takes `shownPx` CSS pixels. The candidate of its own width is the URL that the
 * record was charged for, so that only a window that becomes larger causes another request.
 */
function showResponsive(image: HTMLImageElement, { url, width, srcset }: ImageRecord, shownPx: number): void {
  const candidates = (srcset ?? '').split(', ').filter((each) => widthOf(each) > width);
  image.sizes = `${Math.ceil(shownPx)}px`;
  image.srcset = [`${url} ${width}w`, ...candidates].join(', ');
  image.src = url;
}

/** Width of a candidate, `0` where it names none. */
function widthOf(candidate: string): number {
  return Number(/ (\d+)w$/.exec(candidate)?.[1] ?? 0);
}

/** Loads each `data-live` image once it comes into view. */
export function loadLiveImages(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
        observer.unobserve(target);
        void load(target);
      }
    },
    { rootMargin: '120px' },
  );
  for (const image of document.querySelectorAll('img[data-live]')) observer.observe(image);
}

/** One request for each image, in the size that fills its place: every size of the words is the same image. */
async function load(image: HTMLImageElement): Promise<void> {
  const caption = image.parentElement?.querySelector('figcaption');
  const live = image.dataset['live'] ?? '';
  const shownPx = image.clientWidth;
  const width = widthFor(shownPx);
  const [widthPx, heightPx] = [image.getAttribute('width'), image.getAttribute('height')].map(Number);
  const size = `${width}x${Math.round((width * (heightPx ?? 0)) / (widthPx ?? 1))}`;
  try {
    const response = await fetchRecord(prefix + live.replace(/\d{1,5}x\d{1,5}/, size));
    if (response.ok) {
      showPlaceholder(image, response.record);
      showResponsive(image, response.record, shownPx);
    } else {
      // The URL shows an error card with the reason, which is free of charge.
      image.src = prefix + live;
    }
    caption?.replaceChildren(response.ok ? creditOf(response.record.attribution) : response.problem.detail);
  } catch {
    caption?.replaceChildren('The image could not be loaded: the service is not reachable.');
  }
}
