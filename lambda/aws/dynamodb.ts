/**
 * DynamoDB, as every store calls it: `read`, `write` (which may be sent again), `writeOnce` (which may not), and
 * `writeIf` for a conditional update whose refusal is an answer. Commands are those of `@aws-sdk/lib-dynamodb`; conditions
 * and expressions stand in the store of their subject.
 */

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  type BatchGetCommand,
  type DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  type PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../base/clock';
import { abortAfter, type Deadline, DeadlineReached, deadlineAt } from '../base/deadline';
import { Outage } from '../base/outage';
import { inSlot, type Slots } from '../base/slots';
import { systemClock } from '../base/system';
import {
  dynamoDbAttemptsMax,
  dynamoDbAttemptTimeoutMs,
  dynamoDbCallsMax,
  dynamoDbOnlyAttemptTimeoutMs,
  dynamoDbPauseMs,
  warmUpTimeoutMs,
} from '../contract/timeouts';
import { clientDefaults } from './agent';
import { callFailureOf, refusedItemOf } from './errors';

/** The client of one process, and what the process knows about the tables. */
export interface Database {
  readonly client: DynamoDBDocumentClient;
  /** A call that waits for its turn has not begun: its time measures the table, not the queue in this process. */
  readonly slots: Slots;
  /** Until when (epoch, milliseconds) the reads of a table fail at once, by its name: it has just not answered. */
  readonly silentUntilMs: Map<string, number>;
}

/** What a call needs of `Services`. */
export interface DatabaseServices {
  readonly database: Database;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly deadline: Deadline;
}

/** The services for calls of a tool, whose work has no end. */
export function untimed(database: Database): DatabaseServices {
  return { database, clock: systemClock, random: Math.random, deadline: deadlineAt(Infinity) };
}

/** How long the reads of a table that has not answered fail at once in this process, in milliseconds. */
const silenceMs = 2_000;

/** @param config region, endpoint and credentials where the environment does not say them, as in a test */
export function connectDynamoDb(config: DynamoDBClientConfig = {}): Database {
  const client = new DynamoDBClient({ ...clientDefaults(), ...config });
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    slots: { free: dynamoDbCallsMax, waiting: [] },
    silentUntilMs: new Map(),
  };
}

/**
 * Reads an item that does not exist, once for each connection that a request uses: the first calls of a process open the
 * connections, find the credentials and compile the client's code, most of what a first request would otherwise take.
 * Never throws: what is wrong with the table, the first request finds out.
 */
export async function warmUp({ client }: Database, TableName: string, connections: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(warmUpTimeoutMs);
  const readNone = () => client.send(new GetCommand({ TableName, Key: { pk: 'none' } }), { abortSignal });
  await Promise.allSettled(Array.from({ length: connections }, readNone));
}

/** A command that changes nothing. */
export type ReadCommand = BatchGetCommand | GetCommand | QueryCommand | ScanCommand;
/** A command that changes one item. */
export type WriteCommand = DeleteCommand | PutCommand | UpdateCommand;
/** What a command is answered with. */
export type OutputOf<C extends ReadCommand | WriteCommand> = Awaited<
  ReturnType<ReturnType<C['resolveMiddleware']>>
>['output'];

/**
 * Reads, up to three times. Fails at once for a table that has used up the attempts of a call earlier in this request,
 * and for two seconds after that in this process.
 * @throws `Outage` when the table does not answer or throttles, another error when it refuses the call
 */
export async function read<C extends ReadCommand>(
  services: DatabaseServices,
  command: C,
): Promise<OutputOf<C>> {
  const { database, clock, deadline } = services;
  const silent = tablesOf(command).find(
    (table) => deadline.silentTables.has(table) || (database.silentUntilMs.get(table) ?? 0) > clock.nowMs(),
  );
  if (silent !== undefined) throw new Outage(`${silent} has just not answered, and is not asked again yet`);
  return send(services, command, true);
}

/**
 * Writes, up to three times, also after a lost answer: for a write that does no harm when it is applied twice.
 * @throws `Outage` when the outcome is unknown or the table throttled (`callFailureOf` tells them apart), another error
 * when the write is refused
 */
export function write<C extends WriteCommand>(services: DatabaseServices, command: C): Promise<OutputOf<C>> {
  return send(services, command, true);
}

/**
 * Writes, and again only where it was certainly not applied: for a plain addition, which a lost answer must not double.
 * @throws as `write`; an unknown outcome stays unknown
 */
