/** Edits texts by position, and escapes texts of strangers for HTML and template languages. */

import type { ImageRecord } from '../service';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, which must not overlap. Several insertions in one place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: newText } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), newText);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Returns a function that finds the line of a position. The first line is 1. */
export function createLineFinder(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)];
  return (offset) => 1 + findFirst(breaks, offset, ({ index }) => index);
}

/** Finds the index of the first item at or behind a position. @param sorted by position */
export function findFirst<T>(sorted: readonly T[], position: number, getPosition: (item: T) => number) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (getPosition(sorted[middle] as T) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Drops control characters, and puts a space into the marks of template languages: `{{`, `{%`, `<%`, `${`, `#{`. */
export function neutraliseText(text: string): string {
  const plainText = text.toWellFormed().replace(/\p{Cc}+/gu, ' ');
  const splitText = plainText.replace(/([{<$#])(?=[{%])|([}%])(?=[}>])/g, '$& ');
  return splitText.replace(/\s+/g, ' ').trim();
}

/** Escapes a text for HTML and template languages. @param isAscii escapes all other characters as well */
export function escapeHtml(text: string, isAscii = false): string {
  const special = isAscii ? /[&<>"'`@{}]|[^\0-~]/gu : /[&<>"'`@{}]/g;
  const plainText = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return plainText.replace(special, (sign) => (sign === '&' ? '&amp;' : `&#${sign.codePointAt(0)};`));
}

/** Returns the credit that a licence asks for, and the URL of the image's own page; `undefined` for none. */
export function parseCredit(record: ImageRecord | undefined) {
  // The service puts an image into a figure if its licence asks for a credit.
  if (!record || (record.html !== null && !record.html.includes('<figcaption>'))) return undefined;
  const { creditLine, landingUrl = '' } = record.attribution;
  return { text: neutraliseText(creditLine), url: /^https?:\/\//i.test(landingUrl) ? landingUrl : undefined };
}
