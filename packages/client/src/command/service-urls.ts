/** Finds the URLs of a service in the files of a site, however they are written, and writes others in their place. */

import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';

/** What a file is read as. Feeds are XML that other programs read; in a text nothing can be replaced. */
export type FileKind = 'html' | 'css' | 'script' | 'feed' | 'drawing' | 'text';

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
  /**
   * What stands in its place: a path from the file or from the root of the site, or a URL, as other sites read it too
   * (`data`: where it is known of which site).
   */
  readonly place: 'relative' | 'rooted' | 'absolute' | 'data' | 'none';
  /** Whether `&` is written as `&amp;` there. */
  readonly isMarkup: boolean;
}

/** What a file holds. */
interface SiteText {
  readonly urls: readonly ServiceUrl[];
  /** The URL that a page says is its own. */
  readonly canonical?: string | undefined;
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type Read = Pick<ServiceUrl, 'image' | 'fragment'>;
type Found = Omit<ServiceUrl, 'place' | 'isMarkup'>;

const places = {
  css: 'relative',
  drawing: 'relative',
  script: 'rooted',
  feed: 'absolute',
  text: 'none',
} as const;

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const quotes = String.raw`\\*["'\`]|&(?:quot|apos|#34|#39);`;
/** Where a URL ends that nothing encloses. */
const unenclosed = /(?:\\(?:\/|u[\da-f]{4})|&(?!(?:quot|apos|lt|gt|#34|#39);)|[^\s"'`<>()\\&])*/iy;

/**
 * @param base root of the service, without a trailing slash
 * @returns reads a text whose characters stand for bytes, so that every encoding that has ASCII comes through unharmed
 */
export function createUrlFinder(base: string): (text: string, kind: FileKind) => SiteText {
  const { host, pathname, protocol } = new URL(`${base}/`);
  const slash = String.raw`(?:\\?/|\\u002f)`;
  const root = literally(host + pathname.slice(0, -1)).replaceAll('/', slash);
  const beginning = new RegExp(`(?<![\\w:/.])(?:https?:)?${slash}{2}${root}(?![\\w.:-])`, 'gi');

  /** @returns `undefined` for a URL of another host */
  const read = (address: string): Read | undefined => {
    const whole = address.startsWith('//') ? protocol + address : address;
    const url = /^https?:/i.test(whole) && URL.canParse(whole) ? new URL(whole) : undefined;
    if (url?.host !== host || !`${url.pathname}/`.startsWith(pathname)) return undefined;
    const { hash: fragment } = url;
    url.hash = '';
    const isImage = /^api\/image(?:\/|$)/.test(url.pathname.slice(pathname.length));
    const isWhole = isImage && !/[{}<>]|\$\(/.test(address);
    return { fragment, ...(isWhole && { image: url.href }) };
  };

  const within = (text: string, from: number, to: number): Found[] => {
    const found: Found[] = [];
    beginning.lastIndex = from;
    for (let match = beginning.exec(text); match && match.index < to; match = beginning.exec(text)) {
      const start = match.index;
      const end = endOfUrl(text, start, from, to);
      beginning.lastIndex = Math.max(end, start + 1);
      const written = text.slice(start, end);
      const url = read(unescaped(written));
      // What a program appends is a part of it.
      const isBegun = /^["'`]\s*[+.]\s*[\w$"'`(]/.test(text.slice(end, end + 10));
      if (url) found.push({ written, start, end, fragment: url.fragment, ...(!isBegun && url) });
    }
    return found;
  };

  return (text, kind) => {
    const as = (place: ServiceUrl['place'], isMarkup: boolean) => (found: Found) => ({
      ...found,
      place,
      isMarkup,
    });
    const all = (from = 0, to = text.length) => within(text, from, to);
    const css = (from = 0, to = text.length) => {
      const comments = [...text.slice(from, to).matchAll(/\/\*[\s\S]*?(?:\*\/|$)/g)];
      return all(from, to).filter(
        ({ start }) =>
          !comments.some(({ index, 0: { length } }) => index < start - from && start - from < index + length),
      );
    };
    if (kind !== 'html') {
      const found = kind === 'css' ? css() : all();
      return { urls: found.map(as(places[kind], kind === 'feed' || kind === 'drawing')) };
    }

    const urls: ServiceUrl[] = [];
    const addAttributes = ({ tagName, attrs, sourceCodeLocation }: Element) => {
      for (const { name, prefix, value } of attrs) {
        const at = sourceCodeLocation?.attrs?.[prefix ? `${prefix}:${name}` : name];
        // Other addresses of the service are links.
        if (!at || !/api(?:\\?\/|\\u002f)image/i.test(value)) continue;
        const found = (name === 'style' ? css : all)(at.startOffset, at.endOffset);
        urls.push(...found.map(as(tagName === 'meta' ? 'absolute' : 'relative', true)));
      }
    };
    let canonical: string | undefined;
    const open: Node[] = [parse(text, { sourceCodeLocationInfo: true, scriptingEnabled: false })];
    for (let node = open.pop(); node; node = open.pop()) {
      if ('content' in node) open.push(node.content);
      if ('childNodes' in node) open.push(...node.childNodes.toReversed());
      if ('attrs' in node) {
        const said = (name: string) => node.attrs.find((each) => each.name === name)?.value;
        if (node.tagName === 'link' && said('rel')?.toLowerCase() === 'canonical') canonical ??= said('href');
        addAttributes(node);
      } else if (node.nodeName === '#text' && node.sourceCodeLocation) {
        const { startOffset: from, endOffset: to } = node.sourceCodeLocation;
        const parent = node.parentNode;
        const isData =
          parent &&
          'attrs' in parent &&
          parent.attrs.some(({ name, value }) => name === 'type' && /ld\+json/.test(value));
        if (parent?.nodeName === 'style') urls.push(...css(from, to).map(as('relative', false)));
        else if (parent?.nodeName === 'script')
          urls.push(...all(from, to).map(as(isData ? 'data' : 'relative', false)));
        else urls.push(...all(from, to).map(as('none', true)));
      }
    }
    // A parser repeats links that are never closed.
    const once = new Map(urls.map((url) => [url.start, url])).values();
    return { urls: [...once].sort((a, b) => a.start - b.start), canonical };
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

/** What a program reads: references to characters, escapes of scripts and style sheets. */
function unescaped(written: string): string {
  const isReferring = written.includes('&');
  const [element] = isReferring
    ? parseFragment(`<a b="${written.replaceAll('"', '&quot;')}">`).childNodes
    : [];
  const text = element && 'attrs' in element ? (element.attrs[0]?.value ?? written) : written;
  return inUtf8(
    text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code, character) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : character,
    ),
  );
}

/** Characters that stand for bytes as UTF-8, where they are. */
function inUtf8(text: string): string {
  if (/^[\0-\x7f]*$/.test(text) || /[^\0-\xff]/.test(text)) return text;
  const decoded = Buffer.from(text, 'latin1').toString();
  return decoded.includes('\ufffd') ? text : decoded;
}

/** A URL as it is written in the place of another one. @param url of ASCII characters */
export function writtenInPlace(url: string, { written, isMarkup }: ServiceUrl): string {
  const ampersand = /&amp;|\\u0026/i.exec(written)?.[0] ?? (isMarkup ? '&amp;' : '&');
  const slash = /\\\/|\\u002f/i.exec(written)?.[0] ?? '/';
  return url.replace(/[&/]/g, (character) => (character === '&' ? ampersand : slash));
}
