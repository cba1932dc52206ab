/** What a sweep settles, what it leaves alone, and what is removed from the store of images. */

import { ulidOf } from '../../lambda/base/ulid';
import { type Generation, type GenerationIndex, generationKeptMs } from '../../lambda/generation/generation';
import { executionPath, imageIdOf } from '../../lambda/generation/generation-identity';
import { commitExecution, createSweep } from '../../lambda/generation/settle';
import type { Charges, PendingOperation, Settlement } from '../../lambda/quota/reservations';
import { imageKey } from '../fakes/branded';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const quotaKey = 'Q#acc#2026-11';
const image = { bytes: new Uint8Array([1]), mediaType: 'image/png' };
const madeAt = (ageMs: number) => ulidOf(nowMs - ageMs, new Uint8Array(10));
const pathOf = (execution: string) => executionPath(key, execution, 'master.png');
const clock = { nowMs: () => nowMs };
const outage = new Error('no answer');

const swept = (
  generation: (Partial<Generation> & Pick<Generation, 'state' | 'execution'>) | undefined,
  {
    abandoned = 'ABANDONED',
    settlement = 'settled',
  }: { abandoned?: Generation['state']; settlement?: Settlement } = {},
) => {
  const library = createFakeImageLibrary();
  const telemetry = createRecordedTelemetry();
  const done: string[] = [];
  let known: Generation | undefined = generation && {
    key,
    imageId: imageIdOf(key),
    fence: 1,
    settled: false,
    due: false,
    tries: 0,
    ...generation,
  };
  const index: Pick<GenerationIndex, 'read' | 'byImageId' | 'abandon' | 'markSettled'> = {
    read: async () => known,
    byImageId: async () => known,
    abandon: async () => {
      done.push('abandon');
      known = known && { ...known, state: abandoned };
      return true;
    },
    markSettled: async ({ execution, fence }) => {
      done.push(`mark ${execution} ${fence}`);
      return true;
    },
  };
  const pending: PendingOperation[] = [];
  const charges: Pick<Charges, 'commit' | 'refund' | 'pendingOf' | 'itemsDue' | 'close'> = {
    commit: async ({ execution }, prunable) => {
      done.push(`commit ${execution}${prunable}`);
      return settlement;
    },
    refund: async ({ execution }, prunable) => {
      done.push(`refund ${execution}${prunable}`);
      return settlement;
    },
    pendingOf: async () => pending,
    itemsDue: async function* () {
      yield quotaKey;
    },
    close: async (of) => void done.push(`close ${of}`),
  };
  const deps = { index: index as GenerationIndex, charges: charges as Charges, library, clock, telemetry };
  const operation = (execution: string, { dueMs = nowMs, cost = 1 } = {}): PendingOperation => ({
    quotaKey,
    execution,
    cost,
    imageId: imageIdOf(key),
    dueMs,
  });
  return { library, telemetry, done, pending, charges, deps, sweep: createSweep(deps), operation };
};

test('a sweep leaves alone what is not due, beside what is, and closes the item', async () => {
  const [due, young] = [madeAt(200_000), madeAt(1_000)];
  const { done, pending, sweep, operation } = swept({ state: 'ABANDONED', execution: due });
  pending.push(operation(due), operation(young, { dueMs: nowMs + 1 }));
  expect(await sweep.all(nowMs)).toBe(1);
  expect(done).toEqual([`refund ${due}`, `close ${quotaKey}`]);
});

test('a sweep goes on after an operation that cannot be settled, and after an item that cannot be closed', async () => {
  const [first, second] = [madeAt(300_000), madeAt(200_000)];
  const { done, pending, charges, telemetry, sweep, operation } = swept({
    state: 'FAILED',
    execution: first,
  });
  pending.push(operation(first), operation(second));
  const { refund } = charges;
  charges.refund = (charge, prunable) =>
    charge.execution === first ? Promise.reject(outage) : refund(charge, prunable);
  charges.close = () => Promise.reject(outage);
  expect(await sweep.all(nowMs)).toBe(1);
  expect(done).toEqual([`refund ${second}`]);
  expect(telemetry.errors).toMatchObject([
    { message: 'An operation could not be swept', error: outage },
    { message: 'Reservations could not be closed', error: outage },
  ]);
});

test('a sweep takes the lease away before it refunds', async () => {
  const execution = madeAt(200_000);
  const { done, sweep, operation } = swept({ state: 'LEASED', execution });
  await sweep.one(operation(execution));
  expect(done).toEqual(['abandon', `refund ${execution}`]);
});

test('a sweep refunds nothing while the lease comes back, and commits an image that was finished meanwhile', async () => {
  const execution = madeAt(200_000);
  const leased = swept({ state: 'LEASED', execution }, { abandoned: 'LEASED' });
  await expect(leased.sweep.one(leased.operation(execution))).rejects.toThrow('A lease came back');
  expect(leased.done).toEqual(['abandon']);
  const ready = swept({ state: 'LEASED', execution }, { abandoned: 'READY' });
  await ready.sweep.one(ready.operation(execution));
  expect(ready.done).toEqual(['abandon', `commit ${execution}`, `mark ${execution} 1`]);
});

test.each([
  [generationKeptMs - 1, 'throws'],
  [generationKeptMs, 'refunds'],
])('a sweep of an execution %d ms old whose generation is not listed %s', async (ageMs, does) => {
  const execution = madeAt(ageMs);
  const { done, sweep, operation } = swept(undefined);
  const one = sweep.one(operation(execution));
  if (does === 'throws') await expect(one).rejects.toThrow('not listed yet');
  else await one;
  expect(done).toEqual(does === 'throws' ? [] : [`refund ${execution}`]);
});

test('a sweep removes what the refunded execution stored, and nothing of the one that runs now', async () => {
  const [over, running] = [madeAt(200_000), madeAt(10_000)];
  const { library, done, sweep, operation } = swept({ state: 'LEASED', execution: running });
  for (const execution of [over, running]) await library.put(pathOf(execution), image);
  await sweep.one(operation(over));
  expect([...library.images.keys()]).toEqual([pathOf(running)]);
  expect(done).toEqual([`refund ${over}`]);
});

test('a sweep commits a finished image and removes nothing of it', async () => {
  const execution = madeAt(200_000);
  const { library, done, sweep, operation } = swept({ state: 'READY', execution });
  await library.put(pathOf(execution), image);
  await sweep.one(operation(execution));
  expect(done).toEqual([`commit ${execution}`, `mark ${execution} 1`]);
  expect(library.images.size).toBe(1);
});

test.each<[string, number | undefined, Settlement, readonly string[]]>([
  ['a charge', 1, 'settled', ['commit eold', 'mark e 4']],
  ['a charge that the books contradict', 1, 'broken', ['commit eold']],
  ['a place that costs nothing', 0, 'settled', ['commit eold']],
  ['an execution without a charge', undefined, 'settled', []],
])('%s is committed, and noted where it is one', async (_, cost, settlement, expected) => {
  const { done, deps } = swept(undefined, { settlement });
  const charge = cost === undefined ? undefined : { quotaKey, execution: 'e', cost, prunable: ['old'] };
  await commitExecution(deps, { key, execution: 'e', fence: 4 }, charge);
  expect(done).toEqual(expected);
});
