/** A register of API keys on tables in memory. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKeyRegister, type KeyRecord, refOf } from '../../lambda/credentials/api-keys';
import { createApiKeyRegister } from '../../lambda/credentials/dynamodb/api-key-register';
import { keyOf } from '../../lambda/credentials/dynamodb/api-keys';
import { tablesInMemory } from './observed';

type Operation = keyof ApiKeyRegister;

/** A register that counts its calls, fails on demand, and can be paused in the middle of an operation. */
export interface FakeApiKeys extends ApiKeyRegister {
  readonly calls: readonly Operation[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
  /** Awaited after an operation has taken effect and before it returns. */
  after(pause: (operation: Operation) => Promise<void> | undefined): void;
}

export function createFakeApiKeys(records: readonly KeyRecord[] = []): FakeApiKeys {
  const { memory, db } = tablesInMemory();
  for (const record of records)
    memory.apply(new PutCommand({ TableName: 'apiKeys', Item: { pk: keyOf(refOf(record)), ...record } }));
  const register = createApiKeyRegister(db, 'apiKeys');
  const calls: Operation[] = [];
  let failure: Error | undefined;
  let pauseAfter: (operation: Operation) => Promise<void> | undefined = () => undefined;

  const run = async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
    calls.push(operation);
    if (failure) throw failure;
    const result = await work();
    await pauseAfter(operation);
    return result;
  };

  return {
    calls,
    failWith: (error) => {
      failure = error;
    },
    after: (pause) => {
      pauseAfter = pause;
    },
    find: (ref) => run('find', () => register.find(ref)),
    add: (record) => run('add', () => register.add(record)),
    ofAccount: (account) => run('ofAccount', () => register.ofAccount(account)),
    async *all() {
      yield* await run('all', async () => register.all());
    },
    change: (ref, change) => run('change', () => register.change(ref, change)),
  };
}
