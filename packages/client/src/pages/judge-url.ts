/** Judges the URL of an image by its characters alone: a placeholder, a stock photo, or its owner's. */

import { type PlaceholderService, placeholderServices } from './placeholder-services';

/** What a URL says of the image that belongs in its place. */
export interface DescribedUrl {
  /** Words for the image, or the words of a file's name; empty for none. */
  readonly words: string;
  /** The size that the URL states, in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Whether it is that of an image in HTML only, and a link elsewhere. */
  readonly isInHtmlOnly?: true;
  /** Whether it showed a face. */
  readonly isFace?: true;
}

/** What a URL is, by its characters. */
export type JudgedUrl =
  | ({ readonly kind: 'placeholder' | 'invented' | 'stock' } & DescribedUrl)
  /** `template`: another program completes it. `file`: of the page's own site. `foreign`: of a host that is not known. */
  | { readonly kind: 'none' | 'template' | 'file' | 'foreign' };

/** The parts of an absolute URL, or of one whose host is that of the page (`host` is empty). */
interface Parts {
  readonly host: string;
  readonly path: string;
  /** With its question mark, without the fragment. */
  readonly query: string;
}

const absolute = /^(?:https?:)?\/\/(?:www\.)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?(\?[^#]*)?/i;
const ofOwnHost = /^(?![a-z][a-z\d+.-]*:|#)([^?#]*)(\?[^#]*)?/i;

function partsOf(url: string): Parts | undefined {
  const [, host, path = '', query = ''] = absolute.exec(url) ?? [];
  if (host !== undefined) return { host: host.toLowerCase(), path, query };
  const [, file, fileQuery = ''] = ofOwnHost.exec(url) ?? [];
  return file === undefined ? undefined : { host: '', path: file, query: fileQuery };
}

/**
 * Marks by which template languages put a value into a text. Percent encodings (`%E3%82`), `@2x` of a file's name and
 * lower-case brackets are none.
 */
const expression =
  /[{}`<>$]|@(?!\d)|\[[A-Z][A-Z\d_ -]*\]|%[A-Z][A-Z\d_]{2,}%|%[sd](?![\da-f])|%7[Bb]%7[Bb]|%24%7[Bb]|%3[Cc]%25|__[A-Z][A-Z_]*__/;

/** @param url decoded, as a browser reads it */
export function judgeUrl(url: string): JudgedUrl {
  const text = url.trim();
  if (text === '' || text === '#') return { kind: 'none' };
  if (/^data:/i.test(text)) return { kind: 'file' };
  if (expression.test(text)) return { kind: 'template' };
  const parts = partsOf(text);
  if (!parts) return { kind: 'foreign' };
  const described = placeholderIn(parts);
  if (described) return { kind: 'placeholder', ...described };
  if (isStockPhoto(parts)) {
    const kind = isInvented(parts) ? 'invented' : 'stock';
    return { kind, words: '', ...(sizeInQuery(parts.query) ?? {}) };
  }
  return { kind: parts.host === '' ? 'file' : 'foreign' };
}

/** Hosts of the list by their name, so that a URL costs one look-up however long the list is. */
const byHost = new Map<string, PlaceholderService[]>();
for (const service of placeholderServices)
  for (const host of service.hosts.length > 0 ? service.hosts : [''])
    byHost.set(host, [...(byHost.get(host) ?? []), service]);

function placeholderIn({ host, path, query }: Parts): DescribedUrl | undefined {
  const domain = host.split('.').slice(-2).join('.');
  const services = [
    ...(byHost.get(host) ?? []),
    ...(domain === host ? [] : (byHost.get(domain) ?? []).filter(({ isDomain }) => isDomain)),
  ];
  // The address of the service itself is no image.
  if (host !== '' && /^\/?$/.test(path) && query === '') return undefined;
  for (const service of services) {
    const groups = service.path.exec(path)?.groups ?? (service.path.test(path) ? {} : undefined);
    if (groups) return describedBy(service, groups, path + query);
  }
  return undefined;
}

function describedBy(
  { query = /[?&]text=(?<words>[^&#]*)/i, hasSizeInQuery, isInHtmlOnly, isFace }: PlaceholderService,
  { w, h, words }: Readonly<Record<string, string | undefined>>,
  pathAndQuery: string,
): DescribedUrl {
  const said = query.exec(pathAndQuery)?.groups?.['words'] ?? words ?? '';
  const [width, height] = [pixels(w), pixels(h ?? w)];
  const size = width && height ? { width, height } : hasSizeInQuery && sizeInQuery(pathAndQuery);
  return {
    words: wordsOfUrl(said),
    ...size,
    ...(isInHtmlOnly && { isInHtmlOnly }),
    ...(isFace && { isFace }),
  };
}

/** `width=` and `height=`, or `w=` and `h=`. */
function sizeInQuery(query: string): { readonly width: number; readonly height: number } | undefined {
  const width = pixels(/[?&](?:width|w)=(\d+)/.exec(query)?.[1]);
  const height = pixels(/[?&](?:height|h)=(\d+)/.exec(query)?.[1]);
  return width && height ? { width, height } : undefined;
}

function isStockPhoto({ host, path }: Parts): boolean {
  if (host === 'images.unsplash.com' || host === 'plus.unsplash.com') return path.length > 1;
  if (host === 'images.pexels.com') return path.startsWith('/photos/');
  return host === 'cdn.pixabay.com' && path.startsWith('/photo/');
}

/** Whether no photo can have this id. Only ids that begin with `photo-` have one form: others (`reserve/…`) are real too. */
function isInvented({ host, path }: Parts): boolean {
  return (
    host === 'images.unsplash.com' &&
    path.startsWith('/photo-') &&
    !/^\/photo-\d{10,13}-[\da-f]{12}(?![\da-z])/i.test(path)
  );
}

/** A number from 1 to 10,000 at the beginning of a text. */
export function pixels(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 1 && value <= 10_000 ? value : undefined;
}

/** Words from a part of a URL: separators are spaces, and what holds a digit is an id. */
function wordsOfUrl(part: string): string {
  const words = percentDecoded(part.replace(/\+|\\n/g, ' '))
    .split(/[-_,;|\\/\s]+/)
    .filter((word) => word !== '' && !/\d/.test(word));
  return words.join(' ').slice(0, 200);
}

/** What is no encoding is text. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
