/** Finds URLs in any text, however it writes them, and the parts of it that no program runs. */

import { parseFragment } from 'parse5';
import { type JudgedUrl, judgeUrl } from './judge-url';

/** A URL in a text. */
export interface TextUrl {
  /** Decoded. */
  readonly url: string;
  /** As it is written, from `start` to `end`. */
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

const opener = /(\\*["'`]|&(?:quot|apos|#34|#39);)\s*$/;
/** The characters of a URL, also `\/` of JSON and PHP and `\u0026`; no character reference of a quote. */
const unenclosed = /(?:\\(?:\/|u[\da-f]{4})|&(?!(?:quot|apos|lt|gt|#34|#39);)|[^\s"'`<>()\\&])*/iy;
const lengthMax = 2_000;

/** Finds URLs in a text. @param beginning with the flag `g` */
export function* urlsIn(text: string, beginning: RegExp): Generator<TextUrl> {
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
    const start = match.index;
    const end = endOfUrl(text, start);
    const written = text.slice(start, end);
    yield { url: unescaped(written), written, start, end };
    beginning.lastIndex = Math.max(end, start + 1);
  }
}

/** Finds the end of a URL: its quote, whatever is before it; else a space or a mark of a sentence. */
function endOfUrl(text: string, start: number): number {
  const [, quote] = opener.exec(text.slice(Math.max(0, start - 12), start)) ?? [];
  const [line = ''] = text.slice(start, start + lengthMax).split(/[\r\n]/, 1);
  const length =
    quote === undefined ? -1 : line.search(new RegExp(`(?<!\\\\)${quote.replaceAll('\\', '\\\\')}`));
  // A `srcset` in quotes holds more than one URL.
  if (length >= 0 && !/\s\d+(?:\.\d+)?[wx]\s*(?:,|$)/.test(line.slice(0, length)))
    return start + line.slice(0, length).trimEnd().length;
  unenclosed.lastIndex = start;
  const [address = ''] = unenclosed.exec(text) ?? [];
  const ends = `.,;:!?*|${address.includes('{') ? '' : '}'}${address.includes('[') ? '' : ']'}`;
  let end = start + address.length;
  while (end > start && ends.includes(text[end - 1] as string)) end -= 1;
  return end;
}

/** Decodes character references, escapes of scripts and style sheets, and bytes of UTF-8. */
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

/** Encodes the characters that end a URL in quotes, brackets or markup. */
export const encodeInUrl = (url: string): string =>
  url.replace(/['"()\s\\<>`]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Escapes a URL as another one was. @param isMarkup whether `&` is `&amp;` where the other has none */
export function writtenLike(written: string, url: string, isMarkup: boolean): string {
  const usual = isMarkup && !written.includes('&') ? '&amp;' : '&';
  const ampersand = /&amp;|&#38;|\\u0026/i.exec(written)?.[0] ?? usual;
  const slash = /\\\/|\\u002f/i.exec(written)?.[0] ?? '/';
  return encodeInUrl(url).replace(/[&/]/g, (character) => (character === '&' ? ampersand : slash));
}

const beginning = [
  String.raw`https?:(?:\/\/|\\\/\\\/)`,
  // Without a scheme, a host follows; what stands before is no part of a path.
  String.raw`(?<![:\w\\/.])(?:\/\/|\\\/\\\/)(?=[\w-]+\.)`,
  String.raw`(?<![\w\\/.-])\\?\/(?=placeholder\.svg|api\\?\/placeholder\\?\/\d)`,
  String.raw`(?<=["'(\`])(?:\.{0,2}\/)?(?=path\/to\/image[\w.-]*["')\`])`,
].join('|');

/** A URL of a placeholder service in a text. */
export type KnownUrl = TextUrl & { readonly judged: JudgedUrl };

/** Finds the URLs of placeholder services. @param text a source, or a script of a page */
export function* knownUrlsIn(text: string): Generator<KnownUrl> {
  for (const match of urlsIn(text, new RegExp(beginning, 'g'))) {
    // It is a parameter of another URL: `/_next/image?url=https://…`.
    if (/[/?&][^\s"'`<>(){},;/?&]*$/.test(text.slice(Math.max(0, match.start - 300), match.start))) continue;
    const isBegun = /^<[%?]/.test(text.slice(match.end, match.end + 2));
    const judged = judgeUrl(isBegun ? `${match.url}<` : match.url);
    if (judged.reason === 'placeholder') yield { ...match, judged };
  }
}

/** The URLs in `url()` and in strings of `image-set()`, and the braces of rules. */
const inCss =
  /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)|["']((?:https?:)?\/\/[^"'\s]+|[^"'\s]+\.(?:png|jpe?g|webp|avif|gif|svg))["']|[{}]/dgi;

/** Finds the URLs in CSS, with their property in lower case and the selector of their rule, if any. */
export function cssUrls(css: string) {
  // In a `style` attribute, quotes may be character references. A quote takes as many characters as its own.
  const quoted = css.replace(/&(?:(quot|#34)|apos|#39);/g, (reference, double) =>
    (double ? '"' : "'").padStart(reference.length),
  );
  const plain = withoutCode(quoted, 'style');
  let selector = '';
  return [...plain.matchAll(inCss)].flatMap(({ 0: whole, indices = [], index }) => {
    const before = plain.slice(Math.max(0, index - 300), index);
    if (whole === '{' || whole === '}') {
      // The innermost rule that is open: one within @media is the same as without.
      selector = whole === '{' ? (/[^{};]*$/.exec(before)?.[0] ?? '').replace(/\s+/g, ' ').trim() : '';
      return [];
    }
    const [from, end] = indices.slice(1).find(Boolean) ?? [index, index];
    const url = plain.slice(from, end).trim();
    const property = /(?:^|[;{}])\s*([\w-]+)\s*:[^;{}]*$/.exec(before)?.[1]?.toLowerCase() ?? '';
    return url === '' ? [] : [{ url, start: plain.indexOf(url, from), property, selector }];
  });
}

/** The kind of a text, by which it is read. */
export type TextKind = 'html' | 'script' | 'style' | 'markdown' | 'mdx' | 'yaml' | 'markup';

const [templates, programs] = ['html markup markdown', 'script mdx markup'];
/** Makes a pattern from `open` to `close`, else to the end: what is never closed is searched once. */
const upTo = (open: string, close: string) => `${open}[^]*?(?:${close}|(?![^]))`;
/** Comments, and code that is shown to readers, by the kinds of texts that have them. */
const codeOf: readonly (readonly [kinds: string, pattern: string])[] = [
  ['script markdown mdx markup', upTo('<!--', '-->')],
  // `image/*` begins no comment.
  [`style ${programs}`, upTo(String.raw`(?<![\w*])\/\*`, String.raw`\*\/`)],
  [programs, String.raw`^[ \t]*\/\/.*`],
  ['yaml', '^[ \t]*#.*'],
  [templates, upTo(String.raw`\{\{!?--`, String.raw`--\}\}`)],
  // `{#if}` of Svelte is no comment, as it has no blank.
  ['html markup', String.raw`\{#\s(?:[^{#]|#(?!\})|\{(?!#\s))*#\}`],
  [templates, upTo('<%(?:--|#)', '%>')],
  [templates, upTo(String.raw`\{%-?\s*(?<block>comment|highlight)\b`, String.raw`\{%-?\s*end\k<block>\b`)],
  [templates, upTo(String.raw`\{\{[<%]\s*highlight\b`, String.raw`\{\{[<%]\s*\/highlight\b`)],
  ['script markup markdown mdx', upTo(String.raw`<(?<tag>pre|code)\b`, String.raw`<\/\k<tag>>`)],
  [
    'markdown mdx',
    upTo(String.raw`^[ \t>]*(?<fence>\`{3,9}|~{3,9})`, String.raw`^[ \t>]*\k<fence>[\`~]*[ \t]*$`),
  ],
  // In a paragraph, code ends with as many ticks as it began with.
  ['markdown mdx', String.raw`(?<ticks>\`{1,9})(?:(?!\n[ \t]*\n)[^]){0,2000}?(?<!\`)\k<ticks>(?!\`)`],
  // Lines that are code by their indentation, behind an empty line.
  ['markdown', String.raw`(?<=(?:^|\n[ \t]*)\n)(?:(?: {4}|\t).*\S.*(?:\n|(?![^])))+`],
];

/** Makes comments and shown code blank; every other character stays where it stands. */
export function withoutCode(text: string, kind: TextKind): string {
  const patterns = codeOf.filter(([kinds]) => kinds.split(' ').includes(kind));
  const any = new RegExp(patterns.map(([, pattern]) => pattern).join('|'), 'gm');
  return patterns.length === 0 ? text : text.replace(any, (code) => ' '.repeat(code.length));
}
