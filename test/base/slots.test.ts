/** Work waits for a free slot, in turn. */

import { inSlot as inSlotOf } from '../../lambda/base/slots';
import { breathe, createDeferred } from '../fakes/deferred';

test('as many calls run as there are slots, and the others begin in the order in which they came', async () => {
  const slots = { free: 2, waiting: [] };
  const inSlot = <T>(work: () => Promise<T>) => inSlotOf(slots, work);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const work = createDeferred<number>();
    const result = inSlot(() => {
      begun.push(number);
      return work.promise;
    });
    return { ...work, result };
  });
  await breathe();
  expect(begun).toEqual([0, 1]);
  works[1]?.resolve(1);
  expect(await works[1]?.result).toBe(1);
  await breathe();
  expect(begun).toEqual([0, 1, 2]);
  for (const [number, { resolve }] of works.entries()) resolve(number);
  expect(await Promise.all(works.map(({ result }) => result))).toEqual([0, 1, 2, 3]);
});

test('a call that fails gives its slot back', async () => {
  const slots = { free: 1, waiting: [] };
  await expect(inSlotOf(slots, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inSlotOf(slots, async () => 'next')).toBe('next');
});
