/** Tests the order in which requests of several callers begin. */

import { createFairQueue } from '../../local/fair-queue';
import { createDeferred, type Deferred, letOthersRun } from '../fakes/clock';

let began: string[];
let works: Map<string, Deferred<string>>;
let waits: Deferred<void>[];
beforeEach(() => {
  began = [];
  works = new Map();
  waits = [];
});

/** A wait that the test ends. */
function wait(): Promise<void> {
  const deferred = createDeferred<void>();
  waits.push(deferred);
  return deferred.promise;
}

/** Asks for work that its caller's name and a number name, which runs until the test ends it. */
function ask(runInTurn: ReturnType<typeof createFairQueue>, name: string): Promise<string | undefined> {
  const work = createDeferred<string>();
  works.set(name, work);
  return runInTurn(name[0] ?? '', () => {
    began.push(name);
    return work.promise;
  });
}

test('a busy caller has one running request', async () => {
  const runInTurn = createFairQueue({ atOnce: 2, waitingMax: 2 }, wait);
  const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(runInTurn, name));
  expect(await ask(runInTurn, 'a5')).toBeUndefined();
  void ask(runInTurn, 'b1');
  await letOthersRun();
  expect(began).toEqual(['a1', 'a2', 'b1']);
  works.get('a1')?.resolve('first');
  works.get('a2')?.reject(new Error('second'));
  expect(await answers[0]).toBe('first');
  await expect(answers[1]).rejects.toThrow('second');
  await letOthersRun();
  // Three turns, and the pauses after the two answers.
  expect([began.length, waits.length]).toEqual([3, 5]);
  for (const { resolve } of waits.slice(3)) resolve();
  await letOthersRun();
  expect(began.slice(3)).toEqual(['a3']);
});

test('requests of a caller begin at once when none waits', async () => {
  const runInTurn = createFairQueue({ atOnce: 1, waitingMax: 1 }, wait);
  const answer = ask(runInTurn, 'a1');
  works.get('a1')?.resolve('first');
  await answer;
  await letOthersRun();
  void ask(runInTurn, 'a2');
  expect(began).toEqual(['a1', 'a2']);
});

test('a long request delays the next one by one turn with its pause', async () => {
  const runInTurn = createFairQueue({ atOnce: 1, waitingMax: 1 }, wait);
  const longAnswer = ask(runInTurn, 'a1');
  const nextAnswer = ask(runInTurn, 'a2');
  works.get('a2')?.resolve('next');
  waits[0]?.resolve();
  await letOthersRun();
  expect(began).toEqual(['a1']);
  waits[1]?.resolve();
  expect([await nextAnswer, began]).toEqual(['next', ['a1', 'a2']]);
  works.get('a1')?.resolve('long');
  expect(await longAnswer).toBe('long');
});
