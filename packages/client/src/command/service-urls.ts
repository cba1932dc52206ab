/** Finds the URLs of a service in the files of a site, however they are written. */

import { firstFrom } from '../pages/edits';
import { attribute, type Page, readPage, said, startOf } from '../pages/page';
import { type TextUrl, urlsIn } from '../pages/text-urls';

/** A URL of the service, or what looks like one. */
export interface ServiceUrl extends TextUrl {
  /** The image that it names, absolute and without its fragment; absent where it names none, or another program completes it. */
  readonly image?: string;
  /** With its `#`; empty for none. */
  readonly fragment: string;
  /** What may stand in its place: a path from the file or from the root of the site, a URL for other sites, or nothing. */
  readonly place: 'relative' | 'rooted' | 'absolute' | 'none';
  /** Whether `&` is written as `&amp;` there. */
  readonly isMarkup: boolean;
}
type Where = Pick<ServiceUrl, 'place' | 'isMarkup'>;

/** What is no page, by its name. Feeds are XML that other programs read. */
const kinds: readonly (readonly [names: RegExp, place: ServiceUrl['place'], isMarkup: boolean])[] = [
  [/\.css$/i, 'relative', false],
  [/\.svg$/i, 'relative', true],
  [/\.(?:[cm]?js|json|webmanifest)$/i, 'rooted', false],
  [/\.(?:xml|rss|atom)$/i, 'absolute', true],
  [/^/, 'none', false],
];

/** Whether a text ends within what it has opened. */
const isOpen = (text: string, open: string, close: string) =>
  text.lastIndexOf(open) > text.lastIndexOf(close);

/** Where a URL of a page stands, whose elements begin at `starts`; `undefined` for one that is a link, or in a comment. */
function placeIn(
  { html, elements }: Page,
  starts: readonly number[],
  { start, url }: TextUrl,
): Where | undefined {
  const element = elements[firstFrom(starts, start) - 1];
  const { startTag = element?.sourceCodeLocation, endTag } = element?.sourceCodeLocation ?? {};
  // Other addresses of the service in a tag are links.
  if (element && startTag && start < startTag.endOffset)
    return /api\/image/i.test(url)
      ? { place: element.tagName === 'meta' ? 'absolute' : 'relative', isMarkup: true }
      : undefined;
  const isRaw =
    /^(?:style|script)$/.test(element?.tagName ?? '') && start < (endTag?.startOffset ?? Infinity);
  const before = html.slice(isRaw ? startTag?.endOffset : 0, start);
  if (!isRaw) return isOpen(before, '<!--', '-->') ? undefined : { place: 'none', isMarkup: true };
  const isComment = element?.tagName === 'style' && isOpen(before, '/*', '*/');
  return isComment ? undefined : { place: 'relative', isMarkup: false };
}

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

  const read = (address: string): Pick<ServiceUrl, 'image' | 'fragment'> | undefined => {
    const whole = address.startsWith('//') ? protocol + address : address;
    const url = URL.canParse(whole) ? new URL(whole) : undefined;
    if (url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return undefined;
    const { hash: fragment } = url;
    url.hash = '';
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
    return { fragment, ...(isImage && !/[{}<>]|\$\(/.test(address) && { image: url.href }) };
  };

  return (text: string, file: string) => {
    const page = /\.(?:html?|xhtml)$/i.test(file) ? readPage(text) : undefined;
    const starts = page?.elements.map(startOf) ?? [];
    const [, place, isMarkup] = kinds.find(([names]) => names.test(file)) as (typeof kinds)[number];
    const urls = [...urlsIn(text, new RegExp(beginning, 'gi'))].flatMap((found): ServiceUrl[] => {
      const isComment = /\.css$/i.test(file) && isOpen(text.slice(0, found.start), '/*', '*/');
      const where = page ? placeIn(page, starts, found) : !isComment && { place, isMarkup };
      const { image, fragment } = read(found.url) ?? {};
      if (fragment === undefined || !where) return [];
      // What a program appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(found.end, found.end + 10));
      return [{ ...found, ...where, fragment, ...(image && !isBegun && { image }) }];
    });
    const own = page?.elements.find((each) => /^canonical$/i.test(said(each, 'rel')));
    return { urls, canonical: own && attribute(own, 'href') };
  };
}
