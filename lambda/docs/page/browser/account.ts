/** The script of the account page. The key stays in its form field and is sent in a request header only. */

import type { AccountDocument, UsageDocument } from '../../../quota/usage/usage-schema';
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
    const [usage, account] = await Promise.all([
      get<UsageDocument>('/api/usage', key),
      get<AccountDocument>('/api/account', key),
    ]);
    // A later key may have been answered first.
    if (!isLatest()) return;
    report.replaceChildren(overview(usage, account), ...usageSections(usage, account));
    state.textContent = `As of ${moment(new Date())} UTC. Breakdowns are up to a minute old.`;
  } catch (error) {
    if (!isLatest()) return;
    report.replaceChildren();
    state.className = 'bad';
    state.replaceChildren(error instanceof Refused ? error.message : 'The service could not be reached.');
  }
});
form.hidden = false;

/** The service has answered with a problem. */
class Refused extends Error {}

/** @throws `Refused` with what the service says, and what `ask` throws */
async function get<T>(path: string, key: string): Promise<T> {
  const answer = await ask<T>(path, key);
  if (!answer.ok) throw new Refused(answer.problem.detail);
  return answer.body;
}
