/** Finds the URLs of a service in the files of a site, however they are written, and writes others in their place. */

import { attribute, readPage } from '../pages/read-page';
import { type TextUrl, urlsIn } from '../pages/text-urls';

/** What a file is read as. Feeds are XML that other programs read; in a text nothing can be replaced. */
export type FileKind = 'html' | 'css' | 'script' | 'feed' | 'drawing' | 'text';

/**
 * What stands in the place of a URL: a path from the file or from the root of the site, or a URL, as other sites read it
 * too (`data`: where it is known of which site).
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

/** What a file holds. */
interface SiteText {
  readonly urls: readonly ServiceUrl[];
  /** The URL that a page says is its own. */
  readonly canonical?: string | undefined;
}

const places: Readonly<Record<Exclude<FileKind, 'html'>, Place>> = {
  css: 'relative',
  drawing: 'relative',
  script: 'rooted',
  feed: 'absolute',
  text: 'none',
};

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a position lies in what is opened and not closed before it. */
const isWithin = (text: string, at: number, open: string, close: string) =>
  text.lastIndexOf(open, at) > text.lastIndexOf(close, at);

/**
 * @param base root of the service, without a trailing slash
 * @returns reads a text whose characters stand for bytes, so that every encoding that has ASCII comes through unharmed
 * @throws `PageTooLarge`
 */
export function createUrlFinder(base: string): (text: string, kind: FileKind) => SiteText {
  const { host, pathname, protocol } = new URL(`${base}/`);
  const slash = String.raw`(?:\\?/|\\u002f)`;
  const root = literally(host + pathname.slice(0, -1)).replaceAll('/', slash);
  const beginning = new RegExp(`(?<![\\w:/.])(?:https?:)?${slash}{2}${root}(?![\\w.:-])`, 'gi');

  /** @returns `undefined` for a URL of another host */
  const read = (address: string): Pick<ServiceUrl, 'image' | 'fragment'> | undefined => {
    const whole = address.startsWith('//') ? protocol + address : address;
    const url = /^https?:/i.test(whole) && URL.canParse(whole) ? new URL(whole) : undefined;
    if (url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return undefined;
    const { hash: fragment } = url;
    url.hash = '';
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
    return { fragment, ...(isImage && !/[{}<>]|\$\(/.test(address) && { image: url.href }) };
  };

  const within = (text: string, place: Place, isMarkup: boolean, from = 0, to = text.length) =>
    [...urlsIn(text, beginning, from, to)].flatMap((found): ServiceUrl[] => {
      const url = read(found.url);
      // What a program appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(found.end, found.end + 10));
      return url ? [{ ...found, fragment: url.fragment, ...(!isBegun && url), place, isMarkup }] : [];
    });

  return (text, kind) => {
    const isShown = ({ start }: ServiceUrl) => !isWithin(text, start, '/*', '*/');
    if (kind !== 'html') {
      const urls = within(text, places[kind], kind === 'feed' || kind === 'drawing');
      return { urls: kind === 'css' ? urls.filter(isShown) : urls };
    }
    const { elements } = readPage(text);
    const urls: ServiceUrl[] = [];
    for (const element of elements) {
      const { tagName, attrs, sourceCodeLocation } = element;
      const { startTag = sourceCodeLocation, endTag } = sourceCodeLocation ?? {};
      for (const { name, prefix, value } of attrs) {
        const at = sourceCodeLocation?.attrs?.[prefix ? `${prefix}:${name}` : name];
        // Other addresses of the service are links.
        if (!at || !/api(?:\\?\/|\\u002f)image/i.test(value)) continue;
        const place = tagName === 'meta' ? 'absolute' : 'relative';
        const found = within(text, place, true, at.startOffset, at.endOffset);
        urls.push(...(name === 'style' ? found.filter(isShown) : found));
      }
      if (!startTag || !/^(?:style|script)$/.test(tagName)) continue;
      const place = /ld\+json/.test(attribute(element, 'type') ?? '') ? 'data' : 'relative';
      const found = within(text, place, false, startTag.endOffset, endTag?.startOffset);
      urls.push(...(tagName === 'style' ? found.filter(isShown) : found));
    }
    const isRead = ({ start }: ServiceUrl) =>
      isWithin(text, start, '<!--', '-->') ||
      elements.some(({ tagName, sourceCodeLocation: at }) => {
        const isRaw = /^(?:style|script)$/.test(tagName);
        const tag = isRaw ? at : (at?.startTag ?? at);
        return tag && start > tag.startOffset && start < tag.endOffset;
      });
    urls.push(...within(text, 'none', true).filter((url) => !isRead(url)));
    const canonical = elements.find((each) => attribute(each, 'rel')?.toLowerCase() === 'canonical');
    return {
      urls: urls.sort((a, b) => a.start - b.start),
      canonical: canonical && attribute(canonical, 'href'),
    };
  };
}
