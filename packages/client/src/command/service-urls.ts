/** Finds the URLs of a service in the files of a site, however the files escape them. */

import { findFirst } from '../pages/edits';
import { isHtmlFile } from '../pages/fill-text';
import { getOffset, type HtmlPage, parsePage, readAttr } from '../pages/page';
import { matchUrls, type TextUrl } from '../pages/text-urls';

/** A URL of the service in a file, and what may replace it. */
export interface ServiceUrl extends TextUrl {
  /** The absolute URL without its fragment; absent if it is of no image or a program completes it. */
  readonly resolved: string | undefined;
  readonly fragment: string;
  /** What replaces it: a path from the file, a path from the root of the site, an absolute URL, or nothing. */
  readonly replacement: 'relative' | 'rooted' | 'absolute' | 'none';
  readonly isMarkup: boolean;
}

/** Replacements by part of a page or ending of a file. Feeds and `<meta>` are read on other sites. */
const replacementsByPart = [
  ['relative', /^(?:tag|style|script|css|svg)$/],
  ['rooted', /^(?:[cm]?js|json|webmanifest)$/],
  ['absolute', /^(?:meta|xml|rss|atom)$/],
] as const;

function findHtmlPart({ elements }: HtmlPage, offset: number): readonly [part: string, from: number] {
  const { tagName = '', sourceCodeLocation: location } =
    elements[findFirst(elements, offset, getOffset) - 1] ?? {};
  const { startTag = location, endTag } = location ?? {};
  if (startTag && offset < startTag.endOffset) return [tagName === 'meta' ? 'meta' : 'tag', offset];
  const isRaw = /^(?:style|script)$/.test(tagName) && offset < (endTag?.startOffset ?? Infinity);
  return isRaw ? [tagName, startTag?.endOffset ?? 0] : ['text', 0];
}

/** Finds the URLs of the service in a file, and the `canonical` URL of a page; empty for none. @throws `PageTooLarge` */
export function findServiceUrls(text: string, file: string, base: string) {
  const root = new URL(`${base}/`);
  const page = isHtmlFile(file) ? parsePage(text) : undefined;
  const ending = /\w+$/.exec(file.toLowerCase())?.[0] ?? '';
  const urls: ServiceUrl[] = [];
  for (const textUrl of matchUrls(text, makeUrlPattern(root))) {
    const [part, partStart] = page ? findHtmlPart(page, textUrl.start) : [ending, 0];
    const url = parseServiceUrl(textUrl.url, root);
    if (!url || isInComment(part, text.slice(partStart, textUrl.start))) continue;
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(root.pathname.length));
    // Other addresses of the service in a tag are links.
    if (!isImage && /^(?:tag|meta)$/.test(part)) continue;
    const fragment = url.hash;
    url.hash = '';
    // A program completes `…?query=${words}` and `'…?query=' + words`.
    const behind = text.slice(textUrl.end, textUrl.end + 10);
    const isCompleted = /[{}<>]|\$\(/.test(textUrl.url) || /^["'`]\s*[+.]\s*[\w$"'`(]/.test(behind);
    const replacement = replacementsByPart.find(([, parts]) => parts.test(part))?.[0] ?? 'none';
    const isMarkup = /^(?:tag|meta|svg|xml|rss|atom)$/.test(part);
    const resolved = isImage && !isCompleted ? url.href : undefined;
    urls.push({ ...textUrl, replacement, isMarkup, fragment, resolved });
  }
  const canonical = page?.elements.find((element) => /^canonical$/i.test(readAttr(element, 'rel')));
  return { urls, canonical: canonical ? readAttr(canonical, 'href') : '' };
}

function makeUrlPattern(root: URL): RegExp {
  const slash = String.raw`(?:\\?/|\\u002f)`;
  const address = (root.host + root.pathname.slice(0, -1)).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const escapedAddress = address.replaceAll('/', slash);
  return new RegExp(`(?<![\\w:/.])(?:https?:)?${slash}{2}${escapedAddress}(?![\\w.:-])`, 'gi');
}

/** Returns true if a comment is open at the end of a text. Scripts are not searched for comments. */
function isInComment(part: string, textBefore: string): boolean {
  if (!/^(?:text|style|css)$/.test(part)) return false;
  const [opening, closing] = part === 'text' ? ['<!--', '-->'] : ['/*', '*/'];
  return textBefore.lastIndexOf(opening) > textBefore.lastIndexOf(closing);
}

function parseServiceUrl(text: string, { protocol, host, pathname }: URL): URL | undefined {
  const whole = text.startsWith('//') ? protocol + text : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url?.host === host && `${url.pathname}/`.startsWith(pathname) ? url : undefined;
}
