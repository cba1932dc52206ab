/**
 * Use this database where a test decides when each of many calls arrives, as histories and property tests do.
 * A command is applied at once, its expressions by dynalite's own code.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import getItem from 'dynalite/actions/getItem';
import putItem from 'dynalite/actions/putItem';
import updateItem from 'dynalite/actions/updateItem';
import { matchesExprFilter } from 'dynalite/db';
import { validateExpressions } from 'dynalite/validations';
import type { Database } from '../../lambda/aws/dynamodb';
import { type TableDefinition, type TableName, tables } from '../../lambda/contract/tables';

export type Item = Readonly<Record<string, unknown>>;

/** One write that was applied. */
export interface AppliedWrite {
  readonly table: TableName;
  readonly pk: string;
  readonly before: Item | undefined;
  readonly after: Item;
}

/** The inputs of all commands together. */
export type Input = Partial<BatchGetCommandInput & PutCommandInput & QueryCommandInput & UpdateCommandInput>;

interface Table {
  readonly items: Map<string, Item>;
  /** The same as dynalite keeps them. */
  readonly raw: Map<string, Raw>;
  /** The previous version of each item. */
  readonly earlier: Map<string, Item | undefined>;
}

/** An item that the engine refuses, as DynamoDB refuses it: certainly not applied. */
class ValidationException extends Error {
  override readonly name = 'ValidationException';
  readonly $metadata = { httpStatusCode: 400 };
}

const marshalItem = (item: Item) => marshall(item, { removeUndefinedValues: true });
type Raw = ReturnType<typeof marshalItem>;

/** The expressions of a command, as dynalite parses them. */
interface ParsedExpressions {
  readonly _updates?: { readonly sections: readonly object[] };
  readonly _keyCondition?: { readonly expression: object };
}

/** By their texts and the types of their values: the same few come again, and reading them takes longest. */
const parsedCommands = new Map<string, { readonly parts: ParsedExpressions; readonly values: Raw }>();

function parseExpressions(input: Input): ParsedExpressions {
  const expressionValues = marshalItem(input.ExpressionAttributeValues ?? {});
  const expressions = [input.UpdateExpression, input.ConditionExpression, input.KeyConditionExpression];
  const types = Object.entries(expressionValues).map(([name, value]) => [name, Object.keys(value)]);
  const name = JSON.stringify([expressions, input.ExpressionAttributeNames, types]);
  let parsedCommand = parsedCommands.get(name);
  if (!parsedCommand) {
    const data = { ...input, ...(types.length > 0 && { ExpressionAttributeValues: expressionValues }) };
    const fault = validateExpressions(data);
    if (fault !== undefined) throw new ValidationException(fault);
    const parsedExpressions = Object.fromEntries(
      Object.entries(data).filter(([part]) => part.startsWith('_')),
    );
    parsedCommand = { parts: parsedExpressions, values: expressionValues };
    parsedCommands.set(name, parsedCommand);
  }
  for (const [name, value] of Object.entries(parsedCommand.values))
    Object.assign(value, expressionValues[name]);
  const { _updates } = parsedCommand.parts;
  // An update notes in its sections what it has made of them.
  const sections = _updates?.sections.map((section) => ({ ...section }));
  return sections ? { ...parsedCommand.parts, _updates: { ..._updates, sections } } : parsedCommand.parts;
}

const actions = { Get: getItem, Put: putItem, Update: updateItem } as const;

/** The description of a table for dynalite; indexes are read from its items. */
const description = {
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
};

/** No item expires after the year 5000: a moment in milliseconds would be kept for good. */
const ttlMaxS = 1e11;

/** `Get`, `Update`, …: the class of a command without what a bundler adds to it. */
export function getOperation(command: unknown): string {
  return (command as object).constructor.name.replace(/Command\d*$/, '');
}

/** Turns that a write takes to arrive: more than any use case takes to answer without waiting for it. */
const turnsOfWrite = 50;

/** Lets what does not wait for a write go on before it. */
export async function awaitArrival(): Promise<void> {
  for (let turn = 0; turn < turnsOfWrite; turn++) await undefined;
}

/** Makes the error that the SDK throws when no answer comes. */
export const makeLostAnswer = (): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

/** A database for `Services` of which a test decides each call. */
export function createDatabase(send: (command: unknown) => Promise<unknown>): Database {
  return {
    client: { send } as unknown as Database['client'],
    calls: { free: 1_000, waiting: [] },
    silentUntilMs: new Map(),
  };
}

/**
 * @param onWrite called with every applied write
 * @param isStale whether an index read returns an item's previous version
 */
