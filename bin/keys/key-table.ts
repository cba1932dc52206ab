/** Keys as a table: one for all of them, or in a narrow terminal one for each account. */

import { table } from '../operator/table';
import type { KeyView } from './key-view';

const dayOf = (at: string) => at.slice(0, 10);

/** @param views ordered by account @param columns width of the terminal */
export function keyTable(views: readonly KeyView[], columns: number): string {
  const whole = table(
    ['KEY ID', 'ACCOUNT', 'ACCOUNT NAME', 'PLAN', 'MODE', 'STATE', 'CREATED', 'NAME'],
    views.map(({ keyId, account, accountName = '', plan, mode, state, createdAt, name }) => [
      keyId,
      account,
      accountName,
      plan,
      mode,
      state,
      dayOf(createdAt),
      name,
    ]),
    columns,
  );
  const isTooWide = whole.split('\n').some((line) => line.length > columns);
  return isTooWide ? accountTables(views, columns) : whole;
}

function accountTables(views: readonly KeyView[], columns: number): string {
  const accounts = [...new Set(views.map(({ account }) => account))];
  return accounts
    .map((account) => {
      const keys = views.filter((view) => view.account === account);
      const rows = keys.map(({ keyId, mode, state, createdAt, name }) => [
        keyId,
        mode,
        state,
        dayOf(createdAt),
        name,
      ]);
      const { plan, accountName } = keys.at(-1) as KeyView;
      const title = `${accountName === undefined ? account : `${accountName} (${account})`}, plan ${plan}`;
      return `${title}\n${table(['KEY ID', 'MODE', 'STATE', 'CREATED', 'NAME'], rows, columns)}`;
    })
    .join('\n\n');
}
