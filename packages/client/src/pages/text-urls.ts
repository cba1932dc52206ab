/** URLs of placeholder services in any text, and the parts of a text that no program runs: comments and shown code. */

import { type DescribedUrl, judgeUrl } from './judge-url';

/** A URL of a placeholder service in a text. */
export interface KnownUrl extends DescribedUrl {
  /** As a program reads it. */
  readonly url: string;
  /** As it is written, from `start` to `end`. */
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** What a URL may be written with: `\/` of JSON and PHP, `\u0026`, and no character reference of a quote. */
const character = String.raw`(?:[^\s"'\`<>()\\&]|&(?!(?:quot|apos|#3[49]|lt|gt);)|\\\/|\\u0026)`;
const beginning = [
  String.raw`https?:(?:\/\/|\\\/\\\/)`,
  // Without a scheme, a host follows; what stands before is no part of a path.
  String.raw`(?<![:\w\\/.])(?:\/\/|\\\/\\\/)(?=[\w-]+\.)`,
  String.raw`(?<![\w\\/.-])\\?\/(?=placeholder\.svg|api\\?\/placeholder\\?\/\d)`,
  String.raw`(?<=["'(\`])(?:\.{0,2}\/)?(?=path\/to\/image[\w.-]*["')\`])`,
].join('|');
const anyUrl = new RegExp(`(?:${beginning})${character}*`, 'g');

/** @param text a source, or a script of a page */
export function* knownUrlsIn(text: string): Generator<KnownUrl> {
  for (const { 0: match, index: start } of text.matchAll(anyUrl)) {
    // Another URL goes on: `/_next/image?url=https://…`.
    if (/[/?&][^\s"'`<>(){},;/?&]*$/.test(text.slice(Math.max(0, start - 300), start))) continue;
    const isGroup = { '}': match.includes('{'), ']': match.includes('[') };
    const ends = `.,;:!*|${isGroup['}'] ? '' : '}'}${isGroup[']'] ? '' : ']'}`;
    let { length } = match;
    while (length > 0 && ends.includes(match[length - 1] as string)) length -= 1;
    const written = match.slice(0, length);
    const end = start + length;
    const url = written.replaceAll('\\/', '/').replace(/\\u0026|&(?:amp|#38);/g, '&');
    const judged = judgeUrl(/^<[%?]/.test(text.slice(end, end + 2)) ? `${url}<` : url);
    if (judged.kind === 'placeholder') yield { ...judged, url, written, start, end };
  }
}

/** A URL of ours as another one stood in its text. @param isMarkup whether `&` is a reference where nothing else says so */
export function writtenLike(written: string, url: string, isMarkup: boolean): string {
  const isReference = /&(?:amp|#38);/.test(written) || (isMarkup && !written.includes('&'));
  const ampersand = written.includes('\\u0026') ? '\\u0026' : isReference ? '&amp;' : '&';
  const text = url
    .replace(/['"()\s\\<>`]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replaceAll('&', ampersand);
  return written.includes('\\/') ? text.replaceAll('/', '\\/') : text;
}

/** How a text is read. */
export type TextKind = 'html' | 'script' | 'style' | 'markdown' | 'mdx' | 'yaml' | 'json' | 'markup';

const [templates, programs] = ['html markup markdown', 'script mdx markup json'];
/** What is opened, up to what closes it or else the end, so that a text is read once whatever is never closed. */
const upTo = (open: string, close: string) => String.raw`${open}[^]*?(?:${close}|(?![^]))`;
/** Comments, and code that is shown to readers, by the kinds of texts that have them. */
const codeOf: readonly (readonly [kinds: string, pattern: string])[] = [
  ['script markdown mdx markup', upTo('<!--', '-->')],
  // `image/*` is none.
  [`style ${programs}`, upTo(String.raw`(?<![\w*])\/\*`, String.raw`\*\/`)],
  [programs, String.raw`^[ \t]*\/\/.*`],
  ['yaml', '^[ \t]*#.*'],
  [templates, upTo(String.raw`\{\{!?--`, String.raw`--\}\}`)],
  // `{#if}` of Svelte is none.
  ['html markup', String.raw`\{#\s(?:[^{#]|#(?!\})|\{(?!#\s))*#\}`],
  [templates, upTo('<%(?:--|#)', '%>')],
  [templates, upTo(String.raw`\{%-?\s*comment\b`, String.raw`\{%-?\s*endcomment\b`)],
  [templates, upTo(String.raw`\{%-?\s*highlight\b`, String.raw`\{%-?\s*endhighlight\b`)],
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

/** A text whose comments and shown code are blank; every other character stands where it stood. */
export function withoutCode(text: string, kind: TextKind): string {
  const patterns = codeOf.filter(([kinds]) => kinds.split(' ').includes(kind));
  const any = new RegExp(patterns.map(([, pattern]) => pattern).join('|'), 'gm');
  return patterns.length === 0 ? text : text.replace(any, (code) => ' '.repeat(code.length));
}
