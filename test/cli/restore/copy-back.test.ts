/** What comes back from an earlier moment of a table, and what does not, as the tables' own adapters see it. */

import { randomBytes } from 'node:crypto';
import { copyBack } from '../../../cli/restore/copy-back';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import { readItem } from '../../../lambda/aws/dynamodb/items';
import { ulidOf } from '../../../lambda/base/ulid';
import { dayWindow, hourWindow, monthWindow } from '../../../lambda/base/window';
import type { TableName } from '../../../lambda/contract/tables';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import { createApiKeyRegister } from '../../../lambda/credentials/dynamodb/api-key-register';
import { createGenerationIndex } from '../../../lambda/generation/dynamodb/generation-index';
import { createCharges } from '../../../lambda/quota/dynamodb/charges';
import { createPaidImages } from '../../../lambda/quota/dynamodb/paid-images';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { createUsageHistory } from '../../../lambda/quota/dynamodb/usage-history';
import { createUsageStore } from '../../../lambda/quota/dynamodb/usage-store';
import { type Limit, reservationsKey } from '../../../lambda/quota/quota';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import { createTables } from '../../../local/engine/create-tables';
import { connect } from '../../../local/engine/embedded-dynamodb';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { accountId, imageKey, keyHash, libraryPath } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

jest.setTimeout(60_000);

const nowMs = Date.UTC(2026, 10, 21, 12);
const clock = { nowMs: () => nowMs };
const account = accountId('acc_0123456789abcdef01');
let engine: Engine;
/** The tables that serve; those of the engine hold what they held earlier. */
let now: Readonly<Record<TableName, string>>;

beforeAll(async () => {
  engine = await startEngine();
  const raw = connect(engine.endpoint);
  now = await createTables(raw, (table) => `now-${randomBytes(4).toString('hex')}-${table}`);
  raw.destroy();
});
afterAll(() => engine?.stop());

const db = () => engine.client as Database;
const bringBack = (table: TableName, replace = false) =>
  copyBack(db(), { table, from: engine.tableNames[table], to: now[table], replace }, nowMs);

test('a key that was lost comes back, and one that was revoked since stays revoked', async () => {
  const [earlier, later] = [engine.tableNames, now].map(({ apiKeys }) => createApiKeyRegister(db(), apiKeys));
  const record = (letter: string): KeyRecord => ({
    keyId: letter,
    hash: keyHash(letter.repeat(64)),
    mode: 'live',
    account,
    plan: 'pro',
    name: letter,
    createdAt: '2026-11-01T00:00:00Z',
  });
  for (const letter of ['a', 'b']) await earlier?.add(record(letter));
  await later?.add({ ...record('b'), revokedAt: '2026-11-21T00:00:00Z' });

  expect(await bringBack('apiKeys')).toEqual({ put: 1, left: 1 });
  expect(await later?.find(keyHash('a'.repeat(64)))).toEqual(record('a'));
  expect(await later?.find(keyHash('b'.repeat(64)))).toHaveProperty('revokedAt');
});

test('finished images come back without the charge and the delivery that were due, leases and failures do not', async () => {
  const [earlier, later] = [engine.tableNames, now].map(({ generationIndex }) =>
    createGenerationIndex(db(), generationIndex),
  ) as [ReturnType<typeof createGenerationIndex>, ReturnType<typeof createGenerationIndex>];
  const master = { path: libraryPath('private/a/b'), model: 'sandbox' };
  const failed = { why: 'upstream_unavailable', tries: 1, notBeforeMs: nowMs + 60_000, nowMs } as const;
  const lease = async (name: string) => {
    const leased = await earlier.acquire({
      key: imageKey(name),
      execution: ulidOf(nowMs, randomBytes(10)),
      imageId: randomBytes(16).toString('hex'),
      quotaKey: 'Q#acc#2026-11#held',
      nowMs,
      leaseEndsMs: nowMs + 60_000,
    });
    if (leased.outcome !== 'leased') throw new Error(leased.outcome);
    return leased.lease;
  };
  const [ready, running, refused] = [await lease('ready'), await lease('running'), await lease('refused')];
  await earlier.finalize(ready, { master, charged: true, nowMs });
  await earlier.fail(refused, failed);
  const takenDown = await lease('taken down');
  await earlier.finalize(takenDown, { master, charged: false, nowMs });
  await earlier.remove(takenDown.key);

  expect(await bringBack('generationIndex')).toEqual({ put: 2, left: 2 });
  expect(await later.read(takenDown.key)).toMatchObject({ state: 'REMOVED' });
  const back = await later.read(ready.key);
  expect(back).toMatchObject({ state: 'READY', master, settled: true, due: false });
  expect(back).not.toHaveProperty('quotaKey');
  expect(await later.takeDelivery(ready, 'request')).toBe(false);
  expect(await later.finalize(running, { master, charged: true, nowMs })).toBe('fenced');
});

