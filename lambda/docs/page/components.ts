/** Writes sections, topics, tables and blocks of code. */

import { type Html, html } from './html';

/** Writes a section under a heading, to whose id links lead. */
export function writeSection(id: string, title: string, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** A part of the documentation under one heading, which the script shows alone. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** Writes a topic under its heading. */
export function writeTopic({ id, title, content }: Topic): Html {
  return html`<article id="${id}" class="page"><h1>${title}</h1>
${content}</article>`;
}

/** Writes a table whose first column names its rows. On a phone, rows are blocks with labelled cells. */
export function writeTable(
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

/** Writes a block of code with a button that copies it. Its label is, for example, the name of its file. */
export function writeSnippet(label: string, code: string): Html {
  return html`<figure class="snippet"><figcaption>${label} <button class="quiet" type="button" aria-label="Copy: ${label}">Copy</button></figcaption><pre><code>${code}</code></pre></figure>`;
}
