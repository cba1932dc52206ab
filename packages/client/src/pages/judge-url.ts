/** Judges the URL of an image by its characters alone: a placeholder, a stock photo, or its owner's. */

import type { Size } from '../image-size';
import { findService, type PlaceholderService } from './placeholder-services';

/** The judgement of a URL, and its hints at the image that belongs in its place. */
export interface JudgedUrl {
  /** `template`: a program completes it. `owner`: of the page's own site. `unknown`: of another host. */
  readonly reason: 'placeholder' | 'invented' | 'stock' | 'template' | 'owner' | 'unknown';
  readonly words?: string;
  /** The size that the URL states, in pixels. */
  readonly size?: Size | undefined;
  readonly service?: PlaceholderService;
}

/** Whether a URL is one of a service like ours. */
export const isOfService = (url: string): boolean => /\/api\/image(?:[/?]|$)/.test(url);

/** Host without `www.` and port, path, and query with its question mark. */
const absolute = /^(?:https?:)?\/\/(?:www\.)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?(\?[^#]*)?/i;
const ofOwnHost = /^()(?![a-z][a-z\d+.-]*:|#)([^?#]*)(\?[^#]*)?/i;

/** Marks of template languages, unlike percent encodings (`%E3%82`), `@2x` and lower case in brackets. */
const expression =
  /[{}`<>$]|@(?!\d)|\[[A-Z][A-Z\d_ -]*\]|%[A-Z][A-Z\d_]{2,}%|%[sd](?![\da-f])|%7[Bb]%7[Bb]|%24%7[Bb]|%3[Cc]%25|__[A-Z][A-Z_]*__/;

/** Unsplash ids that no photo has: those with `photo-` in another form. Others (`reserve/…`) have any. */
const inventedPhoto = /^images\.unsplash\.com\/photo-(?!\d{10,13}-[\da-f]{12}(?![\da-z]))/i;
const stockPhoto =
  /^(?:images|plus)\.unsplash\.com\/.|^images\.pexels\.com\/photos\/|^cdn\.pixabay\.com\/photo\//;

/** Judges a decoded URL. @param replaceStock whether photos that may be real are `stock` */
export function judgeUrl(url: string, replaceStock = false): JudgedUrl {
  const text = url.trim();
  if (/^(?:#.*|data:.*)?$/is.test(text)) return { reason: 'owner' };
  if (expression.test(text)) return { reason: 'template' };
  const parts = absolute.exec(text) ?? ofOwnHost.exec(text);
  const [, writtenHost = '', path = '', query = ''] = parts ?? [];
  const host = writtenHost.toLowerCase();
  // The address of the service itself is no image.
  const isImage = parts && (host === '' || !/^\/?$/.test(path) || query !== '');
  const service = isImage ? findService(host) : undefined;
  const match = service?.path.exec(path);
  if (service && match) {
    const { w, h = w, words = '' } = match.groups ?? {};
    const queryWords = (service.query ?? /[?&]text=(?<words>[^&#]*)/i).exec(path + query)?.groups?.['words'];
    const size = sizeOfSides(w, h) ?? sizeInQuery(query);
    return { reason: 'placeholder', words: wordsOfUrl(queryWords ?? words), size, service };
  }
  const size = sizeInQuery(query);
  if (inventedPhoto.test(host + path)) return { reason: 'invented', size };
  if (replaceStock && stockPhoto.test(host + path)) return { reason: 'stock', size };
  return { reason: (parts && host === '') || isOfService(text) ? 'owner' : 'unknown' };
}

/** Judges an image by all of its URLs: it is replaced only where each of them is. */
export function judgeUrls(urls: readonly string[], replaceStock = false): JudgedUrl {
  const judged = urls.map((url) => judgeUrl(url, replaceStock));
  const first = (reason: JudgedUrl['reason']) => judged.find((url) => url.reason === reason);
  const keptUrl = first('template') ?? first('owner') ?? first('unknown');
  return keptUrl ?? judged[0] ?? { reason: 'unknown' };
}

function sizeInQuery(query: string): Size | undefined {
  return sizeOfSides(/[?&](?:width|w)=(\d+)/.exec(query)?.[1], /[?&](?:height|h)=(\d+)/.exec(query)?.[1]);
}

function sizeOfSides(width: string | undefined, height: string | undefined): Size | undefined {
  const [widthPx, heightPx] = [readPixels(width), readPixels(height)];
  return widthPx && heightPx ? { widthPx, heightPx } : undefined;
}

/** Reads a number from 1 to 10,000 at the beginning of a text. */
export function readPixels(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 1 && value <= 10_000 ? value : undefined;
}

/** Reads the words of a part of a URL: separators are spaces, and what holds a digit is an id. */
function wordsOfUrl(part: string): string {
  // Unlike `decodeURIComponent`, it reads `50% off` as it stands.
  const text = new URLSearchParams(`words=${part.replaceAll('&', '%26')}`).get('words') ?? '';
  const words = text.split(/(?:\\n|[-_,;|\\/\s])+/).filter((word) => word !== '' && !/\d/.test(word));
  return words.join(' ').slice(0, 200);
}

/** Reads the `pick` of a URL of a service like ours. */
export const pickIn = (url: string): string | undefined =>
  isOfService(url) ? /[?&](?:amp;)?pick=([\da-f]{20})(?![\da-z])/.exec(url)?.[1] : undefined;
