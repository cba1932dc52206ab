/** Runs the contract of the usage ledger on the fake and on DynamoDB, and checks the size of its items. */

import {
  GetCommand,
  type UpdateCommand,
  type UpdateCommandInput,
} from '../../../lambda/adapters/dynamodb/commands';
import { countName, keyName, usageKey } from '../../../lambda/adapters/dynamodb/quota/usage-item';
import { createUsageLedger } from '../../../lambda/adapters/dynamodb/quota/usage-ledger';
import { type Engine, startEngine, transports } from '../../contracts/dynamodb-engine';
import { describeUsageLedger } from '../../contracts/usage-ledger';
import { accountId } from '../../fakes/branded';
import { createFakeUsageLedger } from '../../fakes/usage-ledger';

describeUsageLedger('in memory', async () => ({ ledger: createFakeUsageLedger() }));

for (const [name, start] of transports)
  describeUsageLedger(name, async () => {
    const engine = await start();
    return {
      ledger: createUsageLedger(engine.client, engine.tableNames.quotaCounters),
      stop: engine.stop,
    };
  });

describe('the usage ledger in DynamoDB', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine?.stop());

  const entry = {
    account: accountId('acc_1'),
    keyId: 'key_1',
    source: 'stock_a',
    cache: 'HIT',
    atMs: Date.UTC(2026, 10, 21),
  } as const;

  it('books a request with one write', async () => {
    const sent: UpdateCommandInput[] = [];
    const client = {
      send: async (command: UpdateCommand) => {
        sent.push(command.input);
        return {};
      },
    };
    await createUsageLedger(client as never, 'table').record(entry);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.Key).toEqual({ pk: 'U#acc_1#2026-11' });
  });

  it('asks again for the months that a batch left out', async () => {
    const keys = ['2026-10', '2026-11'].map((label) => ({ pk: usageKey(accountId('acc_1'), label) }));
    const asked: unknown[] = [];
    const client = {
      send: async ({
        input,
      }: {
        readonly input: { readonly RequestItems: { readonly table: { readonly Keys: unknown[] } } };
      }) => {
        const { Keys } = input.RequestItems.table;
        asked.push(Keys);
        const rest = Keys.slice(1);
        return {
          Responses: { table: [Keys[0]] },
          ...(rest.length === 0 ? {} : { UnprocessedKeys: { table: { Keys: rest } } }),
        };
      },
    };
    const months = await createUsageLedger(client as never, 'table').months(accountId('acc_1'), [
      '2026-10',
      '2026-11',
    ]);
    expect([...months.keys()]).toEqual(['2026-10', '2026-11']);
    expect(asked).toEqual([keys, keys.slice(1)]);
  });

  it('expires a month thirteen months after its end, in epoch seconds', async () => {
    await createUsageLedger(engine.client, engine.tableNames.quotaCounters).record(entry);
    const Key = { pk: usageKey(accountId('acc_1'), '2026-11') };
    const { Item } = await engine.client.send(
      new GetCommand({ TableName: engine.tableNames.quotaCounters, Key }),
    );
    expect(Item?.['ttl']).toBe(Date.UTC(2027, 11, 31 + 1) / 1_000);
  });

  it('stays far below 400 KB for a full month of an account with a thousand keys', () => {
    const names = Array.from({ length: 31 }, (_, day) =>
      (['stock_a', 'stock_b', 'stock_c', 'ai'] as const).flatMap((source) =>
        (['HIT', 'MISS'] as const).map((cache) =>
          countName({ atMs: Date.UTC(2026, 0, day + 1), source, cache }),
        ),
      ),
    ).flat();
    const keys = Array.from({ length: 1_000 }, (_, i) => keyName(`key_${String(i).padStart(18, '0')}`));
    expect(new Set(names).size).toBe(31 * 4 * 2);
    // A number takes at most 21 bytes: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    const bytes = [...names, ...keys].reduce((sum, name) => sum + Buffer.byteLength(name) + 21, 0);
    expect(bytes).toBeLessThan(60_000);
  });

  it('does not repeat a write whose answer was lost', async () => {
    let sent = 0;
    const client = {
      send: async () => {
        sent++;
        throw new Error('connection reset');
      },
    };
    await expect(createUsageLedger(client as never, 'table').record(entry)).rejects.toThrow();
    expect(sent).toBe(1);
  });
});
