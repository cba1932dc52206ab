/** Keys, signers or site keys as a table: one for all of them, or in a narrow terminal one for each account. */

import { table } from '../table';
import { boundOf, type KeyView } from './key-view';

/** One column: its heading, and what it says of a key. */
type Column = readonly [heading: string, cell: (view: KeyView) => string];

const ownColumns: readonly Column[] = [
  ['MODE', ({ mode }) => mode],
  ['STATE', ({ state }) => state],
  ['CREATED', ({ createdAt }) => createdAt.slice(0, 10)],
];

const siteColumns: readonly Column[] = [
  ['AT MOST', (view) => boundOf(view) ?? ''],
  ['ORIGINS', ({ origins = [] }) => origins.join(' ')],
];

/**
 * @param views ordered by account
 * @param columns width of the terminal
 * @param title of the first column
 */
export function keyTable(views: readonly KeyView[], columns: number, title: string): string {
  const id: Column = [title, ({ keyId }) => keyId];
  const hasOrigins = views.some(({ origins }) => origins !== undefined);
  const own: readonly Column[] = [
    ...ownColumns,
    ...(hasOrigins ? siteColumns : []),
    ['NAME', ({ name }) => name],
  ];
  const whole = tableOf(
    views,
    [
      id,
      ['ACCOUNT', ({ account }) => account],
      ['ACCOUNT NAME', ({ accountName = '' }) => accountName],
      ['PLAN', ({ plan }) => plan],
      ...own,
    ],
    columns,
  );
  const isTooWide = whole.split('\n').some((line) => line.length > columns);
  return isTooWide ? accountTables(views, [id, ...own], columns) : whole;
}

function tableOf(views: readonly KeyView[], shown: readonly Column[], columns: number): string {
  return table(
    shown.map(([heading]) => heading),
    views.map((view) => shown.map(([, cell]) => cell(view))),
    columns,
  );
}

function accountTables(views: readonly KeyView[], shown: readonly Column[], columns: number): string {
  const accounts = [...new Set(views.map(({ account }) => account))];
  return accounts
    .map((account) => {
      const keys = views.filter((view) => view.account === account);
      const { plan, accountName } = keys.at(-1) as KeyView;
      const title = `${accountName === undefined ? account : `${accountName} (${account})`}, plan ${plan}`;
      return `${title}\n${tableOf(keys, shown, columns)}`;
    })
    .join('\n\n');
}
