/** Records of images: fetched from the service, and shown as a page should, with something in the place of an image at once. */

import type { Attribution, ImageRecord, Problem } from '../../../../packages/client/src/service';
import { isWebUrl, link } from './elements';
import { withParameters } from './snippets';

/** An answer of the service: what was asked for, or the problem in place of it. */
export type Answer<T> = { readonly status: number; readonly headers: Headers } & (
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly problem: Problem }
);

/** Path prefix of the stage under which the page is served. */
export const prefix = document.documentElement.dataset['prefix'] ?? '';

/**
 * Requests JSON of the service.
 * @param path without the prefix of the stage
 * @param key sent as a header only; none where it is empty
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function ask<T>(
  path: string,
  key: string,
  { method = 'GET', body }: { readonly method?: 'GET' | 'POST' | 'DELETE'; readonly body?: object } = {},
): Promise<Answer<T>> {
  const response = await fetch(prefix + path, {
    method,
    headers: {
      Accept: 'application/json, image/webp',
      ...(key !== '' && { 'X-API-Key': key }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    referrerPolicy: 'no-referrer',
  });
  const { ok, status, headers } = response;
  const answer: unknown = await response.json();
  return ok
    ? { ok, status, headers, body: answer as T }
    : { ok, status, headers, problem: answer as Problem };
}

/** The record of an image. @param path of a request for it, as `urlOf` builds it without a root */
export const fetchRecord = (path: string, key = ''): Promise<Answer<ImageRecord>> =>
  ask(withParameters(path, [['format', 'json']]), key);

/** The credit line, linked to the page of the image where there is one. */
export function creditOf({ creditLine, landingUrl }: Attribution): HTMLAnchorElement | string {
  return isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine;
}

/** The widths of a record's `srcset`, in pixels, ascending. */
const usualWidthsPx = (document.documentElement.dataset['widths'] ?? '').split(' ').map(Number);

/** Fills the place of an image until it is loaded. */
export function showPlaceholder(image: HTMLImageElement, { placeholder, color }: ImageRecord): void {
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
  else if (color) image.style.backgroundColor = color;
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
    const response = await fetchRecord(live.replace(/\d{1,5}x\d{1,5}/, size));
    if (response.ok) {
      showPlaceholder(image, response.body);
      showResponsive(image, response.body, shownPx);
    } else {
      // The URL shows an error card with the reason, which is free of charge.
      image.src = prefix + live;
    }
    caption?.replaceChildren(response.ok ? creditOf(response.body.attribution) : response.problem.detail);
  } catch {
    caption?.replaceChildren('The image could not be loaded: the service is not reachable.');
  }
}
