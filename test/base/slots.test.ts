/** Work waits for a free slot, in turn. */

import { inSlot } from '../../lambda/base/slots';
import { breathe, createDeferred } from '../fakes/deferred';

test('as many works run as there are slots, the others in the order in which they came, also after one that fails', async () => {
  const slots = { free: 2, waiting: [] };
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const work = createDeferred<number>();
    const result = inSlot(slots, () => {
      begun.push(number);
      return work.promise;
    }).catch(() => 'failed');
    return { ...work, result };
  });
  await breathe();
  expect(begun).toEqual([0, 1]);
  works[1]?.reject(new Error('no'));
  expect(await works[1]?.result).toBe('failed');
  await breathe();
  expect(begun).toEqual([0, 1, 2]);
  for (const [number, { resolve }] of works.entries()) resolve(number);
  expect(await Promise.all(works.map(({ result }) => result))).toEqual([0, 'failed', 2, 3]);
});
