/** Finds the URLs of a service in the files of a site, however they are written. */

import { firstFrom } from '../pages/edits';
import { isHtml } from '../pages/fill-text';
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

/** Whether a text ends within what it has opened. */
const isOpen = (text: string, open: string, close: string) =>
  text.lastIndexOf(open) > text.lastIndexOf(close);

/** Where a URL stands in a file that is no page, by its name; `undefined` for one in a comment. */
function whereIn(file: string, before: string): Where | undefined {
  if (/\.css$/i.test(file) && isOpen(before, '/*', '*/')) return undefined;
  if (/\.(?:css|svg)$/i.test(file)) return { place: 'relative', isMarkup: /svg$/i.test(file) };
  if (/\.(?:[cm]?js|json|webmanifest)$/i.test(file)) return { place: 'rooted', isMarkup: false };
  // Feeds are XML that other programs read.
  const isFeed = /\.(?:xml|rss|atom)$/i.test(file);
  return { place: isFeed ? 'absolute' : 'none', isMarkup: isFeed };
}

/** Where a URL of a page stands; `undefined` for one that is a link, or in a comment. */
function whereInPage(
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
  return (
    whereIn(element?.tagName === 'style' ? '.css' : '.js', before) && { place: 'relative', isMarkup: false }
  );
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

  return (text: string, file: string) => {
    const page = isHtml(file) ? readPage(text) : undefined;
    const starts = page?.elements.map(startOf) ?? [];
    const urls = [...urlsIn(text, new RegExp(beginning, 'gi'))].flatMap((found): ServiceUrl[] => {
      const where = page ? whereInPage(page, starts, found) : whereIn(file, text.slice(0, found.start));
      const whole = found.url.startsWith('//') ? protocol + found.url : found.url;
      const url = URL.canParse(whole) ? new URL(whole) : undefined;
      if (!where || url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return [];
      const { hash: fragment } = url;
      url.hash = '';
      // What a program puts in or appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(found.end, found.end + 10));
      const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
      const isWhole = isImage && !isBegun && !/[{}<>]|\$\(/.test(found.url);
      return [{ ...found, ...where, fragment, ...(isWhole && { image: url.href }) }];
    });
    const own = page?.elements.find((each) => /^canonical$/i.test(said(each, 'rel')));
    return { urls, canonical: own && attribute(own, 'href') };
  };
}
