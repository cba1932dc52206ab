/** Edits texts by position, and writes texts of strangers as data in HTML and every template language. */

import type { ImageRecord } from '../service';

/** A part of a text, and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a text. @param edits that do not overlap; several in one place stay in their order */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: written } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), written);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Makes a function that returns the line of a position in a text, from 1. */
export function lineCounter(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)];
  return (offset) => 1 + firstFrom(breaks, offset, ({ index }) => index);
}

/** Returns the index of the first item that is not before a position, of items that are sorted by theirs. */
export function firstFrom<T>(sorted: readonly T[], position: number, positionOf: (item: T) => number) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positionOf(sorted[middle] as T) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Drops control characters, and splits what template languages would run: `{{`, `{%`, `<%`, `${`, `#{`. */
export function asData(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}+/gu, ' ');
  const parted = plain.replace(/([{<$#])(?=[{%])|([}%])(?=[}>])/g, '$& ');
  return parted.replace(/\s+/g, ' ').trim();
}

/** Escapes a text for HTML and template languages; with `isAscii`, all characters that are not ASCII too. */
export function escapeHtml(text: string, isAscii = false): string {
  const special = isAscii ? /[&<>"'`@{}]|[^\0-~]/gu : /[&<>"'`@{}]/g;
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return plain.replace(special, (sign) => (sign === '&' ? '&amp;' : `&#${sign.codePointAt(0)};`));
}

/** Returns the credit that is due for an image, and the page of the image; `undefined` for none. */
export function dueCredit(record: ImageRecord | undefined) {
  // The service puts an image into a figure where its licence asks for a credit.
  if (!record || (record.html !== null && !record.html.includes('<figcaption>'))) return undefined;
  const { creditLine, landingUrl = '' } = record.attribution;
  return { text: asData(creditLine), url: /^https?:\/\//i.test(landingUrl) ? landingUrl : undefined };
}
