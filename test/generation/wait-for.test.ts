/** Waiting for another execution's image outlives a read that fails. */

import { generationLeaseMs, generatorStartMs } from '../../lambda/contract/timeouts';
import type { Generation } from '../../lambda/generation/generation';
import { isNotStarting, waitFor } from '../../lambda/generation/make-image';
import { imageKey } from '../fakes/branded';
import { createVirtualClock } from '../fakes/virtual-clock';

const held: Generation = {
  key: imageKey(`G#live#acc#private#${'a'.repeat(64)}`),
  imageId: 'a',
  state: 'LEASED',
  execution: '01',
  fence: 1,
  settled: false,
  due: false,
  tries: 0,
  leaseEndsMs: 100_000,
};

test('a read that fails is taken for one that saw no change', async () => {
  const clock = createVirtualClock(0);
  const reads = [
    () => Promise.reject(new Error('No answer')),
    async () => ({ ...held, state: 'READY' as const }),
  ];
  const read = () => (reads.shift() as () => Promise<Generation>)();
  expect(await clock.settle(waitFor({ read }, clock, held, 50_000))).toMatchObject({ state: 'READY' });
});

test('the wait ends at its deadline when no read works', async () => {
  const clock = createVirtualClock(0);
  const read = () => Promise.reject(new Error('No answer'));
  expect(await clock.settle(waitFor({ read }, clock, held, 5_000))).toEqual(held);
  expect(clock.nowMs()).toBe(5_000);
});

describe('where executions are few', () => {
  const beganMs = 1_000;
  const leased: Generation = { ...held, leaseEndsMs: beganMs + generationLeaseMs };
  const wait = (read: (nowMs: number) => Generation, startMs = beganMs) => {
    const clock = createVirtualClock(startMs);
    const waiting = waitFor({ read: async () => read(clock.nowMs()) }, clock, leased, 25_000, true);
    return clock.settle(waiting).then((seen) => ({ seen, endedMs: clock.nowMs() }));
  };

  test('the wait ends when no run has begun in time', async () => {
    const { seen, endedMs } = await wait(() => leased);
    expect(endedMs).toBe(beganMs + generatorStartMs);
    expect(isNotStarting(seen, endedMs)).toBe(true);
  });

  test('a request that comes after that time does not wait at all', async () => {
    const { endedMs } = await wait(() => leased, beganMs + generatorStartMs + 500);
    expect(endedMs).toBe(beganMs + generatorStartMs + 500);
  });

  test('once a run has begun, the wait lasts until the image is there', async () => {
    const { seen, endedMs } = await wait((nowMs) => ({
      ...leased,
      isStarted: true,
      ...(nowMs > 15_000 ? { state: 'READY' } : {}),
    }));
    expect(seen?.state).toBe('READY');
    expect(endedMs).toBeGreaterThan(15_000);
    expect(isNotStarting({ ...leased, isStarted: true }, endedMs)).toBe(false);
  });

  test('a run that begins at the last moment is waited for', async () => {
    const { seen } = await wait((nowMs) =>
      nowMs < beganMs + generatorStartMs
        ? leased
        : { ...leased, isStarted: true, ...(nowMs > 9_000 ? { state: 'READY' } : {}) },
    );
    expect(seen?.state).toBe('READY');
  });
});
