/**
 * Changes of a page by position: what is not written stays byte for byte. Texts of providers, which strangers have written,
 * are data in HTML and in every language that may read the page next.
 */

import type { ImageRecord } from '../service';
import { attribute, type Element, type Page } from './page';

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

/** The edits that write attributes of one element, in their place or behind the last one. */
export function attributeEdits({ html, isAscii }: Page, element: Element, values: Attributes): Edit[] {
  const { attrs = {}, startOffset = 0 } = element.sourceCodeLocation ?? {};
  const tag = /^<[^\s/>]+/.exec(html.slice(startOffset, startOffset + 80))?.[0] ?? '';
  const ends = Object.values(attrs).map(({ endOffset }) => endOffset);
  const last = ends.reduce((max, end) => Math.max(max, end), startOffset + tag.length);
  const edits: Edit[] = [];
  let added = '';
  for (const [name, value] of Object.entries(values)) {
    const at = attrs[name];
    if (value === attribute(element, name)) continue;
    const text = value === undefined ? '' : `"${escapeHtml(value, isAscii)}"`;
    if (!at) added += ` ${name}=${text}`;
    else if (value === undefined) {
      const space = /\s/.test(html[at.startOffset - 1] ?? '') ? 1 : 0;
      edits.push({ start: at.startOffset - space, end: at.endOffset, text });
    } else {
      // Behind the name as it is written.
      const [before = ''] = /^[^\s=]+/.exec(html.slice(at.startOffset, at.endOffset)) ?? [];
      edits.push({ start: at.startOffset + before.length, end: at.endOffset, text: `=${text}` });
    }
  }
  return [...edits, { start: last, end: last, text: added }];
}

/** The edit that writes a URL into the CSS of an element. */
export function cssEdit(
  { html, isXml, isAscii }: Page,
  element: Element,
  at: Omit<Edit, 'text'>,
  src: string,
): Edit {
  const url = src.replace(/['"()\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const { startOffset, startTag } = element.sourceCodeLocation ?? {};
  const opening = html.slice(startOffset, (startTag?.endOffset ?? 0) + 100);
  const isText = element.tagName === 'style' && (!isXml || opening.includes('<![CDATA['));
  return { ...at, text: isText ? url : escapeHtml(url, isAscii) };
}

const creditsAttribute = 'data-image-credits';

/** The edit that shows the credits of images: in the element of the page that holds them, else in a footer at its end. */
export function creditEdits(page: Page, records: Iterable<ImageRecord>): Edit[] {
  const { html, isXml, isAscii } = page;
  const place = page.elements.find((each) => attribute(each, creditsAttribute) !== undefined);
  const { startTag, endTag } = place?.sourceCodeLocation ?? {};
  const before = startTag && endTag ? html.slice(startTag.endOffset, endTag.startOffset) : '';
  const spans = new Map<string, string>();
  for (const record of records) {
    const { text, url } = creditOf(record) ?? {};
    if (text === undefined) continue;
    const line = escapeHtml(text, isAscii);
    const link = url && `<a href="${escapeHtml(url, isAscii)}" rel="noopener">${line}</a>`;
    if (!before.includes(line)) spans.set(text, `<span>${link ?? line}</span>`);
  }
  if (spans.size === 0) return [];
  const separator = isAscii ? ' &#183; ' : ' · ';
  const content = [...spans.values()].join(separator);
  const empty = isXml ? '=""' : '';
  const footer = `<footer ${creditsAttribute}${empty}><small>${content}</small></footer>`;
  if (!endTag) return [{ start: endOf(page), end: endOf(page), text: footer }];
  const at = endTag.startOffset - (/<\/small>\s*$/.exec(before)?.[0].length ?? 0);
  return [{ start: at, end: at, text: before.trim() === '' ? content : separator + content }];
}

/** Elements whose content is text up to their end tag. */
const rawText = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/;

/** Where the content of the page ends: before its end tags, else behind its last tag that is no comment's or text's. */
function endOf({ html, elements }: Page): number {
  const endTagOf = (tag: string) =>
    elements.find(({ tagName }) => tagName === tag)?.sourceCodeLocation?.endTag?.startOffset;
  const ends = elements.map(({ tagName, sourceCodeLocation: at }) => {
    const isOpen = rawText.test(tagName) && !at?.endTag;
    return (isOpen ? at?.startOffset : (at?.endTag ?? at?.startTag ?? at)?.endOffset) ?? 0;
  });
  const last = ends.reduce((max, end) => Math.max(max, end), 0);
  const text = /^[^<]*/.exec(html.slice(last))?.[0].length ?? 0;
  return endTagOf('body') ?? endTagOf('html') ?? last + text;
}

/**
 * A text without control characters, in which no template language finds an expression: `{{`, `{%`, `<%`, `${` and `#{`
 * are broken up, also for programs that read the page's texts and not its source. Razor's `@` is left to `escapeHtml`.
 */
export function asData(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return plain
    .replace(/([{<$#])(?=[{%])|([}%])(?=[}>])/g, '$& ')
    .replace(/\s+/g, ' ')
    .trim();
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** @param isAscii whether other characters are written as references, for pages that do not say how they are encoded */
function escapeHtml(text: string, isAscii: boolean): string {
  const special = isAscii ? /[&<>"'@{}]|[^\0-~]/gu : /[&<>"'@{}]/g;
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return plain.replace(special, (each) => references[each] ?? `&#${each.codePointAt(0)};`);
}

/** The credit that has to be shown with an image and its page at its source; `undefined` where the licence asks for none. */
export function creditOf({ html, attribution }: ImageRecord) {
  // The service puts an image into a figure where its licence asks for a credit.
  if (html !== null && !html.includes('<figcaption>')) return undefined;
  const { creditLine, landingUrl = '' } = attribution;
  return { text: asData(creditLine), url: /^https?:\/\//i.test(landingUrl) ? landingUrl : undefined };
}
