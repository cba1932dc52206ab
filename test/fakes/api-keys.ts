/** Use this store of keys where a test counts its calls, makes them fail or stops between them. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { systemClock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import * as keyStore from '../../lambda/credentials/key-store';
import { getKeyReference, type KeyServices, type StoredKey } from '../../lambda/credentials/key-store';
import { bindServices } from './bound';
import { awaitArrival, createDatabase, createMemoryDynamoDb, getOperation } from './memory-database';

/**
 * A store that counts its calls, fails on demand, and can be paused in the middle of an operation.
 * @param clock of the services; its pauses take no time
 */
export function createFakeApiKeys(
  records: readonly StoredKey[] = [],
  clock: Pick<KeyServices['clock'], 'nowMs'> = systemClock,
) {
  const memory = createMemoryDynamoDb();
  for (const record of records)
    memory.apply(
      new PutCommand({
        TableName: 'apiKeys',
        Item: { pk: keyStore.writePartitionKey(getKeyReference(record)), ...record },
      }),
    );
  /** The commands that were sent: `Get`, `Put`, `Update`, `Query`, `Scan`. */
  const calls: string[] = [];
  let failure: Error | undefined;
  let pauseAfter: (operation: string) => Promise<void> | undefined = () => undefined;
  let readLagging: () => readonly StoredKey[] | undefined = () => undefined;
  const send = async (command: unknown) => {
    const operation = getOperation(command);
    calls.push(operation);
    if (failure) throw failure;
    if (operation === 'Put' || operation === 'Update') await awaitArrival();
    const laggingKeys = operation === 'Query' ? readLagging() : undefined;
    const output = laggingKeys ? { Items: laggingKeys } : memory.apply(command);
    await pauseAfter(operation);
    return output;
  };
  const services: KeyServices = {
    database: createDatabase(send),
    tables: { apiKeys: 'apiKeys' },
    clock: { ...systemClock, nowMs: clock.nowMs, sleep: async () => undefined },
    random: () => 0,
    get deadline() {
      return createDeadline(Infinity);
    },
  };
  return {
    /** For the functions of `key-store`, and for what calls them. */
    services,
    /** These functions for these services. */
    store: bindServices(services, keyStore),
    calls,
    /** Makes every operation fail with this error from now on, or work again. */
    failWith(error: Error | undefined) {
      failure = error;
    },
    /** Awaited after an operation has taken effect and before it returns. */
    pauseReadsAfter(pause: typeof pauseAfter) {
      pauseAfter = pause;
    },
    /** Makes the list of an account's keys answer this, as one that lags behind does, or what is stored. */
    listWith(list: () => readonly StoredKey[] | undefined) {
      readLagging = list;
    },
  };
}
