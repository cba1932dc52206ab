/** Judges the URL of an image by its characters alone: a placeholder, a stock photo, or its owner's. */

import type { Size } from '../image-url';
import { type PlaceholderService, placeholderServices } from './placeholder-services';

/** What a URL says of the image that belongs in its place. */
export interface DescribedUrl {
  /** Words for the image, or the words of a file's name; empty for none. */
  readonly words: string;
  /** The size that the URL states, in pixels. */
  readonly size?: Size | undefined;
  readonly isReserved?: boolean;
  readonly isFace?: boolean;
}

/** What a URL is, by its characters. */
export type JudgedUrl =
  | ({ readonly kind: 'placeholder' | 'invented' | 'stock' } & DescribedUrl)
  /** `template`: another program completes it. `file`: of the page's own site. `foreign`: of a host that is not known. */
  | { readonly kind: 'template' | 'file' | 'foreign' };

/** What is to become of an image, and why. */
export type Verdict =
  | ({ readonly fill: 'asked' | 'placeholder' | 'invented' | 'stock' | 'empty' | 'missing' } & DescribedUrl)
  | { readonly keep: 'owner' | 'template' | 'script' | 'code' | 'link' | 'unknown' };

/** Host without `www.` and port, path, and query with its question mark. */
const absolute = /^(?:https?:)?\/\/(?:www\.)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?(\?[^#]*)?/i;
const ofOwnHost = /^()(?![a-z][a-z\d+.-]*:|#)([^?#]*)(\?[^#]*)?/i;

/**
 * Marks by which template languages put a value into a text. Percent encodings (`%E3%82`), `@2x` of a file's name and
 * lower-case brackets are none.
 */
const expression =
  /[{}`<>$]|@(?!\d)|\[[A-Z][A-Z\d_ -]*\]|%[A-Z][A-Z\d_]{2,}%|%[sd](?![\da-f])|%7[Bb]%7[Bb]|%24%7[Bb]|%3[Cc]%25|__[A-Z][A-Z_]*__/;

/** @param url decoded, as a browser reads it */
export function judgeUrl(url: string): JudgedUrl {
  const text = url.trim();
  if (/^(?:#.*|data:.*)?$/is.test(text)) return { kind: 'file' };
  if (expression.test(text)) return { kind: 'template' };
  const parts = absolute.exec(text) ?? ofOwnHost.exec(text);
  if (!parts) return { kind: 'foreign' };
  const [, written = '', path = '', query = ''] = parts;
  const host = written.toLowerCase();
  const described = placeholderAt(host, path, query);
  if (described) return { kind: 'placeholder', ...described };
  const size = sizeInQuery(query);
  if (isInvented(host, path)) return { kind: 'invented', words: '', size };
  if (isStockPhoto(host, path)) return { kind: 'stock', words: '', size };
  return { kind: host === '' ? 'file' : 'foreign' };
}

/** Hosts of the list by their name, so that a URL costs one look-up however long the list is. */
const byHost = new Map<string, PlaceholderService[]>();
for (const service of placeholderServices)
  for (const host of service.hosts.length > 0 ? service.hosts : [''])
    byHost.set(host, [...(byHost.get(host) ?? []), service]);

function placeholderAt(host: string, path: string, query: string): DescribedUrl | undefined {
  // The address of the service itself is no image.
  if (host !== '' && /^\/?$/.test(path) && query === '') return undefined;
  const domain = host.split('.').slice(-2).join('.');
  const services = byHost.get(host) ?? byHost.get(domain)?.filter(({ isReserved }) => isReserved) ?? [];
  for (const { path: images, query: said = /[?&]text=(?<words>[^&#]*)/i, isReserved, isFace } of services) {
    const match = images.exec(path);
    if (!match) continue;
    const { w, h = w, words = '' } = match.groups ?? {};
    const [width, height] = [pixels(w), pixels(h)];
    return {
      words: wordsOfUrl(said.exec(path + query)?.groups?.['words'] ?? words),
      size: width && height ? { width, height } : sizeInQuery(query),
      ...(isReserved && { isReserved }),
      ...(isFace && { isFace }),
    };
  }
  return undefined;
}

/** `width=` and `height=`, or `w=` and `h=`. */
function sizeInQuery(query: string): Size | undefined {
  const width = pixels(/[?&](?:width|w)=(\d+)/.exec(query)?.[1]);
  const height = pixels(/[?&](?:height|h)=(\d+)/.exec(query)?.[1]);
  return width && height ? { width, height } : undefined;
}

/** Whether no photo can have this id. Only ids that begin with `photo-` have one form: others (`reserve/…`) are real too. */
const isInvented = (host: string, path: string) =>
  host === 'images.unsplash.com' &&
  path.startsWith('/photo-') &&
  !/^\/photo-\d{10,13}-[\da-f]{12}(?![\da-z])/i.test(path);

const isStockPhoto = (host: string, path: string) =>
  /^(?:images|plus)\.unsplash\.com\/.|^images\.pexels\.com\/photos\/|^cdn\.pixabay\.com\/photo\//.test(
    host + path,
  );

/** A number from 1 to 10,000 at the beginning of a text. */
export function pixels(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 1 && value <= 10_000 ? value : undefined;
}

/** Words from a part of a URL: separators are spaces, and what holds a digit is an id. */
function wordsOfUrl(part: string): string {
  let text = part.replace(/\+|\\n/g, ' ');
  try {
    text = decodeURIComponent(text);
  } catch {
    // What is no encoding is text.
  }
  const words = text.split(/[-_,;|\\/\s]+/).filter((word) => word !== '' && !/\d/.test(word));
  return words.join(' ').slice(0, 200);
}
