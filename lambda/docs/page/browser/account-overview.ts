/** The top of the account page: what the plan allows, what of it is used, and when that was announced. */

import type { AccountDocument, UsageDocument } from '../../../quota/usage/usage-schema';
import { amount, csvButton } from './account-chart';
import { usageRows } from './account-usage';
import { create } from './elements';

/** How "unlimited" is written in a limit. */
const unlimited = 2_147_483_647;

/** A moment in UTC: `1 Dec 2026, 00:00`. @param when as a date or ISO 8601 */
export const moment = (when: string | Date): string =>
  new Date(when).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** What of the plan is used and left, and which of its thresholds are reached since when. */
export function overview(usage: UsageDocument, account: AccountDocument): HTMLElement {
  const { limit, used, remaining, generations, mode } = usage;
  const isLimited = limit !== unlimited;
  const period = mode === 'live' ? 'this month' : 'this hour';
  const ofPlan = isLimited ? `of ${amount(limit)} requests ${period}` : `requests ${period}, without a limit`;
  const reached = account.thresholds.map(({ percent, requests, reachedAt }) => {
    const since = reachedAt === undefined ? '' : ` since ${moment(reachedAt)} UTC`;
    const isReached = used >= requests;
    return create(
      'li',
      isReached ? { class: 'reached' } : {},
      `${percent} % (${amount(requests)}): ${isReached ? `reached${since}` : 'not reached'}`,
    );
  });
  const head = create(
    'div',
    { class: 'heading' },
    create(
      'div',
      {},
      create('h2', {}, account.accountName ?? account.account),
      create(
        'p',
        { class: 'hint' },
        `${account.accountName === undefined ? '' : `${account.account} · `}Plan ${account.plan}${mode === 'test' ? ' · test key' : ''}`,
      ),
    ),
    csvButton(
      'all usage of the month',
      `usage-${usage.window.start.slice(0, 7)}`,
      () => usageRows(usage, account),
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
      create(
        'div',
        { class: 'card wide' },
        create('h3', {}, 'Used'),
        create('p', { class: 'big' }, amount(used), ' ', create('small', {}, ofPlan)),
        isLimited
          ? create('progress', {
              max: String(limit),
              value: String(Math.min(used, limit)),
              'aria-label': 'Used of the plan',
            })
          : undefined,
        reached.length > 0 ? create('ul', { class: 'thresholds' }, ...reached) : undefined,
      ),
      tile('Left', isLimited ? amount(remaining) : 'Unlimited', `until ${moment(usage.reset)} UTC`),
      tile(
        'AI images',
        amount(generations.used),
        generations.limit === unlimited
          ? 'this month'
          : `of ${amount(generations.limit)}, until ${moment(generations.reset)} UTC`,
      ),
    ),
  );
}

const tile = (title: string, value: string, note: string): HTMLElement =>
  create(
    'div',
    { class: 'card' },
    create('h3', {}, title),
    create('p', { class: 'big' }, value),
    create('p', { class: 'hint' }, note),
  );
