/** Changes of a page by position: what is not written stays byte for byte. */

import { type Credit, escapeHtml } from './foreign-texts';
import { attribute, type Element, type Page } from './read-page';

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

/** How texts are written into a page. */
export interface PageForm {
  /** Whether it is to stay well-formed XML. */
  readonly isXml: boolean;
  /** Whether it does not say that it is UTF-8, so that nothing but ASCII is safe in it. */
  readonly isAscii: boolean;
}

/** How texts are to be written into a page. */
export function formOf({ html, elements }: Page): PageForm {
  const isXml = /^\ufeff?\s*<\?xml\s|<!DOCTYPE[^>]*\bXHTML\b|<html\b[^>]*\sxmlns=/i.test(
    html.slice(0, 1_000),
  );
  const saysUtf8 = elements.some(
    (each) =>
      each.tagName === 'meta' &&
      (/^utf-?8$/i.test(attribute(each, 'charset') ?? '') ||
        /charset\s*=\s*utf-?8\b/i.test(attribute(each, 'content') ?? '')),
  );
  return { isXml, isAscii: !saysUtf8 && !html.startsWith('\ufeff') };
}

/** Attributes to write; `undefined` removes one. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** The edits that write attributes of one element, in their place or behind the last one. */
export function attributeEdits(
  { html }: Page,
  element: Element,
  values: Attributes,
  { isAscii }: PageForm,
): Edit[] {
  const { attrs = {}, startOffset = 0 } = element.sourceCodeLocation ?? {};
  const tag = /^<[^\s/>]+/.exec(html.slice(startOffset, startOffset + 80))?.[0] ?? '';
  const last = Object.values(attrs).reduce(
    (max, each) => Math.max(max, each.endOffset),
    startOffset + tag.length,
  );
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const at = attrs[name];
    const text = escapeHtml(value ?? '', isAscii);
    if (value === attribute(element, name)) continue;
    if (!at) added.push(` ${name}="${text}"`);
    else if (value === undefined) {
      const isSpaced = /\s/.test(html[at.startOffset - 1] ?? '');
      edits.push({ start: at.startOffset - (isSpaced ? 1 : 0), end: at.endOffset, text: '' });
    } else {
      const written = html.slice(at.startOffset, at.endOffset);
      const [before = '', given = name, quote = ''] = /^([^\s=]+)(?:\s*=\s*(["']?))?/.exec(written) ?? [];
      edits.push(
        quote === ''
          ? { start: at.startOffset, end: at.endOffset, text: `${given}="${text}"` }
          : { start: at.startOffset + before.length, end: at.endOffset - 1, text },
      );
    }
  }
  return [...edits, { start: last, end: last, text: added.join('') }];
}

const creditsAttribute = 'data-image-credits';

/** The edit that shows credits: in the element of the page that holds them, else in a footer at its end. */
export function creditEdits(page: Page, credits: readonly Credit[], { isXml, isAscii }: PageForm): Edit[] {
  const place = page.elements.find((each) => attribute(each, creditsAttribute) !== undefined);
  const { startTag, endTag } = place?.sourceCodeLocation ?? {};
  const before = startTag && endTag ? page.html.slice(startTag.endOffset, endTag.startOffset) : '';
  const spans = new Map<string, string>();
  for (const { text, url } of credits) {
    const line = escapeHtml(text, isAscii);
    const link = url && `<a href="${escapeHtml(url, isAscii)}" rel="noopener">${line}</a>`;
    if (!before.includes(line)) spans.set(text, `<span>${link ?? line}</span>`);
  }
  if (spans.size === 0) return [];
  const separator = isAscii ? ' &#183; ' : ' · ';
  const content = [...spans.values()].join(separator);
  if (!endTag) {
    const footer = `<footer ${creditsAttribute}${isXml ? '=""' : ''}><small>${content}</small></footer>`;
    return [{ start: endOf(page), end: endOf(page), text: footer }];
  }
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
