/** Checks that concurrent work under one key runs once, and that nothing of it is kept. */

import { shareWork } from '../../lambda/base/single-flight';
import { createDeferred } from '../fakes/deferred';

it('concurrent work under one key runs once, names its starter, and keeps neither value nor failure', async () => {
  const running = new Map<string, Promise<string>>();
  for (const fails of [true, false, false]) {
    const working = createDeferred<string>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return working.promise;
    };
    const flights = ['lake', 'lake', 'sea'].map((key) => shareWork(running, key, work));
    expect([flights.map(({ leads }) => leads), runs]).toEqual([[true, false, true], 2]);
    if (fails) working.reject(new Error('away'));
    else working.resolve('found');
    const outcomes = await Promise.allSettled(flights.map(({ result }) => result));
    expect(new Set(outcomes.map(({ status }) => status)).size).toBe(1);
  }
});
