/** Runs the contract of a store of items on the fake and on DynamoDB, with tests of DynamoDB's particulars. */

import type { Database } from '../../../lambda/aws/dynamodb/call';
import { GetCommand } from '../../../lambda/aws/dynamodb/commands';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { describeItemStore } from '../../contracts/item-store';
import { createFakeItemStore } from '../../fakes/item-store';

describeItemStore('in memory', async () => ({ open: createFakeItemStore }));

describeItemStore('DynamoDB', async () => {
  const engine = await startEngine();
  return {
    open: (clock) => createItemStore(engine.client, engine.tableNames.cache, clock),
    stop: engine.stop,
  };
});

describe('a store of items in DynamoDB', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine?.stop());

  it('marks an item for deletion an hour after its last use, in epoch seconds', async () => {
    const cache = createItemStore(engine.client, engine.tableNames.cache, { nowMs: () => 0 });
    await cache.write('a', { value: 1, freshUntilMs: 5_000, staleUntilMs: 10_500 });
    const command = new GetCommand({ TableName: engine.tableNames.cache, Key: { pk: 'a' } });
    expect((await engine.client.send(command)).Item?.['ttl']).toBe(11 + 3_600);
  });

  it('asks for a strongly consistent read of the latest value, and for the cheaper one otherwise', async () => {
    const asked: unknown[] = [];
    const recording: Database = {
      send(command, options) {
        asked.push((command.input as { ConsistentRead?: boolean }).ConsistentRead ?? false);
        return engine.client.send(command, options);
      },
    };
    const cache = createItemStore(recording, engine.tableNames.cache, { nowMs: () => 0 });
    await cache.readLatest('a');
    await cache.read('a');
    expect(asked).toEqual([true, false]);
  });

  it('fails within its deadline when the table is not there', async () => {
    const cache = createItemStore(engine.client, 'no-such-table', { nowMs: () => 0 });
    await expect(cache.read('a')).rejects.toThrow();
    await expect(cache.lease('a', 'me', 1)).rejects.toThrow();
    await expect(cache.release('a', 'me')).rejects.toThrow();
    await expect(cache.take('a', [{ name: 'm', limit: 1 }], 1)).rejects.toThrow();
  });
});
