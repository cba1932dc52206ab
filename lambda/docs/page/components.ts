/** The parts of pages: sections with a heading, tables and blocks of code. */

import { breakable, type Html, html } from './html';

/** A section of a page under a heading, which a link leads to. */
export function section(id: string, title: string, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** A page of the documentation: the script shows one at a time. */
export interface Topic {
  /** Id to which links lead. */
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** A topic under its heading. */
export function page({ id, title, content }: Topic): Html {
  return html`<article id="${id}" class="page"><h1>${title}</h1>
${content}</article>`;
}

/** A table whose first column names its rows. On a phone each row is a block whose cells have labels. */
export function table(
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

/** A block of code with a button to copy it. @param id of the code; `label` names it, such as a file name */
export function snippet(id: string, label: string, code: string): Html {
  return html`<figure class="snippet"><figcaption>${label} <button class="quiet" type="button" data-copy="${id}" aria-label="Copy: ${label}">Copy</button></figcaption><pre><code id="${id}">${breakable(code)}</code></pre></figure>`;
}
