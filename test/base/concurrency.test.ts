/** Concurrent callers: work that waits for its turn, work that is shared, and a value that is loaded once. */

import { loadOnce, runBounded, shareWork } from '../../lambda/base/concurrency';
import { breathe, createDeferred } from '../fakes/clock';

test('work beyond the bound waits and starts in order, also after a failure', async () => {
  const bound = { free: 2, waiting: [] };
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const work = createDeferred<number>();
    const result = runBounded(bound, () => {
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

test('concurrent work with the same key runs once', async () => {
  let runs = 0;
  const work = async () => ++runs;
  const running = new Map<string, Promise<number>>();
  const shares = ['lake', 'lake', 'sea'].map((key) => shareWork(running, key, work));
  expect(shares.map(({ isFirst }) => isFirst)).toEqual([true, false, true]);
  expect(await Promise.all(shares.map(({ result }) => result))).toEqual([1, 1, 2]);
});

test('shared work runs again once it has ended', async () => {
  let runs = 0;
  const work = async () => {
    if (++runs === 1) throw new Error('away');
    return runs;
  };
  const running = new Map<string, Promise<number>>();
  const share = () => shareWork(running, 'lake', work).result;
  const failures = await Promise.allSettled([share(), share()]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share()).toBe(2);
  expect(await share()).toBe(3);
});

describe('loadOnce', () => {
  test('a lazy value is loaded once for concurrent and later callers', async () => {
    let loads = 0;
    const get = loadOnce(async () => ++loads);
    expect(loads).toBe(0);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  test('after a failed load, which rejects for all waiting callers, a lazy value is loaded again', async () => {
    let loads = 0;
    const get = loadOnce(async () => {
      if (++loads === 1) throw new Error('away');
      return loads;
    });
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get()).toBe(2);
    expect(await get()).toBe(2);
  });
});
