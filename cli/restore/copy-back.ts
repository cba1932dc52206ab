/** Copies items of an earlier moment back into their table, without the leases, reservations and charges that were under way. */

import { call, type Database, failureOf, retryIdempotent } from '../../lambda/aws/dynamodb/call';
import { PutCommand, ScanCommand } from '../../lambda/aws/dynamodb/commands';
import { type Item, itemsOf } from '../../lambda/aws/dynamodb/items';
import { type TableName, tables } from '../../lambda/contract/tables';
import { withoutReservations } from '../../lambda/quota/dynamodb/quota-item';

/** The tables that can be restored to an earlier moment. */
export const restorable = (Object.keys(tables) as TableName[]).filter((name) => tables[name].isDurable);

/** The item as it comes back; nothing where it must not. */
type Rule = (item: Item) => Item | undefined;

const rules: Readonly<Partial<Record<TableName, Rule>>> = {
  apiKeys: (item) => item,
  // Without its lease, its charge, and the delivery that was paid with it: all three have ended since.
  generationIndex: ({ claim, until, q, due, dueBy, ttl, ...item }) =>
    item['st'] === 'READY' || item['st'] === 'REMOVED' ? { ...item, settled: true } : undefined,
  quotaCounters: quotaItem,
  stockMemory: ({ leaseHolder, leaseEndsMs, ...item }) => (item['value'] === undefined ? undefined : item),
};

/**
 * An item of an earlier moment as its table takes it back. Items whose time is over do not return.
 * @param nowMs epoch milliseconds
 */
function broughtBack(table: TableName, item: Item, nowMs: number): Item | undefined {
  const expiresS = Number(item[tables[table].ttl] ?? Number.POSITIVE_INFINITY);
  return expiresS * 1_000 > nowMs ? rules[table]?.(item) : undefined;
}

/** Whether an item may take the place of the one that its table has now: a pick, or the images of a page. */
function isReplaceable(table: TableName, { pk }: Item): boolean {
  return table === 'stockMemory' && /^(PICK|PAGE)#/.test(String(pk));
}

/** Usage, what is paid, and counters of months; the limits of hours and days begin anew. */
function quotaItem(item: Item): Item | undefined {
  const pk = String(item['pk']);
  if (pk.startsWith('U#')) return item;
  if (pk.startsWith('PAID#')) return item['s'] === 'C' ? item : undefined;
  return /^[QF]#.*#\d{4}-\d{2}(#|$)/.test(pk) ? withoutReservations(item) : undefined;
}

/** Items that are read and written together, few enough for the deadline of a page on a slow line. */
const itemsAtOnce = 100;

interface CopyBack {
  readonly table: TableName;
  /** Names of the copy and of the table that serves. */
  readonly from: string;
  readonly to: string;
  /** Whether picks and pages take the place of those that the table has now. */
  readonly replace: boolean;
}

/**
 * Puts back what the table has no item for; an item that it has stays as it is, unless it is replaced.
 * @returns items that were put back, and those that were left
 */
export async function copyBack(
  db: Database,
  { table, from, to, replace }: CopyBack,
  nowMs: number,
): Promise<{ readonly put: number; readonly left: number }> {
  const putBack = async (earlier: Item): Promise<boolean> => {
    const Item = broughtBack(table, earlier, nowMs);
    if (!Item) return false;
    const where =
      replace && isReplaceable(table, Item) ? {} : { ConditionExpression: 'attribute_not_exists(pk)' };
    try {
      await call(db, new PutCommand({ TableName: to, Item, ...where }), retryIdempotent);
      return true;
    } catch (error) {
      if (failureOf(error) === 'refused') return false;
      throw error;
    }
  };

  let [put, left] = [0, 0];
  let batch: Item[] = [];
  const write = async () => {
    const outcomes = await Promise.all(batch.map(putBack));
    put += outcomes.filter(Boolean).length;
    left += outcomes.filter((isPut) => !isPut).length;
    batch = [];
  };
  for await (const item of itemsOf(db, new ScanCommand({ TableName: from, Limit: itemsAtOnce })))
    if (batch.push(item) === itemsAtOnce) await write();
  await write();
  return { put, left };
}
