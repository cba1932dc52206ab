/** Queries and scans of a table or one of its global secondary indexes. */

import type { IndexDefinition, TableDefinition, TableName } from '../../../lambda/contract/tables';
import { compileCondition } from './condition';
import { type Item, ValidationException } from './expression';

export interface Table {
  readonly name: TableName;
  readonly definition: TableDefinition;
  readonly items: Map<string, Item>;
  /** The previous version of each item. */
  readonly earlier: Map<string, Item | undefined>;
}

/** The inputs of all commands together. */
export interface Input {
  readonly TableName?: string | undefined;
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
  readonly IndexName?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  readonly ReturnValues?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
  readonly ExclusiveStartKey?: Item | undefined;
  readonly Limit?: number | undefined;
  readonly ScanIndexForward?: boolean | undefined;
}

/** One page of a query or scan. An index may lag: it then returns an item's previous version. */
export function readIndex(table: Table, input: Input, isStale: () => boolean): unknown {
  const index = table.definition.indexes.find(({ name }) => name === input.IndexName);
  if (input.IndexName !== undefined && !index)
    throw new ValidationException(`There is no index ${input.IndexName}`);
  const items = visible(table, index, isStale)
    .filter((item) => holds(input.KeyConditionExpression, input, item))
    .sort((a, b) => (orderOf(index, a) < orderOf(index, b) ? -1 : 1));
  if (input.ScanIndexForward === false) items.reverse();
  const startAt = input.ExclusiveStartKey
    ? items.findIndex((item) => item['pk'] === input.ExclusiveStartKey?.['pk']) + 1
    : 0;
  const page = items.slice(startAt, startAt + (input.Limit ?? items.length));
  const last = page.at(-1);
  const isCut = last !== undefined && startAt + page.length < items.length;
  return {
    Items: page
      .filter((item) => holds(input.FilterExpression, input, item))
      .map((item) => (index?.keysOnly ? keysOf(index, item) : item)),
    ...(isCut ? { LastEvaluatedKey: keysOf(index, last) } : {}),
  };
}

/** The items that an index holds: those that have all its keys. */
function visible(table: Table, index: IndexDefinition | undefined, isStale: () => boolean): Item[] {
  if (!index) return [...table.items.values()];
  const shown: Item[] = [];
  for (const [pk, newest] of table.items) {
    const item = isStale() ? table.earlier.get(pk) : newest;
    if (!item || item[index.partitionKey.name] === undefined) continue;
    if (index.sortKey && item[index.sortKey.name] === undefined) continue;
    shown.push(item);
  }
  return shown;
}

function holds(text: string | undefined, input: Input, item: Item): boolean {
  if (text === undefined) return true;
  return compileCondition(text)({
    item,
    names: input.ExpressionAttributeNames ?? {},
    values: input.ExpressionAttributeValues ?? {},
  });
}

function orderOf(index: IndexDefinition | undefined, item: Item): string {
  return `${index?.sortKey ? item[index.sortKey.name] : ''}\u0000${item['pk']}`;
}

function keysOf(index: IndexDefinition | undefined, item: Item): Item {
  const names = ['pk', index?.partitionKey.name, index?.sortKey?.name];
  return Object.fromEntries(
    names.filter((name) => name !== undefined).map((name) => [name, item[name]] as const),
  );
}
