/** URLs of placeholder services in any text, and the parts of a text that no program runs: comments and shown code. */

import { type DescribedUrl, judgeUrl } from './judge-url';
import { firstFrom } from './read-page';

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
    if (isWithinUrl(text, start)) continue;
    const written = withoutEnd(match);
    const end = start + written.length;
    const url = written.replaceAll('\\/', '/').replace(/\\u0026|&(?:amp|#38);/g, '&');
    const judged = judgeUrl(/^<[%?]/.test(text.slice(end, end + 2)) ? `${url}<` : url);
    if (judged.kind === 'placeholder') yield { ...judged, url, written, start, end };
  }
}

/** Whether another URL goes on before: `/_next/image?url=https://…`. */
function isWithinUrl(text: string, start: number): boolean {
  let at = start - 1;
  while (at > start - 300 && !/[\s"'`<>(){},;/?&]/.test(text[at] ?? ' ')) at -= 1;
  return /[/?&]/.test(text[at] ?? ' ');
}

/** Without the punctuation of the text around it. */
function withoutEnd(url: string): string {
  let end = url.length;
  const marks = `.,;:!*|${url.includes('{') ? '' : '}'}${url.includes('[') ? '' : ']'}`;
  while (end > 0 && marks.includes(url[end - 1] as string)) end -= 1;
  return url.slice(0, end);
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

interface Pair {
  readonly open: RegExp;
  /** How it is closed. @param opened what it was opened with */
  readonly close: RegExp | ((opened: string) => RegExp);
  readonly kinds: string;
}

const templates = 'html markup markdown';
const programs = 'script mdx markup json';
/** Comments, and code that is shown to readers. */
const pairs: readonly Pair[] = [
  { open: /<!--/, close: /-->/, kinds: 'script markdown mdx markup' },
  // `image/*` is none.
  { open: /(?<![\w*])\/\*/, close: /\*\//, kinds: `style ${programs}` },
  { open: /^[ \t]*\/\//, close: /$/, kinds: programs },
  { open: /^[ \t]*#/, close: /$/, kinds: 'yaml' },
  { open: /\{\{!?--/, close: /--\}\}/, kinds: templates },
  { open: /\{#/, close: /#\}/, kinds: 'html markup' },
  { open: /<%(?:--|#)/, close: /%>/, kinds: templates },
  { open: /\{%-?\s*comment\b/, close: /\{%-?\s*endcomment\b/, kinds: templates },
  { open: /\{%-?\s*highlight\b/, close: /\{%-?\s*endhighlight\b/, kinds: templates },
  { open: /\{\{[<%]\s*highlight\b/, close: /\{\{[<%]\s*\/highlight\b/, kinds: templates },
  { open: /<(?:pre|code)\b/, close: /<\/(?:pre|code)>/, kinds: 'script markup markdown mdx' },
  {
    // One that is never closed goes on to the end.
    open: /^[ \t>]*(?:`{3,9}|~{3,9})/,
    close: (opened) =>
      new RegExp(`^[ \\t>]*${opened.replace(/[\s>]/g, '')}[\`~]*[ \\t]*$|(?![\\s\\S])`, 'gm'),
    kinds: 'markdown mdx',
  },
  {
    // In a paragraph, code ends with as many ticks as it began with.
    open: /`{1,9}/,
    close: (opened) => new RegExp(`(?<!\`)${opened}(?!\`)|(?=\\n[ \\t]*\\n)`, 'g'),
    kinds: 'markdown mdx',
  },
];

/** Whether a position of a text lies in a comment or in code that is shown; the text is read once. */
export function shownRegions(text: string, kind: TextKind): (offset: number) => boolean {
  const used = pairs.filter(({ kinds }) => kinds.split(' ').includes(kind));
  const opening = new RegExp(used.map(({ open }) => `(${open.source})`).join('|'), 'gm');
  const closing = used.map(({ close }) => (close instanceof RegExp ? new RegExp(close, 'gm') : close));
  const never = new Set<unknown>();
  const regions = kind === 'markdown' ? indentedLines(text) : [];
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const { 0: opened, index } = match;
    const closes = closing[match.slice(1).findIndex((group) => group !== undefined)];
    if (!closes || never.has(closes)) continue;
    const close = closes instanceof RegExp ? closes : closes(opened);
    close.lastIndex = index + opened.length;
    if (close.test(text)) {
      regions.push([index, close.lastIndex]);
      opening.lastIndex = Math.max(close.lastIndex, index + 1);
      // What is never closed is no comment, and others like it need not be looked for.
    } else never.add(closes);
  }
  regions.sort(([a], [b]) => a - b);
  const starts = regions.map(([start]) => start);
  return (offset) => offset < (regions[firstFrom(starts, offset + 1) - 1]?.[1] ?? 0);
}

/** Lines that are code by their indentation: behind an empty line, or behind another one. */
function indentedLines(text: string): (readonly [start: number, end: number])[] {
  let isBehindEmpty = true;
  return [...text.matchAll(/^.*$/gm)].flatMap(({ 0: line, index }) => {
    const isCode: boolean = isBehindEmpty && /^(?: {4}|\t).*\S/.test(line);
    isBehindEmpty = line.trim() === '' || isCode;
    return isCode ? [[index, index + line.length] as const] : [];
  });
}
