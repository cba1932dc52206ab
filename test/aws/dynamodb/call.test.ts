/** Every DynamoDB call has a deadline, and what the protocol reads is the latest. */

import { call, type Database, retryIdempotent, retryIfNotApplied } from '../../../lambda/aws/dynamodb/call';
import { GetCommand } from '../../../lambda/aws/dynamodb/commands';
import { monthWindow } from '../../../lambda/base/window';
import {
  dynamoDbAttemptTimeoutMs,
  dynamoDbCallsMax,
  dynamoDbOnlyAttemptTimeoutMs,
  dynamoDbPauseMs,
} from '../../../lambda/contract/timeouts';
import { createApiKeyRegister } from '../../../lambda/credentials/dynamodb/api-key-register';
import { createApiKeys } from '../../../lambda/credentials/dynamodb/api-keys';
import { createGenerationIndex } from '../../../lambda/generation/dynamodb/generation-index';
import { createCharges } from '../../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { accountId, imageKey, keyHash } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

const aRead = new GetCommand({ TableName: 't', Key: { pk: '1' } });

describe('a call to a table that never answers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const silent = () => {
    let attempts = 0;
    const send = (_: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) => {
      attempts += 1;
      return new Promise((_resolve, reject) => {
        abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
      });
    };
    const client = { send, pause: async () => undefined } as unknown as Database;
    return { client, attempts: () => attempts };
  };

  test('is aborted at the deadline of an attempt and repeated a fixed number of times', async () => {
    const { client, attempts } = silent();
    const outcome = call(client, aRead, retryIdempotent).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(3 * dynamoDbAttemptTimeoutMs);
    expect(await outcome).toBe(`DynamoDB did not answer within ${dynamoDbAttemptTimeoutMs} ms`);
    expect(attempts()).toBe(3);
  });

  test('is aborted later, and not repeated, where a repetition could count twice', async () => {
    const { client, attempts } = silent();
    const outcome = call(client, aRead, retryIfNotApplied).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(dynamoDbOnlyAttemptTimeoutMs);
    expect(await outcome).toBe(`DynamoDB did not answer within ${dynamoDbOnlyAttemptTimeoutMs} ms`);
    expect(attempts()).toBe(1);
  });

  test('begins its deadline with its turn, so that a crowd in this process is not taken for a slow table', async () => {
    const { client, attempts } = silent();
    const outcomes = Array.from({ length: dynamoDbCallsMax + 1 }, () =>
      call(client, aRead, retryIfNotApplied).catch(() => 'late'),
    );
    await jest.advanceTimersByTimeAsync(dynamoDbOnlyAttemptTimeoutMs - 1);
    expect(attempts()).toBe(dynamoDbCallsMax);
    await jest.advanceTimersByTimeAsync(1);
    expect(attempts()).toBe(dynamoDbCallsMax + 1);
    await jest.advanceTimersByTimeAsync(dynamoDbOnlyAttemptTimeoutMs);
    expect(await Promise.all(outcomes)).toHaveLength(dynamoDbCallsMax + 1);
  });
});

test.each([
  [0, [dynamoDbPauseMs / 2, dynamoDbPauseMs]],
  [0.5, [dynamoDbPauseMs * 0.75, dynamoDbPauseMs * 1.5]],
])('the pauses between attempts double, and are spread by the random number %d', async (number, expected) => {
  const pauses: number[] = [];
  const client = {
    send: () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' })),
    pause: async (delayMs: number) => void pauses.push(delayMs),
    random: () => number,
  } as Database;
  await call(client, aRead, retryIdempotent).catch(() => undefined);
  expect(pauses).toEqual(expected);
});

test.each([
  [
    'the record of an image',
    (db: Database) => createGenerationIndex(db, 't').read(imageKey('G#live#a#private#1')),
  ],
  [
    'what an account holds',
    (db: Database) =>
      createCharges({
        db,
        tableName: 't',
        clock: { nowMs: () => 0 },
        telemetry: createRecordedTelemetry(),
      }).pendingOf('Q#a#2026-11'),
  ],
  [
    'what an account has spent',
    (db: Database) =>
      createQuotaCounters(db as never, 't', createRecordedTelemetry()).taken({
        counter: { kind: 'account', account: accountId('a'), mode: 'live' },
        limit: 1,
        window: monthWindow(0),
      }),
  ],
  ['a key', (db: Database) => createApiKeys(db, 't').find(keyHash('a'))],
  ['what all keys are', (db: Database) => createApiKeyRegister(db, 't').all()[Symbol.asyncIterator]().next()],
])('%s is read with strong consistency', async (_, read) => {
  const inputs: { readonly ConsistentRead?: boolean }[] = [];
  const send = async ({ input }: { readonly input: object }) => {
    inputs.push(input);
    return {};
  };
  await read({ send } as unknown as Database);
  expect(inputs.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true]);
});
