/** Writes HTML: templates that escape each value unless it is HTML already, and the parts of pages. */

import { escapeMarkup } from '../../base/text';
import type { TextTable } from '../text-table';

/** A text that is HTML, so that templates insert it unchanged. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | undefined | readonly Value[];

/** Fills a template. Texts and numbers are escaped. HTML and lists of HTML are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  // Values keep their indentation, because the policy of a page has the hash of the script's exact bytes.
  const text = parts.map((part, i) => part.replace(/\n\s*/g, '\n') + writeMarkup(values[i]));
  return { html: text.join('') };
}

/** Marks a text as HTML. It must not come from a caller. */
export function trustHtml(text: string): Html {
  return { html: text };
}

/** Writes a text as HTML. Code in backticks becomes a `<code>` element. HTML stays as it is. */
export function markUpCode(text: string | Html): Html {
  if (typeof text !== 'string') return text;
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}

function writeMarkup(value: Value): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(writeMarkup).join('');
  if (typeof value === 'object') return (value as Html).html;
  return escapeMarkup(String(value));
}

/** Writes a section with a heading. Links lead to `#id`. */
export function writeSection(id: string, title: string, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** A topic of the documentation. The script of the page shows one topic at a time. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** Writes a topic as an article with a heading. */
export function writeTopic({ id, title, content }: Topic): Html {
  return html`<article id="${id}" class="page"><h1>${title}</h1>
${content}</article>`;
}

/** Writes a table. The first column names the rows. On a phone, each row is a block with labelled cells. */
export function writeHtmlTable(label: string, { heads, rows }: TextTable<Html | string>): Html {
  const body = rows.map((row) => {
    const [name, ...cells] = row.map(markUpCode);
    return html`<tr><th scope="row">${name}</th>${cells.map((cell, i) => html`<td data-label="${heads[i + 1]}">${cell}</td>`)}</tr>`;
  });
  return html`<table aria-label="${label}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Writes a block of code with a button that copies it. The label is, for example, the name of a file. */
export function writeSnippet(label: string, code: string): Html {
  return html`<figure class="snippet"><figcaption>${label} <button class="quiet" type="button" aria-label="Copy: ${label}">Copy</button></figcaption><pre><code>${code}</code></pre></figure>`;
}
