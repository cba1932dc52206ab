/** DynamoDB in memory, in the place of a transport to it: one atomic command at a time. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type IndexDefinition,
  type TableDefinition,
  type TableName,
  tables,
} from '../../lambda/contract/tables';
import type { Client as Database } from './client';
import {
  compileCondition,
  compileUpdate,
  type Item,
  remember,
  ValidationException,
} from './dynamodb-expressions';

/** One write that was applied. */
export interface AppliedWrite {
  readonly table: TableName;
  readonly pk: string;
  readonly before: Item | undefined;
  readonly after: Item;
}

export interface MemoryDynamoDb {
  /** Physical table names: each table is called what the contract calls it. */
  readonly tableNames: Readonly<Record<TableName, string>>;
  /** Applies a command and answers at once. @throws as a transport does */
  apply(command: unknown): unknown;
  /** `apply` as a transport offers it. */
  readonly send: Database['send'];
  items(table: TableName): ReadonlyMap<string, Item>;
  /** Loses all items of a table. */
  forget(table: TableName): void;
}

/** Keys of a batch for each item on a page. */
const keysPerItem = 20;

/** No item expires after the year 5000: a moment in milliseconds would never come, and the table would grow for good. */
const ttlMaxS = 1e11;

/**
 * @param onWrite called with every applied write
 * @param isStale whether an index read returns an item's previous version
 * @param pageMax most items on a page of a query or scan; a batch leaves keys beyond twenty times as many unprocessed
 */
export function createMemoryDynamoDb(
  onWrite: (write: AppliedWrite) => void = () => undefined,
  isStale: () => boolean = () => false,
  pageMax = Number.POSITIVE_INFINITY,
): MemoryDynamoDb {
  const stored = new Map<string, Table>(
    (Object.entries(tables) as [TableName, TableDefinition][]).map(([name, definition]) => [
      name,
      { name, definition, items: new Map(), earlier: new Map() },
    ]),
  );
  const tableOf = (input: Input): Table => {
    const table = stored.get(input.TableName ?? '');
    if (!table) throw new ValidationException(`There is no table ${input.TableName}`);
    return table;
  };

  const store = (table: Table, pk: string, after: Item): void => {
    const { ttl = 0 } = after;
    if (!Number.isInteger(ttl) || Number(ttl) > ttlMaxS)
      throw new ValidationException('A moment of expiry is in whole seconds');
    const before = table.items.get(pk);
    table.items.set(pk, after);
    table.earlier.set(pk, before);
    onWrite({ table: table.name, pk, before, after });
  };

  const update = (input: Input): unknown => {
    const table = tableOf(input);
    const key = input.Key ?? {};
    const pk = String(key['pk']);
    const item = table.items.get(pk);
    const scope = scopeOf(input, item);
    check(input, item);
    const { item: after, touched } = compileUpdate(input.UpdateExpression ?? '')(scope, key);
    store(table, pk, after);
    if (input.ReturnValues === 'ALL_NEW') return { Attributes: after };
    if (input.ReturnValues === 'ALL_OLD') return { Attributes: item };
    if (input.ReturnValues !== 'UPDATED_NEW') return {};
    const named = touched.filter((name) => after[name] !== undefined);
    return { Attributes: Object.fromEntries(named.map((name) => [name, after[name]])) };
  };

  const batch = (wanted: NonNullable<Input['RequestItems']>): unknown => {
    const Responses: Record<string, unknown> = {};
    const UnprocessedKeys: Record<string, unknown> = {};
    const keysMax = pageMax * keysPerItem;
    for (const [TableName, { Keys = [], ...rest }] of Object.entries(wanted)) {
      const { items } = tableOf({ TableName });
      Responses[TableName] = Keys.slice(0, keysMax).flatMap(({ pk }) => items.get(String(pk)) ?? []);
      if (Keys.length > keysMax) UnprocessedKeys[TableName] = { ...rest, Keys: Keys.slice(keysMax) };
    }
    return { Responses, UnprocessedKeys };
  };

  const apply = (command: unknown): unknown => {
    const { input } = command as { readonly input: Input };
    const operation = operationOf(command);
    refuseUnused(input);
    if (operation === 'Update') return update(input);
    if (operation === 'Get') {
      const item = tableOf(input).items.get(String(input.Key?.['pk']));
      return item ? { Item: projected(input, item) } : {};
    }
    if (operation === 'Put') {
      const table = tableOf(input);
      const pk = String(input.Item?.['pk']);
      check(input, table.items.get(pk));
      store(table, pk, { ...input.Item });
      return {};
    }
    if (operation === 'Query' || operation === 'Scan')
      return readIndex(tableOf(input), input, isStale, pageMax);
    if (operation === 'BatchGet') return batch(input.RequestItems ?? {});
    throw new ValidationException('This command is not understood here');
  };

  return {
    tableNames: Object.fromEntries(Object.keys(tables).map((name) => [name, name])) as Record<
      TableName,
      string
    >,
    apply,
    send: (async (command: unknown) => apply(command)) as Database['send'],
    items: (table) => tableOf({ TableName: table }).items,
    forget: (table) => tableOf({ TableName: table }).items.clear(),
  };
}

