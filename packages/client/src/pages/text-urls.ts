/** Finds URLs in any text, however it escapes them. Also finds comments and code that is shown to readers. */

import { parseFragment } from 'parse5';
import { type JudgedUrl, judgeUrl } from './judge-url';

/** A URL in a text: decoded, and as it is written there. */
export interface TextUrl {
  readonly url: string;
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

const openingQuote = /(\\*["'`]|&(?:quot|apos|#34|#39);)\s*$/;
/** The characters of a URL without quotes, with the escapes `\/` and `\u0026`, but not `&quot;` and its like. */
const bareUrl = /(?:\\(?:\/|u[\da-f]{4})|&(?!(?:quot|apos|lt|gt|#34|#39);)|[^\s"'`<>()\\&])*/iy;

/** Finds the URLs of a text that begin with a pattern. @param beginning with the flag `g` */
export function* matchUrls(text: string, beginning: RegExp): Generator<TextUrl> {
  let end = 0;
  for (const { index: start } of text.matchAll(beginning)) {
    if (start < end) continue;
    end = findUrlEnd(text, start);
    const written = text.slice(start, end);
    yield { url: unescapeUrl(written), written, start, end };
  }
}

/** Finds the end of a URL. In quotes it ends at the quote, else at a space or at a punctuation mark behind it. */
function findUrlEnd(text: string, start: number): number {
  const [, quote] = openingQuote.exec(text.slice(Math.max(0, start - 12), start)) ?? [];
  const [line = ''] = text.slice(start, start + 2_000).split(/[\r\n]/, 1);
  const length =
    quote === undefined ? -1 : line.search(new RegExp(`(?<!\\\\)${quote.replaceAll('\\', '\\\\')}`));
  // A `srcset` in quotes holds more than one URL.
  if (length >= 0 && !/\s\d+(?:\.\d+)?[wx]\s*(?:,|$)/.test(line.slice(0, length)))
    return start + line.slice(0, length).trimEnd().length;
  bareUrl.lastIndex = start;
  const [address = ''] = bareUrl.exec(text) ?? [];
  const ends = `.,;:!?*|${address.includes('{') ? '' : '}'}${address.includes('[') ? '' : ']'}`;
  let end = start + address.length;
  while (end > start && ends.includes(text[end - 1] as string)) end -= 1;
  return end;
}

function unescapeUrl(written: string): string {
  const [element] = written.includes('&')
    ? parseFragment(`<a b="${written.replaceAll('"', '&quot;')}">`).childNodes
    : [];
  const attributeValue = element && 'attrs' in element ? (element.attrs[0]?.value ?? written) : written;
  const text = attributeValue.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code, character) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : character,
  );
  const decodedText = /[^\0-\xff]/.test(text) ? text : Buffer.from(text, 'latin1').toString();
  return decodedText.includes('\ufffd') ? text : decodedText;
}

/** Percent-encodes the characters that would end a URL in quotes, brackets or markup. */
export const encodeUnsafe = (url: string): string =>
  url.replace(/['"()\s\\<>`]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Escapes a URL as another one is. @param isMarkup writes `&` as `&amp;` if the other URL has no `&` */
export function escapeLike(written: string, url: string, isMarkup: boolean): string {
  const usual = isMarkup && !written.includes('&') ? '&amp;' : '&';
  const ampersand = /&amp;|&#38;|\\u0026/i.exec(written)?.[0] ?? usual;
  const slash = /\\\/|\\u002f/i.exec(written)?.[0] ?? '/';
  return encodeUnsafe(url).replace(/[&/]/g, (character) => (character === '&' ? ampersand : slash));
}

const urlBeginning = [
  String.raw`https?:(?:\/\/|\\\/\\\/)`,
  // Without a scheme, a host follows. What stands before it must not be the end of a path.
  String.raw`(?<![:\w\\/.])(?:\/\/|\\\/\\\/)(?=[\w-]+\.)`,
  String.raw`(?<![\w\\/.-])\\?\/(?=placeholder\.svg|api\\?\/placeholder\\?\/\d)`,
  String.raw`(?<=["'(\`])(?:\.{0,2}\/)?(?=path\/to\/image[\w.-]*["')\`])`,
].join('|');

export type PlaceholderUrl = TextUrl & { readonly judgedUrl: JudgedUrl };

/** Finds the URLs of placeholder services. @param text a source, or a script of a page */
export function* findPlaceholderUrls(text: string): Generator<PlaceholderUrl> {
  for (const match of matchUrls(text, new RegExp(urlBeginning, 'g'))) {
    // Skips a URL that is a parameter of another one: `/_next/image?url=https://…`.
    if (/[/?&][^\s"'`<>(){},;/?&]*$/.test(text.slice(Math.max(0, match.start - 300), match.start))) continue;
    // A template tag behind the URL continues it.
    const isContinued = /^<[%?]/.test(text.slice(match.end, match.end + 2));
    const judgedUrl = judgeUrl(isContinued ? `${match.url}<` : match.url);
    if (judgedUrl.reason === 'placeholder') yield { ...match, judgedUrl };
  }
}

const cssToken =
  /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)|["']((?:https?:)?\/\/[^"'\s]+|[^"'\s]+\.(?:png|jpe?g|webp|avif|gif|svg))["']|[{}]/dgi;

/** Finds the URLs in CSS, with the selector of their rule and their property in lower case. Both may be empty. */
export function findCssUrls(css: string) {
  // In a `style` attribute, quotes may be character references. Padding keeps the positions of all others.
  const quotedCss = css.replace(/&(?:(quot|#34)|apos|#39);/g, (reference, double) =>
    (double ? '"' : "'").padStart(reference.length),
  );
  const cssWithoutCode = blankCode(quotedCss, 'style');
  let selector = '';
  return [...cssWithoutCode.matchAll(cssToken)].flatMap(({ 0: whole, indices = [], index }) => {
    const before = cssWithoutCode.slice(Math.max(0, index - 300), index);
    if (whole === '{' || whole === '}') {
      // Keeps the innermost open rule. A rule within @media counts as the same rule without it.
      selector = whole === '{' ? (/[^{};]*$/.exec(before)?.[0] ?? '').replace(/\s+/g, ' ').trim() : '';
      return [];
    }
    const [from, end] = indices.slice(1).find(Boolean) ?? [index, index];
    const url = cssWithoutCode.slice(from, end).trim();
    const property = /(?:^|[;{}])\s*([\w-]+)\s*:[^;{}]*$/.exec(before)?.[1]?.toLowerCase() ?? '';
    return url === '' ? [] : [{ url, start: cssWithoutCode.indexOf(url, from), property, selector }];
  });
}

export type TextKind = 'html' | 'script' | 'style' | 'markdown' | 'mdx' | 'yaml' | 'markup';

const [templates, programs] = ['html markup markdown', 'script mdx markup'];
/** Writes the pattern of a block. One that is not closed ends with the text. */
const writeBlock = (open: RegExp, close: RegExp) => `${open.source}[^]*?(?:${close.source}|(?![^]))`;
/** Patterns of comments and of shown code, each with the kinds of texts that have it. */
const codePatterns: readonly (readonly [kinds: string, pattern: string])[] = [
  ['script markdown mdx markup', writeBlock(/<!--/, /-->/)],
  // `image/*` begins no comment.
  [`style ${programs}`, writeBlock(/(?<![\w*])\/\*/, /\*\//)],
  [programs, String.raw`^[ \t]*\/\/.*`],
  ['yaml', '^[ \t]*#.*'],
  [templates, writeBlock(/\{\{!?--/, /--\}\}/)],
  // `{#if}` of Svelte is no comment, because it has no space.
  ['html markup', String.raw`\{#\s(?:[^{#]|#(?!\})|\{(?!#\s))*#\}`],
  [templates, writeBlock(/<%(?:--|#)/, /%>/)],
  [templates, writeBlock(/\{%-?\s*comment\b/, /\{%-?\s*endcomment\b/)],
  [templates, writeBlock(/\{%-?\s*highlight\b/, /\{%-?\s*endhighlight\b/)],
  [templates, writeBlock(/\{\{[<%]\s*highlight\b/, /\{\{[<%]\s*\/highlight\b/)],
  ['script markup markdown mdx', writeBlock(/<pre\b/, /<\/pre>/)],
  ['script markup markdown mdx', writeBlock(/<code\b/, /<\/code>/)],
  [
    'markdown mdx',
    String.raw`^[ \t>]*(?<fence>\`{3,9}|~{3,9})[^]*?(?:^[ \t>]*\k<fence>[\`~]*[ \t]*$|(?![^]))`,
  ],
  // Within a paragraph, code ends with as many ticks as it began with.
  ['markdown mdx', String.raw`(?<ticks>\`{1,9})(?:(?!\n[ \t]*\n)[^]){0,2000}?(?<!\`)\k<ticks>(?!\`)`],
  // Lines behind an empty line are code if they are indented.
  ['markdown', String.raw`(?<=(?:^|\n[ \t]*)\n)(?:(?: {4}|\t).*\S.*(?:\n|(?![^])))+`],
];

/** Replaces comments and shown code by spaces, so that all other characters keep their positions. */
export function blankCode(text: string, kind: TextKind): string {
  const patterns = codePatterns.filter(([kinds]) => kinds.split(' ').includes(kind));
  const anyCode = new RegExp(patterns.map(([, pattern]) => pattern).join('|'), 'gm');
  return patterns.length === 0 ? text : text.replace(anyCode, (code) => ' '.repeat(code.length));
}
