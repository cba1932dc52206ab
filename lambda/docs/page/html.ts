/** Builds HTML: values are escaped unless they are HTML already. */

import { escapeMarkup } from '../../base/text';

/** Text that is HTML. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | undefined | readonly Value[];

/** Fills a template with values as text; other HTML and lists of it are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  // Only the indentation of the template is removed: scripts are allowed by the hash of their exact bytes.
  const text = parts.map((part, i) => part.replace(/\n\s*/g, '\n') + render(values[i]));
  return { html: text.join('') };
}

/** Marks trusted text as HTML. */
export function trustHtml(text: string): Html {
  return { html: text };
}

/** Writes a text, with `code` between backticks as an element. */
export function markUpCode(text: string): Html {
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  if (typeof value === 'object') return (value as Html).html;
  return escapeMarkup(String(value));
}
