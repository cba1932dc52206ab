/** Templates of HTML. They escape each value, unless it is HTML already. */

import { escapeMarkup } from '../../base/text';

/** A text that is HTML, so that templates insert it unchanged. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | undefined | readonly Value[];

/** Fills a template. Texts and numbers are escaped; HTML and lists of HTML are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  // Values keep their indentation, because the policy of a page has the hash of the exact bytes of its script.
  const text = parts.map((part, i) => part.replace(/\n\s*/g, '\n') + toMarkup(values[i]));
  return { html: text.join('') };
}

/** Marks a text as HTML. It must not come from a caller. */
export function trustHtml(text: string): Html {
  return { html: text };
}

/** Writes a text as HTML. Code in backticks becomes a `<code>` element. */
export function markUpCode(text: string): Html {
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}

function toMarkup(value: Value): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(toMarkup).join('');
  if (typeof value === 'object') return (value as Html).html;
  return escapeMarkup(String(value));
}
