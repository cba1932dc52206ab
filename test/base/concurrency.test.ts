/** Work waits until its bound lets it begin, in turn. */

import { withinBound } from '../../lambda/base/concurrency';
import { breathe, createDeferred } from '../fakes/deferred';

test('as much work runs as the bound allows, and the rest follows in order, also after a failure', async () => {
  const bound = { free: 2, waiting: [] };
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const work = createDeferred<number>();
    const result = withinBound(bound, () => {
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
