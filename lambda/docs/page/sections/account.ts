/** The form that takes an API key and shows its account. What it shows is built by the page's script. */

import { type Html, html } from '../html';

/** The form for an API key, into which the script puts what it reads. */
export function accountForm(): Html {
  return html`<div class="account">
    <h1>Account</h1>
    <form id="open" hidden autocomplete="off">
      <label>API key <input id="key" type="password" required spellcheck="false" autocomplete="off" placeholder="pk_live_…" aria-describedby="key-note"></label>
      <button type="submit">Show</button>
    </form>
    <p id="key-note" class="hint">The key stays in this tab’s memory and is sent to this service in a header only. The report costs nothing. With an owner key, the account’s keys are managed here.</p>
    <noscript><p>This page needs JavaScript. <code>GET /api/usage</code> answers the same as JSON.</p></noscript>
    <p id="state" role="status" aria-live="polite"></p>
    <div id="report"></div>
  </div>`;
}
