/** How keys, signers and site keys are shown, one or many: everything about them but what is secret, and its hash. */

import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { type Facts, facts, fits, grid, table } from '../output';

type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** A record as it is printed with `--json`. */
interface KeyView extends Omit<KeyRecord, 'hash'> {
  readonly state: KeyState;
}

/** @param nowMs moment (epoch, milliseconds) */
export function keyView({ hash: _hash, ...record }: KeyRecord, nowMs: number): KeyView {
  return { ...record, state: stateOf(record, nowMs) };
}

/** @param nowMs moment (epoch, milliseconds) */
export function stateOf({ revokedAt, expiresAt }: Omit<KeyRecord, 'hash'>, nowMs: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'active';
  return Date.parse(expiresAt) > nowMs ? 'expiring' : 'expired';
}

/** What a record is called and whose it is. */
export const aboutOf = (record: Omit<KeyRecord, 'hash'>): Facts => [
  ['Name', record.name],
  ['Account', record.account],
  ['Account name', record.accountName],
  ['Plan', record.plan],
  ['Mode', record.mode],
  ['Role', record.role],
];

/** Where a record may be used, and how often. */
export const limitsOf = (record: Omit<KeyRecord, 'hash'>): Facts => [
  ['Origins', record.origins?.join(', ')],
  ['At most', maxPerMonthOf(record)],
];

function maxPerMonthOf({ maxPerMonth }: Pick<KeyRecord, 'maxPerMonth'>): string | undefined {
  return maxPerMonth === undefined ? undefined : `${maxPerMonth.toLocaleString('en')} per month`;
}

/** A record's facts below one another. */
export function describeKey(view: KeyView, idTitle: string): string {
  return facts([
    [idTitle, view.keyId],
    ...aboutOf(view),
    ['State', view.state],
    ['Created', `${view.createdAt} by ${view.createdBy}`],
    ...limitsOf(view),
    ['Ends', view.expiresAt],
    ['Revoked', view.revokedAt],
    ['Changed', view.changedAt && `${view.changedAt} by ${view.changedBy}`],
  ]);
}

/** One column: its heading, and what it says of a record. */
type Column = readonly [heading: string, cell: (view: KeyView) => string];

const accountColumns: readonly Column[] = [
  ['Account', ({ account }) => account],
  ['Account name', ({ accountName = '' }) => accountName],
  ['Plan', ({ plan }) => plan],
];
const stateColumns: readonly Column[] = [
  ['Mode', ({ mode }) => mode],
  ['State', ({ state }) => state],
  ['Created', ({ createdAt }) => createdAt.slice(0, 10)],
];
const siteColumns: readonly Column[] = [
  ['At most', (view) => maxPerMonthOf(view) ?? ''],
  ['Origins', ({ origins = [] }) => origins.join(' ')],
];

/**
 * One table, or in a narrow terminal one for each account.
 * @param views ordered by account
 * @param columns width of the terminal, in characters
 * @param idTitle heading of the first column
 */
export function keyTable(views: readonly KeyView[], columns: number, idTitle: string): string {
  const idColumn: Column = [idTitle, ({ keyId }) => keyId];
  const own: readonly Column[] = [
    ...stateColumns,
    ...(views.some(({ origins }) => origins !== undefined) ? siteColumns : []),
    ['Name', ({ name }) => name],
  ];
  const tableOf = (draw: typeof table, shown: readonly KeyView[], head: readonly Column[]) =>
    draw(
      head.map(([heading]) => heading),
      shown.map((view) => head.map(([, cell]) => cell(view))),
      columns,
    );
  const whole = tableOf(grid, views, [idColumn, ...accountColumns, ...own]);
  if (fits(whole, columns)) return whole;
  return [...new Set(views.map(({ account }) => account))]
    .map((account) => {
      const keys = views.filter((view) => view.account === account);
      const { plan, accountName } = keys.at(-1) as KeyView;
      const title = `${accountName === undefined ? account : `${accountName} (${account})`}, plan ${plan}`;
      return `${title}\n${tableOf(table, keys, [idColumn, ...own])}`;
    })
    .join('\n\n');
}
