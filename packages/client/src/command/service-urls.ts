/** Finds the URLs of a service in the files of a site, however they are written. */

import { firstFrom } from '../pages/edits';
import { isHtml } from '../pages/fill-text';
import { attribute, type Element, readPage, said, startOf } from '../pages/page';
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

/** Where a URL stands in a text of a kind, which is an ending of files; `undefined` for one in a comment. */
function whereIn(kind: string, before: string): Where | undefined {
  const [open, close] = kind === 'css' ? ['/*', '*/'] : ['<!--', '-->'];
  const isComment = /^(?:css|html)$/.test(kind) && before.lastIndexOf(open) > before.lastIndexOf(close);
  if (isComment) return undefined;
  // Feeds are XML that other programs read.
  const isMarkup = /^(?:svg|xml|rss|atom)$/.test(kind);
  if (/^(?:css|svg)$/.test(kind)) return { place: 'relative', isMarkup };
  if (/^(?:[cm]?js|json|webmanifest)$/.test(kind)) return { place: 'rooted', isMarkup };
  return { place: isMarkup ? 'absolute' : 'none', isMarkup };
}

/** Where a URL of a page stands, by the last element that begins before it; `undefined` for one that is a link, too. */
function whereInPage(html: string, { start, url }: TextUrl, element?: Element): Where | undefined {
  const { tagName, sourceCodeLocation: at } = element ?? {};
  const { startTag = at, endTag } = at ?? {};
  // Other addresses of the service in a tag are links.
  if (startTag && start < startTag.endOffset)
    return /api\/image/i.test(url)
      ? { place: tagName === 'meta' ? 'absolute' : 'relative', isMarkup: true }
      : undefined;
  const isIn = start < (endTag?.startOffset ?? Infinity);
  const kind = isIn && tagName === 'style' ? 'css' : isIn && tagName === 'script' ? 'js' : undefined;
  const where = whereIn(kind ?? 'html', html.slice(kind && startTag?.endOffset, start));
  return where && kind ? { ...where, place: 'relative' } : where;
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
    const kind = /\w+$/.exec(file.toLowerCase())?.[0] ?? '';
    const urls = [...urlsIn(text, new RegExp(beginning, 'gi'))].flatMap((found): ServiceUrl[] => {
      const where = page
        ? whereInPage(text, found, page.elements[firstFrom(starts, found.start) - 1])
        : whereIn(kind, text.slice(0, found.start));
      const whole = found.url.startsWith('//') ? protocol + found.url : found.url;
      const url = URL.canParse(whole) ? new URL(whole) : undefined;
      if (!where || url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return [];
      const { hash: fragment } = url;
      url.hash = '';
      // A URL includes what a program inserts into it or appends to it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(found.end, found.end + 10));
      const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
      const isWhole = isImage && !isBegun && !/[{}<>]|\$\(/.test(found.url);
      return [{ ...found, ...where, fragment, ...(isWhole && { image: url.href }) }];
    });
    const own = page?.elements.find((each) => /^canonical$/i.test(said(each, 'rel')));
    return { urls, canonical: own && attribute(own, 'href') };
  };
}
