/**
 * Calls of the stores that are made once with a client of their own (generation, quota, stock). New stores take `Services`
 * and call `read`, `write` and `writeOnce` of `../dynamodb.ts`, which these become.
 */

import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deadlineAt } from '../../base/deadline';
import { currentRequest } from '../../base/request-deadline';
import { createSlots } from '../../base/slots';
import { systemClock } from '../../base/system';
import { dynamoDbCallsMax } from '../../contract/timeouts';
import {
  type DatabaseServices,
  type OutputOf,
  type ReadCommand,
  read,
  type WriteCommand,
  write,
  writeOnce,
} from '../dynamodb';
import type { CallFailure } from '../errors';

/** The document client; a test may bring its own pauses between attempts. */
export interface Database extends Pick<DynamoDBDocumentClient, 'send'> {
  /** Waits, in milliseconds; the system clock where absent. */
  pause?(delayMs: number): Promise<void>;
  /** A number from 0 to below 1, which spreads the pauses of calls that failed together; `Math.random` where absent. */
  random?(): number;
}

const databases = new WeakMap<Database, DatabaseServices['database']>();

function databaseOf(client: Database): DatabaseServices['database'] {
  const known = databases.get(client);
  if (known) return known;
  const database = {
    client: client as DatabaseServices['database']['client'],
    slots: createSlots(dynamoDbCallsMax),
    silentUntilMs: new Map<string, number>(),
  };
  databases.set(client, database);
  return database;
}

/** The services of the request that runs, or of work that has no end where none does. */
export function servicesOf(client: Database): DatabaseServices {
  const { pause: sleep = systemClock.sleep, random = Math.random } = client;
  const request = currentRequest();
  const database = databaseOf(client);
  if (request)
    return { database, clock: { nowMs: request.clock.nowMs, sleep }, random, deadline: request.deadline };
  const work = { ...database, silentUntilMs: new Map() };
  return {
    database: work,
    clock: { nowMs: systemClock.nowMs, sleep },
    random,
    deadline: deadlineAt(Infinity),
  };
}

/**
 * Sends a command and sends it again while it failed in one of the `retried` ways and attempts are left.
 * @throws as `read`, `write` and `writeOnce`
 */
export function call<C extends ReadCommand | WriteCommand>(
  client: Database,
  command: C,
  retried: readonly CallFailure[],
): Promise<OutputOf<C>> {
  const services = servicesOf(client);
  if (isRead(command)) return read(services, command) as Promise<OutputOf<C>>;
  const send = retried.includes('unknownOutcome') ? write : writeOnce;
  return send(services, command as WriteCommand) as Promise<OutputOf<C>>;
}

function isRead(command: ReadCommand | WriteCommand): command is ReadCommand {
  return !(command instanceof PutCommand || command instanceof UpdateCommand);
}

/** For reads and for writes that may be applied twice without harm. */
export const retryIdempotent: readonly CallFailure[] = ['notApplied', 'unknownOutcome'];
