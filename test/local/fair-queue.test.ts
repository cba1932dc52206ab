/** The order in which requests of several callers begin. */

import { createFairQueue } from '../../local/fair-queue';
import { breathe, createDeferred, type Deferred } from '../fakes/deferred';

let began: string[];
let works: Map<string, Deferred<string>>;
beforeEach(() => {
  began = [];
  works = new Map();
});

/** Asks for work that its caller's name and a number name, which runs until the test ends it. */
function ask(inTurn: ReturnType<typeof createFairQueue>, name: string): Promise<string> {
  const work = createDeferred<string>();
  works.set(name, work);
  return inTurn(name[0] ?? '', () => {
    began.push(name);
    return work.promise;
  });
}

test('a caller who asks for more at once than is answered gets one at a time, until none waits; others begin at once', async () => {
  const inTurn = createFairQueue(2, 60_000);
  const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(inTurn, name));
  void ask(inTurn, 'b1');
  await breathe();
  expect(began).toEqual(['a1', 'a2', 'b1']);
  works.get('a1')?.resolve('first');
  await breathe();
  expect([await answers[0], began.length]).toEqual(['first', 3]);
  works.get('a2')?.reject(new Error('second'));
  await expect(answers[1]).rejects.toThrow('second');
  await breathe();
  expect(began.slice(3)).toEqual(['a3']);
  works.get('a3')?.resolve('third');
  await breathe();
  for (const name of ['a5', 'a6']) void ask(inTurn, name);
  await breathe();
  expect(began.slice(4)).toEqual(['a4', 'a5']);
});

test('work that takes long keeps the next one waiting no longer than a turn', async () => {
  const inTurn = createFairQueue(1, 1);
  const long = ask(inTurn, 'a1');
  const next = ask(inTurn, 'a2');
  works.get('a2')?.resolve('next');
  expect([await next, began]).toEqual(['next', ['a1', 'a2']]);
  works.get('a1')?.resolve('long');
  expect(await long).toBe('long');
});
