/** Finds the URLs of a service in the files of a site, however they are written. */

import { firstFrom } from '../pages/edits';
import { isHtml } from '../pages/fill-text';
import { attr, type HtmlPage, readPage, startOf } from '../pages/page';
import { type TextUrl, urlsIn } from '../pages/text-urls';

/** A URL of the service, or what looks like one. */
export interface ServiceUrl extends TextUrl {
  /** Absolute and without its fragment; absent where it names no image, or a program completes it. */
  readonly resolved?: string;
  /** With its `#`; empty for none. */
  readonly fragment: string;
  /** What replaces it: a path from the file, a path from the root of the site, a whole URL, or nothing. */
  readonly replacement: 'relative' | 'rooted' | 'absolute' | 'none';
  /** Whether `&` is written as `&amp;` there. */
  readonly isMarkup: boolean;
}

/** Replacements by the part of a page, or the ending of a file. Readers of feeds and `<meta>` are on other sites. */
const replacementsByPart = [
  ['relative', /^(?:tag|style|script|css|svg)$/],
  ['rooted', /^(?:[cm]?js|json|webmanifest)$/],
  ['absolute', /^(?:meta|xml|rss|atom)$/],
] as const;

/** Finds the part of a page that a position is in, and where that part begins. */
function partAt({ elements }: HtmlPage, offset: number): readonly [part: string, from: number] {
  const { tagName = '', sourceCodeLocation: location } =
    elements[firstFrom(elements, offset, startOf) - 1] ?? {};
  const { startTag = location, endTag } = location ?? {};
  if (startTag && offset < startTag.endOffset) return [tagName === 'meta' ? 'meta' : 'tag', offset];
  const isRaw = /^(?:style|script)$/.test(tagName) && offset < (endTag?.startOffset ?? Infinity);
  return isRaw ? [tagName, startTag?.endOffset ?? 0] : ['text', 0];
}

/**
 * Finds the URLs of the service in a file, and the `canonical` URL of a page, empty for none.
 * @param text its characters may stand for bytes
 * @param file says how it is read
 * @throws `PageTooLarge`
 */
export function findServiceUrls(text: string, file: string, base: string) {
  const root = new URL(`${base}/`);
  const slash = String.raw`(?:\\?/|\\u002f)`;
  const literally = (root.host + root.pathname.slice(0, -1)).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const beginning = `(?<![\\w:/.])(?:https?:)?${slash}{2}${literally.replaceAll('/', slash)}(?![\\w.:-])`;
  const page = isHtml(file) ? readPage(text) : undefined;
  const ending = /\w+$/.exec(file.toLowerCase())?.[0] ?? '';
  const urls: ServiceUrl[] = [];
  for (const textUrl of urlsIn(text, new RegExp(beginning, 'gi'))) {
    const [part, from] = page ? partAt(page, textUrl.start) : [ending, 0];
    const url = readServiceUrl(textUrl.url, root);
    const [open, close] = part === 'text' ? ['<!--', '-->'] : ['/*', '*/'];
    const before = /^(?:text|style|css)$/.test(part) ? text.slice(from, textUrl.start) : '';
    const isInComment = before.lastIndexOf(open) > before.lastIndexOf(close);
    if (!url || isInComment) continue;
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(root.pathname.length));
    // Other addresses of the service in a tag are links.
    if (!isImage && /^(?:tag|meta)$/.test(part)) continue;
    const { hash: fragment } = url;
    url.hash = '';
    // A program completes `…?query=${words}` and `'…?query=' + words`.
    const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(textUrl.end, textUrl.end + 10));
    const isWhole = isImage && !isBegun && !/[{}<>]|\$\(/.test(textUrl.url);
    const replacement = replacementsByPart.find(([, parts]) => parts.test(part))?.[0] ?? 'none';
    const isMarkup = /^(?:tag|meta|svg|xml|rss|atom)$/.test(part);
    urls.push({ ...textUrl, replacement, isMarkup, fragment, ...(isWhole && { resolved: url.href }) });
  }
  const canonical = page?.elements.find((element) => /^canonical$/i.test(attr(element, 'rel')));
  return { urls, canonical: canonical ? attr(canonical, 'href') : '' };
}

/** Reads a URL of the service, absolute; `undefined` for another one. */
function readServiceUrl(text: string, { protocol, host, pathname }: URL): URL | undefined {
  const whole = text.startsWith('//') ? protocol + text : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url?.host === host && `${url.pathname}/`.startsWith(pathname) ? url : undefined;
}
