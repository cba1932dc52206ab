/** How images are published: which credential belongs where, and forms that write signed URLs and URLs with a site key. */

import { credentialTexts } from '../../../contract/credentials';
import { clientPackage } from '../../../contract/routes';
import { signingExample, signingSteps } from '../../signing';
import { type Html, html, prose } from '../html';

const snippets = [
  ['signed-html', 'HTML, signed'],
  ['signed-next', 'Next.js, signed on the server'],
  ['signed-php', 'PHP, signed on the server'],
  ['site-html', 'HTML with a site key'],
] as const;

/** How images are shown on public pages, with the forms that sign URLs. @param rootUrl root of the service, without a trailing slash */
export function publishSection(rootUrl: string): Html {
  const rows = credentialTexts.map(
    ({ name, form, belongs, counts }) =>
      html`<tr><th scope="row">${name}</th><td>${form}</td><td>${belongs}</td><td>${counts}</td></tr>`,
  );
  return html`<section id="publish" aria-labelledby="publish-title"><div class="wrap">
    <h2 id="publish-title">Publish it</h2>
    <p>An API key (<code>pk_live_…</code>, <code>pk_test_…</code>) is secret. On public pages, use signed URLs or a site key.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Credentials"><table>
      <thead><tr><th scope="col">Credential</th><th scope="col">Form</th><th scope="col">Belongs</th><th scope="col">Counts</th></tr></thead>
      <tbody>${rows}</tbody></table></div>
    <p>For the request of the playground above. Signing runs in this page: the secret is never sent or stored.</p>
    <div class="play">
      <div class="card">
        <form id="sign" hidden autocomplete="off">
          <fieldset><legend>Signer</legend>
            <label>Signer id <input name="signer" autocomplete="off" spellcheck="false" placeholder="sg_live_…"></label>
            <label>Secret <input name="secret" type="password" autocomplete="off" spellcheck="false" placeholder="sgs_live_…"></label>
            <label>Works until <input name="until" type="datetime-local"></label>
          </fieldset>
          <fieldset><legend>Site key</legend>
            <label>Site key <input name="site" autocomplete="off" spellcheck="false" placeholder="site_live_…">
              <small>Programs can send any origin: its monthly cap bounds what it costs.</small></label>
          </fieldset>
        </form>
        <p id="sign-state" role="status" aria-live="polite"></p>
      </div>
      <div class="snippets">
        ${snippets.map(
          ([name, label]) =>
            html`<div class="snippet"><h3>${label} <button class="quiet" type="button" data-copy="snippet-${name}" aria-label="Copy as ${label}">Copy</button></h3><pre><code id="snippet-${name}"></code></pre></div>`,
        )}
      </div>
    </div>
    <details><summary><span>How a URL is signed</span></summary><div>
      <ol>${signingSteps.map((step) => html`<li>${prose(step)}</li>`)}</ol>
      <p>For example, <code>${signingExample.url}</code> is signed with the secret <code>${signingExample.secret}</code> over the message</p>
      <pre tabindex="0" aria-label="Message">${signingExample.message}</pre>
      <p>as <code>${signingExample.signed}</code></p>
      <p>Where the service answers <code>invalid_signature</code>, <code>npx -p ${rootUrl}${clientPackage} image-redirect-pages sign --check URL</code> says which part differs.</p>
    </div></details>
  </div></section>`;
}
