/** URLs of placeholder services in any text, and the parts of a text that nobody's program runs: comments and shown code. */

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
const slashes = String.raw`(?:\/\/|\\\/\\\/)`;
const beginning = [
  `https?:${slashes}`,
  // Without a scheme, a host follows; what stands before is no part of a path.
  String.raw`(?<![:\w\\/.])${slashes}(?=[\w-]+\.)`,
  String.raw`(?<![\w\\/.-])\\?\/(?=placeholder\.svg|api\\?\/placeholder\\?\/\d)`,
  String.raw`(?<=["'(\`])(?:\.{0,2}\/)?(?=path\/to\/image[\w.-]*["')\`])`,
].join('|');
const anyUrl = new RegExp(`(?:${beginning})${character}*`, 'g');

/** @param text a source, or a script of a page */
export function* knownUrlsIn(text: string): Generator<KnownUrl> {
  for (const match of text.matchAll(anyUrl)) {
    const start = match.index;
    if (isWithinUrl(text, start)) continue;
    const written = withoutEnd(match[0]);
    const end = start + written.length;
    const url = decoded(written);
    const judged = judgeUrl(/^<[%?]/.test(text.slice(end, end + 2)) ? `${url}<` : url);
    if (judged.kind === 'placeholder') yield { ...judged, url, written, start, end };
  }
}

/** Whether another URL goes on before: `/_next/image?url=https://…`. */
function isWithinUrl(text: string, start: number): boolean {
  for (let at = start - 1; at >= Math.max(0, start - 300); at -= 1) {
    const character = text[at] as string;
    if (/[\s"'`<>(){},;]/.test(character)) return false;
    if (/[/?&]/.test(character)) return true;
  }
  return false;
}

/** Without the punctuation of the text around it. */
function withoutEnd(url: string): string {
  let end = url.length;
  const open = { '}': url.includes('{'), ']': url.includes('[') };
  for (; end > 0; end -= 1) {
    const last = url[end - 1] as string;
    if (last === '}' || last === ']' ? open[last] : !/[.,;:!*|]/.test(last)) break;
  }
  return url.slice(0, end);
}

/** A URL as a program reads it. */
const decoded = (written: string) => written.replaceAll('\\/', '/').replace(/\\u0026|&(?:amp|#38);/g, '&');

/** A URL of ours as another one stood in its text. @param isMarkup whether `&` is a reference where nothing else says so */
export function writtenLike(written: string, url: string, isMarkup: boolean): string {
  const hasReference = /&(?:amp|#38);/.test(written);
  const ampersand = written.includes('\\u0026')
    ? '\\u0026'
    : hasReference || (isMarkup && !written.includes('&'))
      ? '&amp;'
      : '&';
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
  /** Whether one that is never closed goes on to the end. */
  readonly isOpenEnded?: true;
  readonly kinds: readonly TextKind[];
}

const templates: readonly TextKind[] = ['html', 'markup', 'markdown'];
const programs: readonly TextKind[] = ['script', 'mdx', 'markup', 'json'];
const prose: readonly TextKind[] = ['markdown', 'mdx'];
/** Comments, and code that is shown to readers. */
const pairs: readonly Pair[] = [
  { open: /<!--/, close: /-->/, kinds: ['script', 'markdown', 'mdx', 'markup'] },
  // `image/*` is none.
  { open: /(?<![\w*])\/\*/, close: /\*\//, kinds: ['style', ...programs] },
  { open: /^[ \t]*\/\//, close: /$/, kinds: programs },
  { open: /^[ \t]*#/, close: /$/, kinds: ['yaml'] },
  { open: /\{\{!--/, close: /--\}\}/, kinds: templates },
  { open: /\{\{--/, close: /--\}\}/, kinds: templates },
  { open: /\{#/, close: /#\}/, kinds: ['html', 'markup'] },
  { open: /<%(?:--|#)/, close: /%>/, kinds: templates },
  { open: /\{%-?\s*comment\b/, close: /\{%-?\s*endcomment\b/, kinds: templates },
  { open: /\{%-?\s*highlight\b/, close: /\{%-?\s*endhighlight\b/, kinds: templates },
  { open: /\{\{[<%]\s*highlight\b/, close: /\{\{[<%]\s*\/highlight\b/, kinds: templates },
  { open: /<(?:pre|code)\b/, close: /<\/(?:pre|code)>/, kinds: ['script', 'markup', ...prose] },
  {
    open: /^[ \t>]*(?:`{3,9}|~{3,9})/,
    close: (opened) => new RegExp(`^[ \\t>]*${opened.trim().replace(/^>+\s*/, '')}[\`~]*[ \\t]*$`, 'gm'),
    isOpenEnded: true,
    kinds: prose,
  },
  // In a paragraph, code ends with as many ticks as it began with.
  {
    open: /`{1,9}/,
    close: (opened) => new RegExp(`(?<!\`)${opened}(?!\`)|(?=\\n[ \\t]*\\n)`, 'g'),
    kinds: prose,
  },
];

/** Whether a position of a text lies in a comment or in code that is shown; the text is read once. */
export function shownRegions(text: string, kind: TextKind): (offset: number) => boolean {
  const used = pairs.filter(({ kinds }) => kinds.includes(kind));
  const opening = new RegExp(used.map(({ open }) => `(${open.source})`).join('|'), 'gm');
  const closing = used.map(({ close }) => (close instanceof RegExp ? new RegExp(close, 'gm') : close));
  const never = new Set<number>();
  const regions: (readonly [start: number, end: number])[] = [];
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const { 0: opened, index } = match;
    const which = match.slice(1).findIndex((group) => group !== undefined);
    const closes = closing[which];
    if (!closes || never.has(which)) continue;
    const close = closes instanceof RegExp ? closes : closes(opened);
    close.lastIndex = index + opened.length;
    const isClosed = close.test(text);
    // What is never closed is no comment, and others like it need not be looked for.
    if (!isClosed && !used[which]?.isOpenEnded) never.add(which);
    else {
      const end = isClosed ? close.lastIndex : text.length;
      regions.push([index, end]);
      opening.lastIndex = Math.max(end, index + 1);
    }
  }
  if (kind === 'markdown') regions.push(...indentedLines(text));
  regions.sort(([a], [b]) => a - b);
  const starts = regions.map(([start]) => start);
  return (offset) => {
    const [, end = 0] = regions[firstFrom(starts, offset + 1) - 1] ?? [];
    return offset < end;
  };
}

/** Lines that are code by their indentation: behind an empty line, or behind another one. */
function indentedLines(text: string): (readonly [start: number, end: number])[] {
  const lines: (readonly [number, number])[] = [];
  let isBehindEmpty = true;
  for (const { 0: line, index } of text.matchAll(/^.*$/gm)) {
    const isEmpty = line.trim() === '';
    const isCode: boolean = isBehindEmpty && !isEmpty && /^(?: {4}|\t)/.test(line);
    if (isCode) lines.push([index, index + line.length]);
    isBehindEmpty = isEmpty || isCode;
  }
  return lines;
}
