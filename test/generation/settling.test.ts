/** What a sweep settles, what it leaves alone, and what is removed from the store of images. */

import { ulidOf } from '../../lambda/base/ulid';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { executionPath, imageIdOf } from '../../lambda/generation/generation-identity';
import { createSweep } from '../../lambda/generation/settle';
import type { Charges, PendingOperation } from '../../lambda/quota/reservations';
import { imageKey } from '../fakes/branded';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const image = { bytes: new Uint8Array([1]), mediaType: 'image/png' };
const madeAt = (ageMs: number) => ulidOf(nowMs - ageMs, new Uint8Array(10));
const pathOf = (execution: string) => executionPath(key, execution, 'master.png');
const clock = { nowMs: () => nowMs };

const swept = (generation: Partial<Generation> & Pick<Generation, 'state' | 'execution'>) => {
  const library = createFakeImageLibrary();
  const done: string[] = [];
  let known: Generation = {
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
      known = { ...known, state: 'ABANDONED' };
      return true;
    },
    markSettled: async () => true,
  };
  const pending: PendingOperation[] = [];
  const charges: Pick<Charges, 'commit' | 'refund' | 'pendingOf' | 'itemsDue'> = {
    commit: async ({ execution }) => {
      done.push(`commit ${execution}`);
      return 'settled';
    },
    refund: async ({ execution }) => {
      done.push(`refund ${execution}`);
      return 'settled';
    },
    pendingOf: async () => pending,
    itemsDue: async function* () {
      yield 'Q#acc#2026-11';
    },
  };
  const sweep = createSweep({
    index: index as GenerationIndex,
    charges: charges as Charges,
    library,
    clock,
    telemetry: createRecordedTelemetry(),
  });
  const operation = (execution: string, dueMs = nowMs): PendingOperation => ({
    quotaKey: 'Q#acc#2026-11',
    execution,
    cost: 1,
    imageId: imageIdOf(key),
    dueMs,
  });
  return { library, done, pending, sweep, operation };
};

test('a sweep leaves alone what is not due, beside what is', async () => {
  const [due, young] = [madeAt(200_000), madeAt(1_000)];
  const { done, pending, sweep, operation } = swept({ state: 'ABANDONED', execution: due });
  pending.push(operation(due, nowMs), operation(young, nowMs + 1));
  expect(await sweep.all(nowMs)).toBe(1);
  expect(done).toEqual([`refund ${due}`]);
});

test('a sweep takes the lease away before it refunds', async () => {
  const execution = madeAt(200_000);
  const { done, sweep, operation } = swept({ state: 'LEASED', execution });
  await sweep.one(operation(execution));
  expect(done).toEqual(['abandon', `refund ${execution}`]);
});

test('a sweep removes what the refunded execution stored, and nothing of the one that runs now', async () => {
  const [over, running] = [madeAt(200_000), madeAt(10_000)];
  const { library, sweep, operation } = swept({ state: 'LEASED', execution: running });
  for (const execution of [over, running]) await library.put(pathOf(execution), image);
  await sweep.one(operation(over));
  expect([...library.images.keys()]).toEqual([pathOf(running)]);
});

test('a sweep commits a finished image and removes nothing of it', async () => {
  const execution = madeAt(200_000);
  const { library, done, sweep, operation } = swept({ state: 'READY', execution });
  await library.put(pathOf(execution), image);
  await sweep.one(operation(execution));
  expect(done).toEqual([`commit ${execution}`]);
  expect(library.images.size).toBe(1);
});
