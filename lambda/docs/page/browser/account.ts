/** The script of the account page. The key stays in its form field and is sent in a request header only. */

import type { UsageDocument } from '../../../quota/usage/usage-schema';
import { keysSection } from './account-keys';
import { accountReport, moment } from './account-usage';
import { byId, startMenu } from './elements';
import { ask } from './images';

const form = byId('open', HTMLFormElement);
let asking = new AbortController();

function show(text: string, isError: boolean, report: readonly HTMLElement[] = []): void {
  const state = byId('state', HTMLElement);
  state.className = isError ? 'bad' : '';
  state.textContent = text;
  byId('report', HTMLElement).replaceChildren(...report);
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // A later key takes the place of an earlier one, whichever is answered first.
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  show('Loading …', false);
  try {
    const key = byId('key', HTMLInputElement).value.trim();
    const answer = await ask<UsageDocument>('/api/usage', key, signal);
    const asOf = `As of ${moment(new Date())} UTC.`;
    if (answer.ok) show(asOf, false, [...accountReport(answer.body), keysSection(key)]);
    else show(answer.problem.detail, true);
  } catch {
    if (!signal.aborted) show('The service could not be reached.', true);
  }
});
form.hidden = false;
startMenu();
