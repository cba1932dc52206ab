/** Finds the URLs of a service in the files of a site, however they are written. */

import { attribute, firstFrom, readPage, startOf } from '../pages/page';
import { type TextUrl, urlsIn } from '../pages/text-urls';

/**
 * What stands in the place of a URL: a path from the file or from the root of the site, or a URL, as other sites read it
 * too (`data`: where it is known of which site); `none` where nothing can be put.
 */
type Place = 'relative' | 'rooted' | 'absolute' | 'data' | 'none';

/** A URL of the service, or what looks like one. */
export interface ServiceUrl extends TextUrl {
  /** The image that it names, absolute and without its fragment; absent where it names none, or another program completes it. */
  readonly image?: string;
  /** With its `#`; empty for none. */
  readonly fragment: string;
  readonly place: Place;
  /** Whether `&` is written as `&amp;` there. */
  readonly isMarkup: boolean;
}

/** What is no page, by its name. Feeds are XML that other programs read. */
const kinds: readonly (readonly [names: RegExp, place: Place, isMarkup: boolean])[] = [
  [/\.css$/i, 'relative', false],
  [/\.svg$/i, 'relative', true],
  [/\.(?:[cm]?js|json|webmanifest)$/i, 'rooted', false],
  [/\.(?:xml|rss|atom)$/i, 'absolute', true],
];

/** Whether a text ends within what it has opened. */
const isOpen = (text: string, open: string, close: string) =>
  text.lastIndexOf(open) > text.lastIndexOf(close);

/**
 * @param base root of the service, without a trailing slash
 * @returns reads a text whose characters stand for bytes, so that every encoding that has ASCII comes through unharmed: by
 * the name of its file the URLs in it, and the one that a page says is its own
 * @throws `PageTooLarge`
 */
export function createUrlFinder(base: string) {
  const { host, pathname, protocol } = new URL(`${base}/`);
  const slash = String.raw`(?:\\?/|\\u002f)`;
  const literally = (host + pathname.slice(0, -1)).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const beginning = `(?<![\\w:/.])(?:https?:)?${slash}{2}${literally.replaceAll('/', slash)}(?![\\w.:-])`;

  const imageOf = (address: string): Pick<ServiceUrl, 'image' | 'fragment'> | undefined => {
    const whole = address.startsWith('//') ? protocol + address : address;
    const url = /^https?:/i.test(whole) && URL.canParse(whole) ? new URL(whole) : undefined;
    if (url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return undefined;
    const { hash: fragment } = url;
    url.hash = '';
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
    return { fragment, ...(isImage && !/[{}<>]|\$\(/.test(address) && { image: url.href }) };
  };

  /** Where a URL of a page stands; absent for one that is a link, or in a comment. */
  const placeIn = (text: string, page: ReturnType<typeof readPage>) => {
    const starts = page.elements.map(startOf);
    return ({ start, url }: TextUrl): readonly [Place, isMarkup: boolean] | undefined => {
      const element = page.elements[firstFrom(starts, start) - 1];
      const { startTag = element?.sourceCodeLocation, endTag } = element?.sourceCodeLocation ?? {};
      if (element && startTag && start < startTag.endOffset) {
        // Other addresses of the service are links.
        const place = element.tagName === 'meta' ? 'absolute' : 'relative';
        return /api\/image/i.test(url) ? [place, true] : undefined;
      }
      const isRaw =
        element && /^(?:style|script)$/.test(element.tagName) && start < (endTag?.startOffset ?? Infinity);
      const before = text.slice(isRaw ? startTag?.endOffset : 0, start);
      if (!isRaw) return isOpen(before, '<!--', '-->') ? undefined : ['none', true];
      if (element.tagName === 'style') return isOpen(before, '/*', '*/') ? undefined : ['relative', false];
      return [/ld\+json/.test(attribute(element, 'type') ?? '') ? 'data' : 'relative', false];
    };
  };

  return (text: string, file: string) => {
    const page = /\.(?:html?|xhtml)$/i.test(file) ? readPage(text) : undefined;
    const [, ...kind] = kinds.find(([names]) => names.test(file)) ?? [/./, 'none', false];
    const inFile = ({ start }: TextUrl) =>
      /\.css$/i.test(file) && isOpen(text.slice(0, start), '/*', '*/') ? undefined : kind;
    const placeOf = page ? placeIn(text, page) : inFile;
    const urls = [...urlsIn(text, new RegExp(beginning, 'gi'))].flatMap((found): ServiceUrl[] => {
      const [read, at] = [imageOf(found.url), placeOf(found)];
      if (!read || !at) return [];
      // What a program appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(found.end, found.end + 10));
      const { image: _, ...begun } = read;
      return [{ ...found, ...(isBegun ? begun : read), place: at[0], isMarkup: at[1] }];
    });
    const own = page?.elements.find((each) => attribute(each, 'rel')?.toLowerCase() === 'canonical');
    return { urls, canonical: own && attribute(own, 'href') };
  };
}
