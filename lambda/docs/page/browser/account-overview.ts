/** The top of the account page: what the plan and its AI images allow, and what of it is used and left. */

import type { UsageDocument } from '../../../quota/usage/usage-schema';
import { amount, csvButton } from './account-chart';
import { usageRows } from './account-usage';
import { create } from './elements';

/** How "unlimited" is written in a limit. */
const unlimited = 2_147_483_647;

/** A moment in UTC: `1 Dec 2026, 00:00`. @param when as a date or ISO 8601 */
export const moment = (when: string | Date): string =>
  new Date(when).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Requests and AI images of the plan: how much of each is used and left until when. */
export function overview(usage: UsageDocument): HTMLElement {
  const { account, accountName, plan, limit, used, remaining, reset, generations, mode, window } = usage;
  const period = mode === 'live' ? 'this month' : 'this hour';
  const about = [...(accountName === undefined ? [] : [account]), `Plan ${plan}`];
  const head = create(
    'div',
    { class: 'heading' },
    create(
      'div',
      {},
      create('h2', {}, accountName ?? account),
      create('p', { class: 'hint' }, [...about, ...(mode === 'test' ? ['test key'] : [])].join(' · ')),
    ),
    csvButton(
      'all usage of the month',
      `usage-${window.start.slice(0, 7)}`,
      () => usageRows(usage),
      'Export CSV',
    ),
  );
  return create(
    'section',
    { 'aria-label': 'Plan' },
    head,
    create(
      'div',
      { class: 'cards' },
      usedCard('Used', used, limit, `requests ${period}`),
      create(
        'div',
        { class: 'card' },
        create('h3', {}, 'Left'),
        create('p', { class: 'big' }, limit === unlimited ? 'Unlimited' : amount(remaining)),
        create('p', { class: 'hint' }, `until ${moment(reset)} UTC`),
      ),
      usedCard('AI images made', generations.used, generations.limit, 'this month'),
    ),
  );
}

/** How much of a limit is used, as a number and as a bar. */
function usedCard(title: string, used: number, limit: number, what: string): HTMLElement {
  const isLimited = limit !== unlimited;
  const of = isLimited ? `of ${amount(limit)} ${what}` : `${what}, without a limit`;
  return create(
    'div',
    { class: 'card' },
    create('h3', {}, title),
    create('p', { class: 'big' }, amount(used), ' ', create('small', {}, of)),
    isLimited
      ? create('progress', {
          max: String(limit),
          value: String(Math.min(used, limit)),
          'aria-label': `${title}, of the plan`,
        })
      : undefined,
  );
}
