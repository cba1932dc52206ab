/** Texts of providers, which strangers have written: data in HTML and in every language that may read the page next. */

import type { ImageRecord } from '../service';

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
export function escapeHtml(text: string, isAscii: boolean): string {
  const special = isAscii ? /[&<>"'@{}]|[^\0-~]/gu : /[&<>"'@{}]/g;
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return plain.replace(special, (each) => references[each] ?? `&#${each.codePointAt(0)};`);
}

/** A credit that a licence asks for. */
export interface Credit {
  readonly text: string;
  /** The page of the image at its source. */
  readonly url?: string | undefined;
}

/** The credit that has to be shown with an image; `undefined` where its licence asks for none. */
export function creditOf({ html, attribution }: ImageRecord): Credit | undefined {
  // The service puts an image into a figure where its licence asks for a credit.
  if (html !== null && !html.includes('<figcaption>')) return undefined;
  const { creditLine, landingUrl = '' } = attribution;
  return { text: asData(creditLine), url: /^https?:\/\//i.test(landingUrl) ? landingUrl : undefined };
}