test('usage and the counters of months come back, reserved units given back; limits of hours begin anew', async () => {
  const telemetry = createRecordedTelemetry();
  const of = (tableName: string) => ({
    charges: createCharges({ db: db(), tableName, clock, telemetry }),
    counters: createQuotaCounters(db(), tableName, telemetry),
    paid: createPaidImages(db(), tableName),
    usage: createUsageHistory(db(), tableName),
  });
  const [earlier, later] = [of(engine.tableNames.quotaCounters), of(now.quotaCounters)];
  const counter = { kind: 'account', account, mode: 'live' } as const;
  const quota: Limit = { counter, limit: 100, window: monthWindow(nowMs) };
  const ofKey = { kind: 'fair-use', use: 'key-requests', owner: 'key_1' } as const;
  const cap: Limit = { counter: ofKey, limit: 100, window: monthWindow(nowMs) };
  const daily: Limit = { counter: ofKey, limit: 100, window: dayWindow(nowMs) };
  const hourly: Limit = { counter: { kind: 'ip', ipHash: 'x' }, limit: 100, window: hourWindow(nowMs) };
  const quotaKey = reservationsKey(quota);
  const image = { imageId: randomBytes(16).toString('hex'), dueMs: nowMs - 60_000, quotaKey };
  const operations = [1, 1, 0].map((cost, i) => ({
    ...image,
    cost,
    execution: ulidOf(nowMs - 600_000 + i, randomBytes(10)),
  }));
  for (const operation of operations) await earlier.charges.reserve(operation, { quota, heldMax: 5 });
  const [spent, pending] = operations as [(typeof operations)[0], (typeof operations)[0]];
  await earlier.charges.commit(spent, []);
  await earlier.counters.charge(quota, 'ordinary');
  for (const limit of [cap, daily, hourly]) await earlier.counters.charge(limit, 'other');
  const day = dayWindow(nowMs);
  const [paid, unpaid] = ['paid', 'unpaid'].map((name) => ({ key: `PAID#${name}`, day }));
  if (!paid || !unpaid) throw new Error('two marks');
  await earlier.paid.mark(paid);
  await earlier.paid.begin(unpaid, 'me', nowMs + 60_000);
  const counts = [{ source: 'stock_a', cache: 'HIT', requests: 3 }] as const;
  await createUsageStore(db(), engine.tableNames.quotaCounters).record({
    account,
    keyId: 'k',
    day: '2026-11-20',
    counts,
  });

  expect(await bringBack('quotaCounters')).toEqual({ put: 5, left: 3 });
  expect(await later.charges.pendingOf(quotaKey)).toEqual([]);
  // A late message of before settles nothing, and the sweeper gives the reserved unit back.
  expect(await later.charges.commit(pending, [])).toBe('settled');
  expect(await later.counters.taken(quota)).toBe(3);
  for await (const key of later.charges.itemsDue(nowMs)) await later.charges.close(key);
  expect(await later.counters.taken(quota)).toBe(2);
  expect(await Promise.all([cap, daily, hourly].map((limit) => later.counters.taken(limit)))).toEqual([
    1, 0, 0,
  ]);
  expect([await later.paid.read(paid), await later.paid.read(unpaid)]).toEqual([
    { state: 'paid' },
    { state: 'absent' },
  ]);
  expect((await later.usage.months(account, ['2026-11'])).get('2026-11')?.byKey).toEqual({ k: 3 });
  expect(telemetry.counts.filter(({ metric }) => metric === 'invariantBroken')).toEqual([]);
});

test('picks come back without leases; newer ones give way only where they are to be replaced, a curation never', async () => {
  const [earlier, later] = [engine.tableNames, now].map(({ stockMemory }) =>
    createItemStore(db(), stockMemory, clock),
  ) as [ReturnType<typeof createItemStore>, ReturnType<typeof createItemStore>];
  const stored = (value: string) => ({ value, freshUntilMs: nowMs - 1, staleUntilMs: nowMs + 86_400_000 });
  // More than one page of them.
  const many = Array.from({ length: 150 }, (_, i) => `PICK#many${i}`);
  await Promise.all(
    [...many, 'PICK#leased', 'PICK#both', 'PAGE#both', 'CURATION#all'].map((key) =>
      earlier.write(key, stored('before')),
    ),
  );
  await earlier.write('PICK#over', { ...stored('before'), staleUntilMs: nowMs - 2 * 3_600_000 });
  await earlier.lease('PICK#leased', 'holder', 60_000);
  await earlier.lease('PICK#only-leased', 'holder', 60_000);
  for (const key of ['PICK#both', 'PAGE#both', 'CURATION#all']) await later.write(key, stored('now'));
  const shownAt = async (key: string) => (await later.readLatest<string>(key))?.value;

  expect(await bringBack('stockMemory')).toEqual({ put: 151, left: 5 });
  expect(await Promise.all(['PICK#many7', 'PICK#leased', 'PICK#both'].map(shownAt))).toEqual([
    'before',
    'before',
    'now',
  ]);
  const back = await readItem(db(), now.stockMemory, { pk: 'PICK#leased' });
  expect(Object.keys(back ?? {}).filter((name) => name.startsWith('lease'))).toEqual([]);
  await bringBack('stockMemory', true);
  expect(await Promise.all(['PICK#both', 'PAGE#both', 'CURATION#all', 'PICK#over'].map(shownAt))).toEqual([
    'before',
    'before',
    'now',
    undefined,
  ]);
});
