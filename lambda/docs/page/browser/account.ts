/** The script of the account page. The key stays in its field, and is sent in a header only. */

import type { UsageDocument } from '../../../quota/usage/usage-schema';
import { offerKeys } from './account-keys';
import { createReport, utcText } from './account-usage';
import { fillElement, findElement, setState } from './elements';
import { askService } from './service';

const form = findElement('open', HTMLFormElement);
let asking = new AbortController();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // The report of an earlier key must not replace that of a later one, so its request is aborted.
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  setState('Loading …', false);
  fillElement('report');
  findElement('keys', HTMLElement).hidden = true;
  const key = findElement('key', HTMLInputElement).value.trim();
  const result = await askService<UsageDocument>('/api/usage', key, { signal });
  if (signal.aborted) return;
  if (!result.ok) return setState(result.problem.detail, true);
  fillElement('report', ...createReport(result.body));
  offerKeys(key);
  setState(`As of ${utcText(new Date())} UTC.`, false);
});
form.hidden = false;
