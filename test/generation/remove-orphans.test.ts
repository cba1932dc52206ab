/** Images that no generation names are found and removed; no other is touched. */

import { ulidOf } from '../../lambda/base/ulid';
import type { Generation } from '../../lambda/generation/generation';
import { executionPath, imageIdOf } from '../../lambda/generation/generation-identity';
import { createRemoveOrphans } from '../../lambda/generation/remove-orphans';
import { imageKey, libraryPath } from '../fakes/branded';
import { createFakeImageLibrary, type FakeImageLibrary } from '../fakes/image-library';

const nowMs = Date.UTC(2026, 10, 21, 12);
const hourMs = 3_600_000;
const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const image = { bytes: new Uint8Array([1]), mediaType: 'image/png' };
const madeAt = (ageMs: number) => ulidOf(nowMs - ageMs, new Uint8Array(10));

let library: FakeImageLibrary;
let known: Generation | undefined;
let reads: number;
beforeEach(() => {
  library = createFakeImageLibrary();
  known = undefined;
  reads = 0;
});

const generation = (state: Generation['state'], execution: string): Generation => ({
  key,
  imageId: imageIdOf(key),
  state,
  execution,
  fence: 1,
  settled: true,
  due: false,
  tries: 0,
});
const removeOrphans = (share?: number) =>
  createRemoveOrphans({
    library,
    index: {
      byImageId: async () => {
        reads += 1;
        return known;
      },
    },
    clock: { nowMs: () => nowMs },
  })(share);
const store = async (execution: string, name = 'master.png') => {
  const path = executionPath(key, execution, name);
  await library.put(path, image);
  return path;
};

test.each(['IDLE', 'FAILED', 'ABANDONED'] as const)(
  'what an execution stored is removed when the image is %s',
  async (state) => {
    const execution = madeAt(2 * hourMs);
    await store(execution);
    known = generation(state, execution);
    expect(await removeOrphans()).toBe(1);
    expect(library.images.size).toBe(0);
  },
);

test('what another execution stored is removed, and what the image is delivered from is kept', async () => {
  const [former, present] = [madeAt(3 * hourMs), madeAt(2 * hourMs)];
  await store(former);
  await store(former, '100x100.png');
  const kept = [await store(present), await store(present, '100x100.png')];
  known = generation('READY', present);
  expect(await removeOrphans()).toBe(2);
  expect([...library.images.keys()]).toEqual(kept);
  // One look at the record for each execution, however much it stored.
  expect(reads).toBe(2);
});

test('what a running execution stored is kept, whatever its age', async () => {
  const execution = madeAt(2 * hourMs);
  await store(execution);
  known = { ...generation('LEASED', execution), leaseEndsMs: nowMs - hourMs + 1 };
  expect(await removeOrphans()).toBe(0);
});

test('what is stored under a lease that ended an hour ago is removed: a late copy of its request took it again', async () => {
  const execution = madeAt(2 * hourMs);
  await store(execution);
  known = { ...generation('LEASED', execution), leaseEndsMs: nowMs - hourMs };
  expect(await removeOrphans()).toBe(1);
});

test.each([
  ['younger than an hour', hourMs - 1],
  ['older than three days', 3 * 24 * hourMs + 1],
])('an execution that is %s is not looked at', async (_, ageMs) => {
  const execution = madeAt(ageMs);
  await store(execution);
  known = generation('ABANDONED', execution);
  expect(await removeOrphans()).toBe(0);
  expect(reads).toBe(0);
});

test.each([hourMs, 3 * 24 * hourMs])('an execution that is just %i ms old is', async (ageMs) => {
  const execution = madeAt(ageMs);
  await store(execution);
  known = generation('ABANDONED', execution);
  expect(await removeOrphans()).toBe(1);
});

test('an image without a record is kept, as that proves nothing', async () => {
  await store(madeAt(2 * hourMs));
  expect(await removeOrphans()).toBe(0);
});

test('stock images are left alone', async () => {
  await library.put(libraryPath('stock/aa/a.png'), image);
  await library.put(libraryPath('public/stray.png'), image);
  expect(await removeOrphans()).toBe(0);
});

test('the sixteen shares cover every image once', async () => {
  const execution = madeAt(2 * hourMs);
  await store(execution);
  known = generation('ABANDONED', execution);
  const home = Number.parseInt(imageIdOf(key)[0] as string, 16);
  for (let share = 0; share < 16; share++) if (share !== home) expect(await removeOrphans(share)).toBe(0);
  expect(await removeOrphans(home)).toBe(1);
});