/** `Get`, `Update`, …: the class of a command without what a bundler adds to it. */
export function operationOf(command: unknown): string {
  return (command as object).constructor.name.replace(/Command\d*$/, '');
}

function scopeOf(input: Input, item: Item | undefined) {
  return {
    item,
    names: input.ExpressionAttributeNames ?? {},
    values: input.ExpressionAttributeValues ?? {},
  };
}

function check(input: Input, item: Item | undefined): void {
  const text = input.ConditionExpression;
  if (text === undefined || compileCondition(text)(scopeOf(input, item))) return;
  const isReturned = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && item !== undefined;
  throw new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: { httpStatusCode: 400 },
    ...(isReturned && { Item: marshall(item, { removeUndefinedValues: true }) }),
  });
}

function projected({ ProjectionExpression: text, ExpressionAttributeNames: names }: Input, item: Item): Item {
  if (text === undefined) return item;
  const wanted: Record<string, unknown> = {};
  for (const word of projectionIn(text)) {
    const name = names?.[word] ?? word;
    if (item[name] !== undefined) wanted[name] = item[name];
  }
  return wanted;
}

const projectionIn = remember((text) => text.split(',').map((word) => word.trim()));

const standInsOf = remember((text): ReadonlySet<string> => new Set(text.match(/[:#]\w+/g)));

/** DynamoDB refuses names and values that no expression uses. */
function refuseUnused(input: Input): void {
  const used: ReadonlySet<string>[] = [];
  for (const text of [
    input.UpdateExpression,
    input.ConditionExpression,
    input.KeyConditionExpression,
    input.FilterExpression,
    input.ProjectionExpression,
  ])
    if (text !== undefined) used.push(standInsOf(text));
  for (const given of [input.ExpressionAttributeNames, input.ExpressionAttributeValues])
    for (const word in given)
      if (!used.some((words) => words.has(word)))
        throw new ValidationException(`Given and not used: ${word}`);
}

export interface Table {
  readonly name: TableName;
  readonly definition: TableDefinition;
  readonly items: Map<string, Item>;
  /** The previous version of each item. */
  readonly earlier: Map<string, Item | undefined>;
}

/** The inputs of all commands together. */
export interface Input {
  readonly RequestItems?:
    | Readonly<Record<string, { readonly Keys?: readonly Item[] | undefined }>>
    | undefined;
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
function readIndex(table: Table, input: Input, isStale: () => boolean, pageMax: number): unknown {
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
  const page = items.slice(startAt, startAt + Math.min(input.Limit ?? items.length, pageMax));
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
