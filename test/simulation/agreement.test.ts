/** The in-memory engine behaves like DynamoDB for every command that the adapters send. */

import fc from 'fast-check';
import type { Database } from '../../lambda/aws/dynamodb/call';
import type { Command } from '../../lambda/aws/dynamodb/commands';
import { firstUlidAt } from '../../lambda/base/ulid';
import { monthWindow } from '../../lambda/base/window';
import { unlimitedRequests } from '../../lambda/contract/plans';
import type { TableName } from '../../lambda/contract/tables';
import { createGenerationIndex } from '../../lambda/generation/dynamodb/generation-index';
import { imageIdOf } from '../../lambda/generation/generation-identity';
import { createCharges } from '../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { type Limit, reservationsKey } from '../../lambda/quota/quota';
import { type Engine, startEngine } from '../contracts/dynamodb-engine';
import { accountId, imageKey, libraryPath } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createMemoryDynamoDb } from './memory-dynamodb';
import { labelOf } from './network';

const startMs = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.stop());

/** One call of a port, with small numbers for everything, so that calls meet. */
const steps = fc.record({
  call: fc.nat({ max: 16 }),
  key: fc.nat({ max: 1 }),
  execution: fc.nat({ max: 3 }),
  fence: fc.integer({ min: 1, max: 3 }),
  minute: fc.nat({ max: 4 }),
  flag: fc.boolean(),
});
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Sends every command to both engines, compares their results, and returns the in-memory one. */
function both(differences: string[], run: string): Database {
  const memory = createMemoryDynamoDb();
  const elsewhere = (command: unknown) => {
    const { input } = command as { readonly input: { readonly TableName: TableName } };
    const { constructor: Command } = command as { readonly constructor: new (input: object) => never };
    return new Command({ ...input, TableName: engine.tableNames[input.TableName] });
  };
  const say = async (act: () => Promise<unknown>) => {
    try {
      const { Attributes, Item, Items } = (await act()) as Record<string, unknown>;
      // The other engine's tables hold what earlier runs have left.
      const own = Array.isArray(Items)
        ? Items.filter((one) => one.pk.includes(`${run}#`) || one.pk.endsWith(run))
        : Items;
      return { Attributes, Item, Items: own };
    } catch (error) {
      return { error: (error as Error).name, Items: undefined };
    }
  };
  return {
    send: (async (command: Command<unknown>) => {
      const label = labelOf(command);
      const [here, there] = await Promise.all([
        say(() => memory.send(command)),
        say(() => engine.client.send(elsewhere(command))),
      ]);
      if (label === 'itemsDue') for (const { Items } of [here, there]) sortByKey(Items);
      if (JSON.stringify(sorted(here)) !== JSON.stringify(sorted(there)))
        differences.push(`${label}: ${JSON.stringify(sorted(here))} and ${JSON.stringify(sorted(there))}`);
      return answered(here);
    }) as Database['send'],
    pause: async () => undefined,
  };
}

/** What memory said is said again to the adapter; the command has been applied already. */
function answered(said: object): unknown {
  if (!('error' in said)) return said;
  throw Object.assign(new Error('said'), { name: said.error, $metadata: { httpStatusCode: 400 } });
}

/** A scan has no defined order. */
function sortByKey(items: unknown): void {
  if (Array.isArray(items)) items.sort((a, b) => (a.pk < b.pk ? -1 : 1));
}

/** Attributes and members of sets have no order. */
function sorted(value: unknown): unknown {
  if (value instanceof Set) return { set: [...value].sort() };
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

async function play(db: Database, run: string, all: readonly Step[]): Promise<void> {
  let nowMs = startMs;
  const index = createGenerationIndex(db, 'generationIndex');
  const telemetry = createRecordedTelemetry();
  const clock = { nowMs: () => nowMs };
  const charges = createCharges({ db, tableName: 'quotaCounters', clock, telemetry });
  const counters = createQuotaCounters(db as never, 'quotaCounters', telemetry);
  for (const { call, key, execution: number, fence, minute, flag } of all) {
    nowMs = startMs + minute * minuteMs;
    const execution = firstUlidAt(startMs + number);
    const lease = { key: imageKey(`G#${key}#${run}`), execution, fence };
    const limit = flag ? 3 : unlimitedRequests;
    const quota: Limit = {
      counter: { kind: 'account', account: accountId('a'), mode: 'live' },
      limit,
      window: { ...monthWindow(nowMs), label: `${key}#${run}` },
    };
    const address: Limit = { ...quota, limit: 3, counter: { kind: 'ip', ipHash: 'h' } };
    const operation = {
      quotaKey: reservationsKey(quota),
      execution,
      cost: 1,
      imageId: imageIdOf(lease.key),
      dueMs: nowMs + minuteMs,
    };
    const prunable = [0, 1, 2, 3].slice(0, fence).map((one) => firstUlidAt(startMs + one));
    const master = { path: libraryPath('p'), model: 'm' };
    const listing = { similarityKey: `words ${run}`, listedAt: execution };
    const calls: readonly (() => Promise<unknown>)[] = [
      () =>
        index.acquire({
          ...lease,
          imageId: lease.key,
          nowMs,
          leaseEndsMs: nowMs + minuteMs,
          ...(flag ? { quotaKey: 'q' } : {}),
        }),
      () => index.claim(lease, `run${key}`),
      () => index.finalize(lease, { master, charged: flag, nowMs, ...(fence > 1 ? { listing } : {}) }),
      () => index.markSettled(lease),
      () => index.fail(lease, { why: 'content_refused', tries: 1, notBeforeMs: nowMs + 1, nowMs }),
      () => index.release(lease),
      () => index.abandon(lease),
      () => index.takeDelivery(lease, `r${fence}`),
      () => index.publicOf(`words ${run}`, fence),
      () => index.byImageId(lease.key),
      () => charges.reserve(operation, { quota, heldMax: 2 }),
      () => charges[flag ? 'commit' : 'refund'](operation, prunable),
      () => counters.charge(flag ? quota : address, `r${number}`),
      () => counters.refund(flag ? quota : address, `r${number}`),
      () => counters.taken(flag ? quota : address),
      async () => {
        for await (const _ of charges.itemsDue(nowMs)) await charges.pendingOf(operation.quotaKey);
      },
      () => charges.close(operation.quotaKey),
    ];
    await calls[call]?.().catch(() => undefined);
    await index.read(lease.key);
    await charges.pendingOf(operation.quotaKey);
  }
}

it('agrees for every command of every sequence of port calls', async () => {
  let runs = 0;
  let commands = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (all) => {
      const run = `run-${runs++}`;
      const differences: string[] = [];
      await play(both(differences, run), run, all);
      commands += all.length;
      expect(differences).toEqual([]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(commands).toBeGreaterThan(200);
}, 120_000);