export function writeOnce<C extends WriteCommand>(
  services: DatabaseServices,
  command: C,
): Promise<OutputOf<C>> {
  return send(services, command, false);
}

/** What became of a conditional update. */
export type WriteResult =
  /** `item` as it is now. */
  | { readonly applied: true; readonly item: Item }
  /** `item` as it stood; `undefined` when there was none. */
  | { readonly applied: false; readonly item: Item | undefined };

/** An item by attribute name, in plain JavaScript values. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * An update whose condition makes it safe to send again, and which is sent again after a lost answer: a refusal may
 * then be the doing of this very update, which the item shows. Where an engine does not send the item with its refusal
 * (dynalite), it is read.
 * @throws as `write`
 */
export async function writeIf(services: DatabaseServices, update: UpdateCommandInput): Promise<WriteResult> {
  const input = {
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...update,
  } as const;
  try {
    const { Attributes = {} } = await write(services, new UpdateCommand(input));
    return { applied: true, item: Attributes };
  } catch (error) {
    if (callFailureOf(error) !== 'conditionFailed') throw error;
    return { applied: false, item: refusedItemOf(error) ?? (await readItem(services, update)) };
  }
}

/** One strongly consistent read. @throws as `read` */
export async function readItem(
  services: DatabaseServices,
  { TableName, Key }: Pick<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<Item | undefined> {
  return (await read(services, new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

/**
 * All items of a query or a scan; each page is read when the one before it is used up.
 * @throws as `read`
 */
export async function* itemsOf(
  services: DatabaseServices,
  first: QueryCommand | ScanCommand,
): AsyncIterable<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const input = { ...first.input, ...(ExclusiveStartKey && { ExclusiveStartKey }) };
    const page =
      first instanceof QueryCommand ? new QueryCommand(input) : new ScanCommand(input as ScanCommandInput);
    const { Items = [], LastEvaluatedKey }: QueryCommandOutput | ScanCommandOutput = await read(
      services,
      page,
    );
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** @param mayRepeat whether it is sent again after a lost answer */
async function send<C extends ReadCommand | WriteCommand>(
  services: DatabaseServices,
  command: C,
  mayRepeat: boolean,
): Promise<OutputOf<C>> {
  const { database, clock, deadline } = services;
  try {
    return await inSlot(database.slots, () => attempt(services, command, mayRepeat));
  } catch (error) {
    const failure = callFailureOf(error);
    if (failure === 'conditionFailed' || failure === 'rejected') throw error;
    const tables = tablesOf(command);
    // A table that had less time than it may take has not shown that it does not answer.
    if (failure === 'unknownOutcome' && clock.nowMs() < deadline.endsMs)
      for (const table of tables) {
        deadline.silentTables.add(table);
        database.silentUntilMs.set(table, clock.nowMs() + silenceMs);
      }
    const why = error instanceof Error ? error.message : String(error);
    throw new Outage(`${tables.join()} did not answer: ${why}`, { cause: error });
  }
}

/**
 * Makes one call, again where that is safe and may succeed, and never beyond the time of the request.
 * @throws `DeadlineReached` when the request has no time left and nothing was sent, otherwise the error of the last attempt
 */
async function attempt<C extends ReadCommand | WriteCommand>(
  { database, clock, random, deadline }: DatabaseServices,
  command: C,
  mayRepeat: boolean,
): Promise<OutputOf<C>> {
  const leftMs = () => deadline.endsMs - clock.nowMs();
  if (leftMs() <= 0) throw new DeadlineReached('The request has no time left for another call.');
  const ownMs = mayRepeat ? dynamoDbAttemptTimeoutMs : dynamoDbOnlyAttemptTimeoutMs;
  for (let count = 1; ; count++) {
    const waitMs = Math.max(1, Math.min(ownMs, leftMs()));
    try {
      return await abortAfter(waitMs, `No answer within ${waitMs} ms`, (abortSignal) =>
        database.client.send(command as GetCommand, { abortSignal }),
      );
    } catch (error) {
      const failure = callFailureOf(error);
      const isRepeatable = failure === 'notApplied' || (mayRepeat && failure === 'unknownOutcome');
      // Doubled each time, and shortened by up to a half at random.
      const pauseMs = dynamoDbPauseMs * 2 ** (count - 1) * (0.5 + random() / 2);
      if (!isRepeatable || count >= dynamoDbAttemptsMax || pauseMs >= leftMs()) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

const tablesOf = ({ input }: ReadCommand | WriteCommand): readonly string[] =>
  'RequestItems' in input ? Object.keys(input.RequestItems ?? {}) : [String(input.TableName)];
