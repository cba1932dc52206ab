/** Finds the URLs of a service in the files of a site, however they are written, and writes others in their place. */

import { parseFragment } from 'parse5';
import { attribute, readPage } from '../pages/read-page';

/** What a file is read as. Feeds are XML that other programs read; in a text nothing can be replaced. */
export type FileKind = 'html' | 'css' | 'script' | 'feed' | 'drawing' | 'text';

/**
 * What stands in the place of a URL: a path from the file or from the root of the site, or a URL, as other sites read it
 * too (`data`: where it is known of which site).
 */
type Place = 'relative' | 'rooted' | 'absolute' | 'data' | 'none';

/** A URL of the service, or what looks like one. */
export interface ServiceUrl {
  /** As it stands in the text, from `start` to `end`. */
  readonly written: string;
  readonly start: number;
  readonly end: number;
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
const quotes = String.raw`\\*["'\`]|&(?:quot|apos|#34|#39);`;
/** Where a URL ends that nothing encloses. */
const unenclosed = /(?:\\(?:\/|u[\da-f]{4})|&(?!(?:quot|apos|lt|gt|#34|#39);)|[^\s"'`<>()\\&])*/iy;

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

  const within = (text: string, place: Place, isMarkup: boolean, from = 0, to = text.length) => {
    const found: ServiceUrl[] = [];
    beginning.lastIndex = from;
    for (let match = beginning.exec(text); match && match.index < to; match = beginning.exec(text)) {
      const start = match.index;
      const end = endOfUrl(text, start, from, to);
      beginning.lastIndex = Math.max(end, start + 1);
      const written = text.slice(start, end);
      const url = read(unescaped(written));
      // What a program appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(end, end + 10));
      const where = { written, start, end, place, isMarkup };
      if (url) found.push({ ...where, fragment: url.fragment, ...(!isBegun && url) });
    }
    return found;
  };

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

/** A URL in quotes ends with them, whatever stands in it; within brackets and between tags likewise. */
function endOfUrl(text: string, start: number, from: number, to: number): number {
  const before = text.slice(Math.max(from, start - 12), start);
  const [, opener] = new RegExp(`(${quotes}|[(>])\\s*$`).exec(before) ?? [];
  const closer = opener === '(' ? '\\)' : opener === '>' ? '<' : opener && `(?<!\\\\)${literally(opener)}`;
  if (closer) {
    const [enclosed] = new RegExp(`[^\\r\\n]*?(?=${closer})`, 'y').exec(text.slice(start, to + 1)) ?? [];
    // A list of sizes has more than one.
    if (enclosed !== undefined && !/\s\d+(?:\.\d+)?[wx]\s*(?:,|$)/.test(enclosed))
      return start + enclosed.trimEnd().length;
  }
  unenclosed.lastIndex = start;
  const [address = ''] = unenclosed.exec(text.slice(0, to)) ?? [];
  return start + address.replace(/[.,;:!?]+$/, '').length;
}

/** What a program reads: references to characters, escapes of scripts and style sheets, bytes of UTF-8. */
function unescaped(written: string): string {
  const [element] = written.includes('&')
    ? parseFragment(`<a b="${written.replaceAll('"', '&quot;')}">`).childNodes
    : [];
  const referred = element && 'attrs' in element ? (element.attrs[0]?.value ?? written) : written;
  const text = referred.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code, character) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : character,
  );
  const decoded = /[^\0-\xff]/.test(text) ? text : Buffer.from(text, 'latin1').toString();
  return decoded.includes('\ufffd') ? text : decoded;
}

/** A URL as it is written in the place of another one. @param url of ASCII characters */
export function writtenInPlace(url: string, { written, isMarkup }: ServiceUrl): string {
  const ampersand = /&amp;|\\u0026/i.exec(written)?.[0] ?? (isMarkup ? '&amp;' : '&');
  const slash = /\\\/|\\u002f/i.exec(written)?.[0] ?? '/';
  return url.replace(/[&/]/g, (character) => (character === '&' ? ampersand : slash));
}
