/** Judges the URL of an image without loading it: a placeholder, a stock photo, or an image of the owner. */

import type { Size } from '../image-size';
import { extractWords } from './meaningful-text';
import { findService, type PlaceholderService } from './placeholder-services';

/** What the characters of a URL say about its image. */
export interface JudgedUrl {
  /** `template`: a program completes the URL. `owner`: on the page's own host. `unknown`: on another host. */
  readonly reason: 'placeholder' | 'invented' | 'stock' | 'template' | 'owner' | 'unknown';
  /** Words of the URL that say what the image shows; empty for none, absent if it is no placeholder. */
  readonly words?: string;
  readonly size?: Size | undefined;
  readonly service?: PlaceholderService;
}

const isServiceUrl = (url: string): boolean => /\/api\/image(?:[/?]|$)/.test(url);

/** The groups are the host without `www.` and port, the path, and the query with its question mark. */
const absoluteUrl = /^(?:https?:)?\/\/(?:www\.)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?(\?[^#]*)?/i;
const relativeUrl = /^()(?![a-z][a-z\d+.-]*:|#)([^?#]*)(\?[^#]*)?/i;

/** Marks of template languages. Percent encodings (`%E3%82`), `@2x` and lower case in brackets are none. */
const templateMark =
  /[{}`<>$]|@(?!\d)|\[[A-Z][A-Z\d_ -]*\]|%[A-Z][A-Z\d_]{2,}%|%[sd](?![\da-f])|%7[Bb]%7[Bb]|%24%7[Bb]|%3[Cc]%25|__[A-Z][A-Z_]*__/;

/** Ids with `photo-` that no photo of Unsplash has. Other ids (`reserve/…`) may have any form. */
const inventedPhoto = /^images\.unsplash\.com\/photo-(?!\d{10,13}-[\da-f]{12}(?![\da-z]))/i;
const stockPhoto =
  /^(?:images|plus)\.unsplash\.com\/.|^images\.pexels\.com\/photos\/|^cdn\.pixabay\.com\/photo\//;

/** Judges a decoded URL. @param replaceStock judges photos that may be real as `stock` */
export function judgeUrl(url: string, replaceStock = false): JudgedUrl {
  const text = url.trim();
  if (/^(?:#.*|data:.*)?$/is.test(text)) return { reason: 'owner' };
  if (templateMark.test(text)) return { reason: 'template' };
  const parts = absoluteUrl.exec(text) ?? relativeUrl.exec(text);
  const [, writtenHost = '', path = '', query = ''] = parts ?? [];
  const host = writtenHost.toLowerCase();
  // The address of the service itself is no image.
  const isImage = parts && (host === '' || !/^\/?$/.test(path) || query !== '');
  const service = isImage ? findService(host) : undefined;
  const match = service?.path.exec(path);
  if (service && match) {
    const { w, h = w, words = '' } = match.groups ?? {};
    const queryWords = (service.query ?? /[?&]text=(?<words>[^&#]*)/i).exec(path + query)?.groups?.['words'];
    const size = makeSize(w, h) ?? parseQuerySize(query);
    return { reason: 'placeholder', words: decodeWords(queryWords ?? words), size, service };
  }
  const size = parseQuerySize(query);
  if (inventedPhoto.test(host + path)) return { reason: 'invented', size };
  if (replaceStock && stockPhoto.test(host + path)) return { reason: 'stock', size };
  return { reason: (parts && host === '') || isServiceUrl(text) ? 'owner' : 'unknown' };
}

/** Judges all URLs of one place together. It is replaced only if each of them is. */
export function judgeAllUrls(urls: readonly string[], replaceStock = false): JudgedUrl {
  const judgedUrls = urls.map((url) => judgeUrl(url, replaceStock));
  const judgeFirst = (reason: JudgedUrl['reason']) => judgedUrls.find((url) => url.reason === reason);
  const keptUrl = judgeFirst('template') ?? judgeFirst('owner') ?? judgeFirst('unknown');
  return keptUrl ?? judgedUrls[0] ?? { reason: 'unknown' };
}

const parseQuerySize = (query: string): Size | undefined =>
  makeSize(/[?&](?:width|w)=(\d+)/.exec(query)?.[1], /[?&](?:height|h)=(\d+)/.exec(query)?.[1]);

function makeSize(width: string | undefined, height: string | undefined): Size | undefined {
  const [widthPx, heightPx] = [parsePx(width), parsePx(height)];
  return widthPx && heightPx ? { widthPx, heightPx } : undefined;
}

/** Reads a number of pixels at the beginning of a text; `undefined` if it is not from 1 to 10,000. */
export function parsePx(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 1 && value <= 10_000 ? value : undefined;
}

function decodeWords(part: string): string {
  // `URLSearchParams` leaves `50% off` as it is; `decodeURIComponent` would throw.
  const text = new URLSearchParams(`words=${part.replaceAll('&', '%26')}`).get('words') ?? '';
  const words = text.split(/(?:\\n|[-_,;|\\/\s])+/).filter((word) => word !== '' && !/\d/.test(word));
  return extractWords(words.join(' '));
}

/** Parses the pick of a URL of the service; `undefined` for other URLs. */
export const parsePick = (url: string): string | undefined =>
  isServiceUrl(url) ? /[?&](?:amp;)?pick=([\da-f]{20})(?![\da-z])/.exec(url)?.[1] : undefined;
