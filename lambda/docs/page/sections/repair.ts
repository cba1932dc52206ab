/** A form that sends a pasted page to `POST /api/pages`, and shows what comes back: the page, and a line for each image. */

import { pageBounds } from '../../../contract/batch';
import { routes } from '../../../contract/routes';
import { type Html, html } from '../html';

const sample = `<h1>Harbor Hotel</h1>
<img src="/placeholder.svg?height=300&width=600&query=harbor+at+dawn" alt="The harbor at dawn">
<img src="https://placehold.co/300x200" alt="Breakfast with a view">
<img class="avatar" src="#" width="64" height="64" alt="Maria Lopez">`;

/** The form that takes a page and returns it with images. @param rootUrl root of the service, without a trailing slash */
export function repairSection(rootUrl: string): Html {
  return html`<section id="repair" aria-labelledby="repair-title"><div class="wrap">
    <h2 id="repair-title">Repair a page</h2>
    <p>Send an HTML page to <code>POST ${routes.pages}</code>: placeholders are replaced by photos that fit their words. What is not known to be a placeholder is yours and stays, byte for byte, and a page that is sent again stays the same. ${pageBounds.imagesMax} images a call; each counts as one request.</p>
    <div class="snippet"><h3>curl <button class="quiet" type="button" data-copy="repair-curl" aria-label="Copy as curl">Copy</button></h3><pre><code id="repair-curl">curl --data-binary @page.html -H 'Content-Type: text/html' -H "Authorization: Bearer $KEY" ${rootUrl}${routes.pages} &gt; out.html</code></pre></div>
    <form id="repair-form" class="repair" hidden autocomplete="off">
      <div class="card">
        <label>HTML <textarea name="html" rows="12" spellcheck="false" required>${sample}</textarea></label>
        <label>API key <input name="key" type="password" required spellcheck="false" placeholder="pk_…">
          <small>Sent to this service in a header only. The page is sent to nobody else.</small></label>
        <button type="submit">Repair</button>
        <p id="repair-state" role="status" aria-live="polite"></p>
      </div>
      <div class="card" hidden><div id="repair-preview" class="preview" role="region" aria-label="The filled page" tabindex="0"></div></div>
    </form>
    <div id="repair-result" hidden>
      <div class="scroll" tabindex="0" role="region" aria-label="Report"><table>
        <thead><tr><th scope="col">Line</th><th scope="col">Was</th><th scope="col">Words</th><th scope="col">Size</th><th scope="col">Now</th></tr></thead>
        <tbody id="repair-report"></tbody></table></div>
      <div class="snippet"><h3>Filled page <button class="quiet" type="button" data-copy="repair-html" aria-label="Copy the filled page">Copy</button></h3><pre><code id="repair-html"></code></pre></div>
    </div>
  </div></section>`;
}
