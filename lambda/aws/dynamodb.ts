/** Sends commands to DynamoDB within a deadline, and repeats them. The stores write the expressions. */

import * as sdk from '@aws-sdk/client-dynamodb';
import * as lib from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { systemClock } from '../base/clock';
import { type ConcurrencyBound, runBounded } from '../base/concurrency';
import { abortAfter, createDeadline, DeadlineReached, type TimedServices } from '../base/deadline';
import { Outage } from '../base/outage';
import { retry } from '../base/retry';
import type { TableName } from '../contract/tables';
import { dynamoDbTimes as times } from '../contract/timeouts';
import { makeClientDefaults } from './agent';
import { classifyCallFailure } from './errors';

/** The client of a process, and its memory of tables that have not answered. */
export interface Database {
  readonly client: lib.DynamoDBDocumentClient;
  /** Bounds concurrent calls. The time limit of a call begins after it has waited for its turn. */
  readonly calls: ConcurrencyBound;
  /** By the name of a silent table: the moment until which its reads fail at once. */
  readonly silentUntilMs: Map<string, number>;
}

/** The services of a call of DynamoDB. */
export interface DatabaseServices extends TimedServices {
  readonly database: Database;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/** The services of a store. */
export interface TableServices<Name extends TableName> extends DatabaseServices {
  /** The physical names of its tables. */
  readonly tables: Readonly<Record<Name, string>>;
}

/** Creates the services of a command line tool. Its calls have no deadline. */
export function createToolServices(database: Database): DatabaseServices {
  return { database, clock: systemClock, random: Math.random, deadline: createDeadline(Infinity) };
}

/** Connects a process to DynamoDB. Without `config`, the environment decides. */
export function connectDynamoDb(config: sdk.DynamoDBClientConfig = {}): Database {
  const client = new sdk.DynamoDBClient({ ...makeClientDefaults(), ...config });
  return {
    client: lib.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    calls: { free: times.callsMax, waiting: [] },
    silentUntilMs: new Map(),
  };
}

type ReadCommand = lib.BatchGetCommand | lib.GetCommand | lib.QueryCommand | lib.ScanCommand;
type WriteCommand = lib.DeleteCommand | lib.PutCommand | lib.UpdateCommand;
type Output<C extends ReadCommand | WriteCommand> = Promise<
  Awaited<ReturnType<ReturnType<C['resolveMiddleware']>>>['output']
>;

/** An item by attribute name, in plain JavaScript values. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * Reads with up to `attemptsMax` attempts. After a table has not answered, its reads fail at once: for the
 * rest of this request, and for `silenceMs` in this process.
 * @throws `Outage` when the table does not answer or throttles, another error when it refuses the call
 */
export async function readTable<C extends ReadCommand>(services: DatabaseServices, command: C): Output<C> {
  const { database, clock, deadline } = services;
  const silentTable = listTables(command).find(
    (table) => deadline.silentTables.has(table) || (database.silentUntilMs.get(table) ?? 0) > clock.nowMs(),
  );
  if (silentTable !== undefined)
    throw new Outage(`${silentTable} has just not answered, and is not asked again yet`);
  return send(services, command, true);
}

/**
 * Writes with up to `attemptsMax` attempts, even after a lost answer. It is for writes that may be applied
 * twice.
 * @throws `Outage` when the outcome is unknown or the table throttled; `classifyCallFailure` tells which. Another
 * error when the write is refused
 */
export const writeTable = <C extends WriteCommand>(services: DatabaseServices, command: C) =>
  send(services, command, true);

/**
 * Writes, and repeats the write only if it was certainly not applied. It is for additions.
 * @throws as `writeTable`; an unknown outcome stays unknown
 */
export const writeOnce = <C extends WriteCommand>(services: DatabaseServices, command: C) =>
  send(services, command, false);

/** The table and key of an item. */
export type ItemKey = Pick<lib.UpdateCommandInput, 'TableName' | 'Key'>;

/** Makes the key of an item from its partition key. No table has a sort key. */
export const makeItemKey = (TableName: string, pk: string): ItemKey => ({ TableName, Key: { pk } });

/** A change of one item, by the names of its attributes. */
export interface ItemUpdate {
  readonly set?: Item;
  readonly remove?: readonly string[];
  /**
   * A condition expression. `#name` stands for the attribute `name`, because DynamoDB reserves many words.
   * `:name` stands for the value of `name` in `set` or `values`.
   */
  readonly onlyIf?: string;
  /** Values that only the condition uses. */
  readonly values?: Item;
}

/**
 * Sets and removes attributes of an item, under a condition. It is sent again after a lost answer, so a
 * refusal may come from its own first attempt. The returned item shows that.
 * @returns the item after the update, or the item that refused it
 * @throws as `writeTable`
 */
export async function updateItem(
  services: DatabaseServices,
  itemKey: ItemKey,
  { set = {}, remove = [], onlyIf, values }: ItemUpdate,
): Promise<{ readonly applied: boolean; readonly item: Item | undefined }> {
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  const UpdateExpression = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
  ].join(' ');
  const names = `${UpdateExpression} ${onlyIf}`.match(/#\w+/g) ?? [];
  const valueEntries = Object.entries({ ...set, ...values }).map(([name, value]) => [`:${name}`, value]);
  const command = new lib.UpdateCommand({
    ...itemKey,
    UpdateExpression,
    ConditionExpression: onlyIf,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    // DynamoDB refuses an empty object.
    ExpressionAttributeValues: valueEntries.length > 0 ? Object.fromEntries(valueEntries) : undefined,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes = {} } = await writeTable(services, command);
    return { applied: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof sdk.ConditionalCheckFailedException)) throw error;
    // The document client does not convert this item. Dynalite sends none.
    return { applied: false, item: error.Item ? unmarshall(error.Item) : await readItem(services, itemKey) };
  }
}

