/** The store of API keys on tables in memory. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { deadlineAt } from '../../lambda/base/deadline';
import { systemClock } from '../../lambda/base/system';
import * as keyStore from '../../lambda/credentials/key-store';
import { type KeyRecord, type KeyServices, refOf } from '../../lambda/credentials/key-store';
import { bound } from './bound';
import { arrival, createMemoryDynamoDb, databaseOf, operationOf } from './memory-dynamodb';

type Operation = 'find' | 'add' | 'change' | 'ofAccount' | 'all';

const operations: Readonly<Record<string, Operation>> = {
  Get: 'find',
  Put: 'add',
  Update: 'change',
  Query: 'ofAccount',
  Scan: 'all',
};

/** A store that counts its calls, fails on demand, and can be paused in the middle of an operation. */
export interface FakeApiKeys {
  /** For the functions of `key-store`, and for what calls them. */
  readonly services: KeyServices;
  readonly calls: readonly Operation[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
  /** Awaited after an operation has taken effect and before it returns. */
  after(pause: (operation: Operation) => Promise<void> | undefined): void;
  /** Makes the list of an account's keys answer this, as one that lags behind does. */
  listWith(list: () => readonly KeyRecord[]): void;
  /** The store itself. */
  readonly find: ReturnType<typeof storeOn>['findKey'];
  readonly add: ReturnType<typeof storeOn>['addKey'];
  readonly change: ReturnType<typeof storeOn>['changeKey'];
  readonly ofAccount: ReturnType<typeof storeOn>['keysOf'];
}

const storeOn = (services: KeyServices) => bound(services, keyStore);

/** @param clock of the services; its pauses take no time */
export function createFakeApiKeys(
  records: readonly KeyRecord[] = [],
  clock: Pick<KeyServices['clock'], 'nowMs'> = systemClock,
): FakeApiKeys {
  const memory = createMemoryDynamoDb();
  for (const record of records)
    memory.apply(
      new PutCommand({ TableName: 'apiKeys', Item: { pk: keyStore.itemKeyOf(refOf(record)), ...record } }),
    );
  const calls: Operation[] = [];
  let failure: Error | undefined;
  let pauseAfter: (operation: Operation) => Promise<void> | undefined = () => undefined;
  let listed: (() => readonly KeyRecord[]) | undefined;
  const send = async (command: unknown) => {
    const operation = operations[operationOf(command)] as Operation;
    calls.push(operation);
    if (failure) throw failure;
    if (operation === 'add' || operation === 'change') await arrival();
    const result = operation === 'ofAccount' && listed ? { Items: listed() } : memory.apply(command);
    await pauseAfter(operation);
    return result;
  };
  const services: KeyServices = {
    database: databaseOf(send),
    tables: { apiKeys: 'apiKeys' },
    clock: { ...systemClock, nowMs: clock.nowMs, sleep: async () => undefined },
    random: () => 0,
    get deadline() {
      return deadlineAt(Infinity);
    },
  };
  const { findKey: find, addKey: add, changeKey: change, keysOf: ofAccount } = storeOn(services);
  return {
    services,
    calls,
    failWith: (error) => {
      failure = error;
    },
    after: (pause) => {
      pauseAfter = pause;
    },
    listWith: (list) => {
      listed = list;
    },
    find,
    add,
    change,
    ofAccount,
  };
}