export function createMemoryDynamoDb(
  onWrite: (write: AppliedWrite) => void = () => undefined,
  isStale: () => boolean = () => false,
) {
  const names = Object.keys(tables) as TableName[];
  const tableByName = new Map<string, Table>(
    names.map((name) => [name, { items: new Map(), raw: new Map(), earlier: new Map() }]),
  );
  const getStoredTable = (name = ''): Table => {
    const table = tableByName.get(name);
    if (!table) throw new ValidationException(`There is no table ${name}`);
    return table;
  };

  /** A table as dynalite's actions reach it. */
  const makeStore = (name: TableName, pk: string) => {
    const table = getStoredTable(name);
    return {
      options: { maxItemSize: 400 * 1_024 },
      getTable: (_: string, found: (error: null, table: object) => void) => found(null, description),
      getItemDb: () => ({
        lock: (_: string, work: (release: <F>(end: F) => F) => void) => work((end) => end),
        get: (_: string, found: (error: null, item?: Raw) => void) => found(null, table.raw.get(pk)),
        put: (_: string, item: Raw, done: (error: null) => void) => {
          const newItem = unmarshall(item);
          const { ttl = 0 } = newItem;
          if (!Number.isInteger(ttl) || ttl > ttlMaxS)
            throw new ValidationException('A moment of expiry is in whole seconds');
          const oldItem = table.items.get(pk);
          table.items.set(pk, newItem);
          // The values of a command are held for the next one like it.
          table.raw.set(
            pk,
            Object.fromEntries(
              Object.entries(item).map(([attribute, value]) => [attribute, { ...value }]),
            ) as Raw,
          );
          table.earlier.set(pk, oldItem);
          onWrite({ table: name, pk, before: oldItem, after: newItem });
          done(null);
        },
      }),
    };
  };

  /** Applies a command and answers at once. @throws as a transport does */
  const apply = (command: unknown): unknown => {
    const { input } = command as { readonly input: Input };
    const operation = getOperation(command);
    if (operation === 'BatchGet') {
      const itemsByTable = Object.entries(input.RequestItems ?? {}).map(([name, { Keys = [] }]) => [
        name,
        Keys.flatMap(({ pk }) => getStoredTable(name).items.get(String(pk)) ?? []),
      ]);
      return { Responses: Object.fromEntries(itemsByTable) };
    }
    const parsedExpressions = parseExpressions(input);
    const name = input.TableName as TableName;
    if (operation === 'Query' || operation === 'Scan')
      return {
        Items: listIndexItems(name, getStoredTable(name), { ...input, ...parsedExpressions }, isStale),
      };
    const action = actions[operation as keyof typeof actions];
    if (!action) throw new ValidationException('This command is not understood here');
    const { Key, Item } = input;
    const pk = String((Item ?? Key)?.['pk']);
    const commandData = {
      ...input,
      ...parsedExpressions,
      Key: Key && marshalItem(Key),
      Item: Item && marshalItem(Item),
    };
    let output: Readonly<Record<string, Raw | undefined>> = {};
    action(makeStore(name, pk), commandData, (error, result) => {
      if (error) throw makeFailure(error as Refused, input, getStoredTable(name).raw.get(pk));
      output = result as typeof output;
    });
    return Object.fromEntries(Object.entries(output).map(([part, item]) => [part, item && unmarshall(item)]));
  };

  return {
    /** Physical table names: each table is called what the contract calls it. */
    tableNames: Object.fromEntries(names.map((name) => [name, name])) as Record<TableName, string>,
    apply,
    listItems: (table: TableName): ReadonlyMap<string, Item> => getStoredTable(table).items,
  };
}

/** An error of dynalite's. */
interface Refused {
  readonly body?: { readonly __type: string; readonly message: string };
}

function makeFailure(error: Refused, input: Input, item: Raw | undefined): unknown {
  if (!error.body) return error;
  if (!error.body.__type.endsWith('ConditionalCheckFailedException'))
    return new ValidationException(error.body.message);
  const isReturned = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && item !== undefined;
  return new ConditionalCheckFailedException({
    message: error.body.message,
    $metadata: { httpStatusCode: 400 },
    ...(isReturned && { Item: item }),
  });
}

/** The items of a query or scan. An index may lag: it then shows an item's previous version. */
function listIndexItems(
  name: TableName,
  table: Table,
  input: Input & ParsedExpressions,
  isStale: () => boolean,
): readonly Item[] {
  const index = (tables[name] as TableDefinition).indexes.find(
    (definition) => definition.name === input.IndexName,
  );
  if (input.IndexName !== undefined && !index)
    throw new ValidationException(`There is no index ${input.IndexName}`);
  // An index holds the items that have all its keys.
  const keys = [index?.partitionKey, index?.sortKey].filter((key) => key !== undefined);
  const condition = input._keyCondition?.expression;
  const writeSortKey = (item: Item) => `${index?.sortKey ? item[index.sortKey] : ''}\u0000${item['pk']}`;
  return [...table.items]
    .map(([pk, newest]) => (index && isStale() ? table.earlier.get(pk) : newest))
    .filter((item) => item !== undefined)
    .filter((item) => keys.every((key) => item[key] !== undefined))
    .filter((item) => !condition || matchesExprFilter(marshalItem(item), condition))
    .sort((a, b) => (writeSortKey(a) < writeSortKey(b) ? -1 : 1))
    .slice(0, input.Limit);
}
