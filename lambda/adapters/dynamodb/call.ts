/** How every DynamoDB call is made: with a deadline, a fixed number of attempts, and a name for each way to fail. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  dynamoDbAttemptsMax,
  dynamoDbAttemptTimeoutMs,
  dynamoDbOnlyAttemptTimeoutMs,
  dynamoDbPauseMs,
} from '../../contract/timeouts';

/**
 * `refused`: the condition did not hold. `throttled`: certainly not applied, and worth another attempt. `rejected`:
 * certainly not applied, and never will be. `unknown`: nobody can say whether it was applied.
 */
export type Failure = 'refused' | 'throttled' | 'rejected' | 'unknown';

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
  'LimitExceededException',
]);

/** Which kind of failure an error of the SDK is. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'ConditionalCheckFailedException') return 'refused';
  if (throttles.has(error.name)) return 'throttled';
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status !== undefined && status >= 400 && status < 500 ? 'rejected' : 'unknown';
}

/** A document client built with `maxAttempts: 1`; a test may bring its own pause between attempts. */
export type Database = Pick<DynamoDBDocumentClient, 'send'> & {
  /** Waits, in milliseconds; the machine's own timer where absent. */
  pause?(delayMs: number): Promise<unknown>;
};

type Send = (command: unknown, options: { readonly abortSignal: AbortSignal }) => Promise<unknown>;

/**
 * Sends a command and sends it again while it failed in one of the `retried` ways and attempts are left.
 * A read or an idempotent write may be repeated after an unknown outcome, a plain addition only after a throttle.
 * @throws the last attempt's error
 */
export async function call<Output>(
  client: Database,
  command: { readonly input: object },
  retried: readonly Failure[],
): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = retried.includes('unknown') ? dynamoDbAttemptTimeoutMs : dynamoDbOnlyAttemptTimeoutMs;
    // Half the price of AbortSignal.timeout, whose timers would also outlive the calls that they were for.
    const deadline = new AbortController();
    const late = () => deadline.abort(new Error(`DynamoDB did not answer within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    try {
      return (await (client.send as Send).call(client, command, { abortSignal: deadline.signal })) as Output;
    } catch (error) {
      if (attempt >= dynamoDbAttemptsMax || !retried.includes(failureOf(error))) throw error;
      await (client.pause ?? sleep)(dynamoDbPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** For reads and for writes that may be applied twice without harm. */
export const whateverHappens: readonly Failure[] = ['throttled', 'unknown'];
/** For writes that must be applied at most once. */
export const onlyIfNotApplied: readonly Failure[] = ['throttled'];
