/** Changes of a page by position: what is not written stays byte for byte. */

import { type Credit, escapeHtml } from './foreign-texts';
import { attribute, type Element, type Page, startOf, textOf } from './read-page';

/** A part of a text, and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits that do not overlap; several in one place stay in their order */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: written } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), written);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Attributes to write; `undefined` removes one. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** How texts are written into a page. */
export interface PageForm {
  /** Whether it is to stay well-formed XML. */
  readonly isXml: boolean;
  /** Whether it does not say that it is UTF-8, so that nothing but ASCII is safe in it. */
  readonly isAscii: boolean;
}

export function formOf({ html, elements }: Page): PageForm {
  const beginning = html.slice(0, 1_000);
  const root = elements.find(({ tagName }) => tagName === 'html');
  const isXml =
    /^\ufeff?\s*<\?xml\s/.test(beginning) ||
    /<!DOCTYPE[^>]*\bXHTML\b/i.test(beginning) ||
    (root !== undefined && attribute(root, 'xmlns') !== undefined);
  const saysUtf8 =
    html.startsWith('\ufeff') ||
    elements.some(
      (each) =>
        each.tagName === 'meta' &&
        /^utf-?8$/i.test(
          attribute(each, 'charset') ??
            /charset\s*=\s*([\w-]+)/i.exec(attribute(each, 'content') ?? '')?.[1] ??
            '',
        ),
    );
  return { isXml, isAscii: !saysUtf8 };
}

/** The edits that write attributes of one element, in their place or behind the last one. */
export function attributeEdits(
  { html }: Page,
  element: Element,
  values: Attributes,
  { isAscii }: PageForm,
): Edit[] {
  const location = element.sourceCodeLocation;
  if (!location) return [];
  const { attrs = {}, startOffset } = location;
  const tag = /^<[^\s/>]+/.exec(html.slice(startOffset, startOffset + 80))?.[0] ?? '';
  const ends = Object.values(attrs).map(({ endOffset }) => endOffset);
  const last = ends.reduce((max, end) => Math.max(max, end), startOffset + tag.length);
  const edits: Edit[] = [];
  let added = '';
  for (const [name, value] of Object.entries(values)) {
    const at = attrs[name];
    if (value === attribute(element, name) || (value === undefined && !at)) continue;
    const text = escapeHtml(value ?? '', isAscii);
    if (!at) added += ` ${name}="${text}"`;
    else if (value === undefined) {
      const isSpaced = /\s/.test(html[at.startOffset - 1] ?? '');
      edits.push({ start: at.startOffset - (isSpaced ? 1 : 0), end: at.endOffset, text: '' });
    } else {
      const [whole = '', given = name, quote = ''] =
        /^([^\s=]+)(?:\s*=\s*(["']?))?/.exec(html.slice(at.startOffset, at.endOffset)) ?? [];
      edits.push(
        quote === ''
          ? { start: at.startOffset, end: at.endOffset, text: `${given}="${text}"` }
          : { start: at.startOffset + whole.length, end: at.endOffset - 1, text },
      );
    }
  }
  if (added !== '') edits.push({ start: last, end: last, text: added });
  return edits;
}

const creditsAttribute = 'data-image-credits';

/** The edits that show credits: in the element of the page that holds them, else in a footer at its end. */
export function creditEdits(page: Page, credits: readonly Credit[], form: PageForm): Edit[] {
  const place = page.elements.find((each) => attribute(each, creditsAttribute) !== undefined);
  const { startTag, endTag } = place?.sourceCodeLocation ?? {};
  const shown = place && startTag && endTag ? textOf(page, place) : '';
  const due = new Map(credits.map((credit) => [credit.text, credit]));
  const spans = [...due.values()]
    .filter(({ text }) => !shown.includes(text))
    .map((credit) => `<span>${creditHtml(credit, form)}</span>`);
  if (spans.length === 0) return [];
  const separator = form.isAscii ? ' &#183; ' : ' · ';
  const content = spans.join(separator);
  if (startTag && endTag) {
    const before = page.html.slice(startTag.endOffset, endTag.startOffset);
    const at = endTag.startOffset - (/<\/small>\s*$/.exec(before)?.[0].length ?? 0);
    return [{ start: at, end: at, text: before.trim() === '' ? content : separator + content }];
  }
  const value = form.isXml ? '=""' : '';
  const at = endOf(page);
  return [
    {
      start: at,
      end: at,
      text: `<footer ${creditsAttribute}${value}><small>${content}</small></footer>`,
    },
  ];
}

function creditHtml({ text, url }: Credit, { isAscii }: PageForm): string {
  const line = escapeHtml(text, isAscii);
  return url === undefined ? line : `<a href="${escapeHtml(url, isAscii)}" rel="noopener">${line}</a>`;
}

/** Elements whose content is text up to their end tag. */
const rawText = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/;

/** Where the content of the page ends: before a tag, a comment or a text that is no markup begins and never ends. */
function endOf({ html, elements }: Page): number {
  for (const tag of ['body', 'html']) {
    const end = elements.find(({ tagName }) => tagName === tag)?.sourceCodeLocation?.endTag?.startOffset;
    if (end !== undefined) return end;
  }
  const raw = elements.find(
    ({ tagName, sourceCodeLocation }) => rawText.test(tagName) && !sourceCodeLocation?.endTag,
  );
  if (raw) return startOf(raw);
  // An element without an end tag ends where the page does.
  const from = elements.reduce((last, { sourceCodeLocation: at }) => {
    const { endOffset = 0 } = at?.endTag ?? at?.startTag ?? at ?? {};
    return Math.max(last, endOffset);
  }, 0);
  const unfinished = html.slice(from).search(/<[a-z!/?]/i);
  return unfinished < 0 ? html.length : from + unfinished;
}