/** Reads an item, strongly consistent. With `isLatest` false the read costs half, and may miss the last write. */
export async function readItem(
  services: DatabaseServices,
  itemKey: ItemKey,
  isLatest = true,
): Promise<Item | undefined> {
  return (await readTable(services, new lib.GetCommand({ ...itemKey, ConsistentRead: isLatest }))).Item;
}

/** Lists the items of a query or a scan. It reads each page when it is needed. Throws as `readTable`. */
export async function* listItems(
  services: DatabaseServices,
  command: lib.QueryCommand | lib.ScanCommand,
): AsyncIterable<Item> {
  const Command = command instanceof lib.QueryCommand ? lib.QueryCommand : lib.ScanCommand;
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey }: lib.ScanCommandOutput = await readTable(
      services,
      new Command({ ...(command.input as lib.ScanCommandInput), ExclusiveStartKey }),
    );
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/**
 * Sends one command, and repeats it while the request has time. If no attempt is answered, the table is noted
 * as silent, unless the deadline of the request ended the last attempt.
 * @param mayRepeat true if the command is sent again after a lost answer
 */
async function send<C extends ReadCommand | WriteCommand>(
  services: DatabaseServices,
  command: C,
  mayRepeat: boolean,
): Output<C> {
  const { database, clock, deadline, random } = services;
  const countLeftMs = () => deadline.endsMs - clock.nowMs();
  const sendOnce = (): Output<C> => {
    const waitMs = Math.max(1, Math.min(mayRepeat ? times.attemptMs : times.onlyAttemptMs, countLeftMs()));
    return abortAfter(waitMs, `No answer within ${waitMs} ms`, (abortSignal) =>
      database.client.send(command as lib.GetCommand, { abortSignal }),
    );
  };
  const computePauseMs = (error: unknown, count: number) => {
    const failure = classifyCallFailure(error);
    const isRepeatable = failure === 'notApplied' || (mayRepeat && failure === 'unknownOutcome');
    const pauseMs = times.pauseMs * 2 ** (count - 1) * (0.5 + random() / 2);
    return isRepeatable && pauseMs < countLeftMs() ? pauseMs : undefined;
  };
  try {
    return await runBounded(database.calls, () => {
      if (countLeftMs() <= 0) throw new DeadlineReached('The request has no time left for another call.');
      return retry(sendOnce, { attemptsMax: times.attemptsMax, computePauseMs, clock });
    });
  } catch (error) {
    const failure = classifyCallFailure(error);
    if (failure === 'conditionFailed' || failure === 'rejected') throw error;
    const tables = listTables(command);
    if (failure === 'unknownOutcome' && countLeftMs() > 0)
      for (const table of tables) {
        deadline.silentTables.add(table);
        database.silentUntilMs.set(table, clock.nowMs() + times.silenceMs);
      }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Outage(`${tables.join()} did not answer: ${reason}`, { cause: error });
  }
}

const listTables = ({ input }: ReadCommand | WriteCommand): readonly string[] =>
  'RequestItems' in input ? Object.keys(input.RequestItems ?? {}) : [String(input.TableName)];
