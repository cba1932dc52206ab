/** Waiting for another execution's image outlives a read that fails. */

import type { Generation } from '../../../lambda/domain/generation/generation';
import { waitFor } from '../../../lambda/usecases/generation/wait-for';
import { imageKey } from '../../fakes/branded';
import { createVirtualClock } from '../../fakes/virtual-clock';

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
