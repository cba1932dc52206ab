/** The script of the account page. The key stays in its form field and is sent in a request header only. */

import type { UsageDocument } from '../../../quota/usage/usage-schema';
import { moment, overview } from './account-overview';
import { usageSections } from './account-usage';
import { byId } from './elements';
import { ask } from './images';
import { createLatest } from './latest';

const form = byId('open', HTMLFormElement);
const state = byId('state', HTMLElement);
const report = byId('report', HTMLElement);
const begin = createLatest();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const isLatest = begin();
  const key = byId('key', HTMLInputElement).value.trim();
  state.className = '';
  state.textContent = 'Loading …';
  try {
    const answer = await ask<UsageDocument>('/api/usage', key);
    // A later key may have been answered first.
    if (!isLatest()) return;
    report.replaceChildren(...(answer.ok ? [overview(answer.body), ...usageSections(answer.body)] : []));
    state.className = answer.ok ? '' : 'bad';
    state.textContent = answer.ok ? `As of ${moment(new Date())} UTC.` : answer.problem.detail;
  } catch {
    if (!isLatest()) return;
    report.replaceChildren();
    state.className = 'bad';
    state.textContent = 'The service could not be reached.';
  }
});
form.hidden = false;
