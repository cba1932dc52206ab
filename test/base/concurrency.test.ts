/** Concurrent callers wait for their turn, share work, or load a value once. */

import { createSharedLoader, runBounded, shareWork } from '../../lambda/base/concurrency';
import { createDeferred, letOthersRun } from '../fakes/clock';

test('work beyond the bound waits and starts in order, also after a failure', async () => {
  const bound = { free: 2, waiting: [] };
  const begun: number[] = [];
  const deferredWorks = [0, 1, 2, 3].map((number) => {
    const work = createDeferred<number>();
    const result = runBounded(bound, () => {
      begun.push(number);
      return work.promise;
    }).catch(() => 'failed');
    return { ...work, result };
  });
  await letOthersRun();
  expect(begun).toEqual([0, 1]);
  deferredWorks[1]?.reject(new Error('no'));
  expect(await deferredWorks[1]?.result).toBe('failed');
  await letOthersRun();
  expect(begun).toEqual([0, 1, 2]);
  for (const [number, { resolve }] of deferredWorks.entries()) resolve(number);
  expect(await Promise.all(deferredWorks.map(({ result }) => result))).toEqual([0, 'failed', 2, 3]);
});

const failFirst = () => {
  let runs = 0;
  return async () => {
    if (++runs === 1) throw new Error('away');
    return runs;
  };
};

test('concurrent work with the same key runs once until it has ended', async () => {
  const work = failFirst();
  const running = new Map<string, Promise<number>>();
  const shares = ['lake', 'lake', 'sea'].map((key) => shareWork(running, key, work));
  expect(shares.map(({ isFirst }) => isFirst)).toEqual([true, false, true]);
  const outcomes = await Promise.allSettled(shares.map(({ result }) => result));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await shareWork(running, 'lake', work).result).toBe(3);
});

test('a shared value is loaded once for all callers, and again after a failure', async () => {
  const get = createSharedLoader(failFirst());
  const outcomes = await Promise.allSettled([get(), get()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(await get()).toBe(2);
});
