/** The parts of pages: sections, topics, tables and blocks of code. */

import { type Html, html } from './html';

/** Writes a section with a heading. Links lead to `#id`. */
export function writeSection(id: string, title: string, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** A part of the documentation. The script of the page shows one topic at a time. */
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
export function writeHtmlTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  const body = rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((cell, i) => html`<td data-label="${heads[i + 1]}">${cell}</td>`)}</tr>`,
  );
  return html`<table aria-label="${label}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Writes a block of code with a button that copies it. The label is, for example, the name of a file. */
export function writeSnippet(label: string, code: string): Html {
  return html`<figure class="snippet"><figcaption>${label} <button class="quiet" type="button" aria-label="Copy: ${label}">Copy</button></figcaption><pre><code>${code}</code></pre></figure>`;
}
