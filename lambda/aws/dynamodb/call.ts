/** How every DynamoDB call is made: with a deadline, a fixed number of attempts, and a name for each way to fail. */

import { abortAfter } from '../../base/deadline';
import { asOutage } from '../../base/outage';
import { retry } from '../../base/retry';
import { createSlots, type Slots } from '../../base/slots';
import { systemClock } from '../../base/system';
import {
  dynamoDbAttemptsMax,
  dynamoDbAttemptTimeoutMs,
  dynamoDbCallsMax,
  dynamoDbOnlyAttemptTimeoutMs,
  dynamoDbPauseMs,
} from '../../contract/timeouts';
import type { Command } from './commands';

/**
 * `refused`: the condition did not hold. `throttled`: certainly not applied, and worth another attempt. `rejected`:
 * certainly not applied, and never will be. `unknown`: it may or may not have been applied.
 */
export type Failure = 'refused' | 'throttled' | 'rejected' | 'unknown';

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
  'LimitExceededException',
]);

/** Which kind of failure an error of the transport is. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'ConditionalCheckFailedException') return 'refused';
  if (throttles.has(error.name)) return 'throttled';
  const { httpStatusCode: status, clockSkewCorrected } = (error as TransportError).$metadata ?? {};
  // The signature was refused for its time, and the next one will be right.
  if (clockSkewCorrected === true && status !== undefined && status < 500) return 'throttled';
  return status !== undefined && status >= 400 && status < 500 ? 'rejected' : 'unknown';
}

/** What an error of the transport holds beside its name. */
interface TransportError {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
}

/** What adapters see of the DynamoDB transport: it sends each command once. A test may bring its own pauses between attempts, and no deadline. */
export interface Database {
  send<Output>(command: Command<Output>, options?: { readonly abortSignal?: AbortSignal }): Promise<Output>;
  /** Waits, in milliseconds; the system clock where absent. */
  pause?(delayMs: number): Promise<void>;
  /** A number from 0 to below 1, which spreads the pauses of calls that failed together; `Math.random` where absent. */
  random?(): number;
  /** Whether calls take no real time, so that none needs a deadline, which costs more than a call to tables in memory. */
  readonly isInstant?: true;
}

/** The slots of each client. */
const slots = new WeakMap<Database, Slots>();

/** A call that waits for its turn has not begun: its deadline measures the table, not the queue in this process. */
function slotsOf(client: Database): Slots {
  const own = slots.get(client) ?? createSlots(dynamoDbCallsMax);
  slots.set(client, own);
  return own;
}

/**
 * Sends a command and sends it again while it failed in one of the `retried` ways and attempts are left.
 * A read or an idempotent write may be repeated after an unknown outcome, a plain addition only after a throttle.
 * @throws the last attempt's error; an outage where the table did not answer or throttled
 */
export function call<Output>(
  client: Database,
  command: Command<Output>,
  retried: readonly Failure[],
): Promise<Output> {
  const timeoutMs = retried.includes('unknown') ? dynamoDbAttemptTimeoutMs : dynamoDbOnlyAttemptTimeoutMs;
  const { pause: sleep = systemClock.sleep, random = Math.random } = client;
  const late = `DynamoDB did not answer within ${timeoutMs} ms`;
  const attempt = () =>
    slotsOf(client)(() =>
      client.isInstant
        ? client.send(command)
        : abortAfter(timeoutMs, late, (abortSignal) => client.send(command, { abortSignal })),
    );
  const pauseMsAfter = (error: unknown, attempt: number) =>
    retried.includes(failureOf(error))
      ? dynamoDbPauseMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
      : undefined;
  return retry(attempt, { attemptsMax: dynamoDbAttemptsMax, pauseMsAfter, clock: { sleep } }).catch(
    (error: object) => {
      throw retryIdempotent.includes(failureOf(error)) ? asOutage(error) : error;
    },
  );
}

/** For reads and for writes that may be applied twice without harm. */
export const retryIdempotent: readonly Failure[] = ['throttled', 'unknown'];
/** For writes that must be applied at most once. */
export const retryIfNotApplied: readonly Failure[] = ['throttled'];
