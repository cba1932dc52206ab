/** Checks that concurrent work under one key runs once, and that nothing of it is kept. */

import { shareWork } from '../../lambda/base/single-flight';
import { createDeferred } from '../fakes/deferred';

describe('a single flight', () => {
  it('runs concurrent work under one key once, and says who began it', async () => {
    const running = new Map<string, Promise<string>>();
    const fly = (key: string, work: () => Promise<string>) => shareWork(running, key, work);
    const working = createDeferred<string>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return working.promise;
    };
    const flights = [fly('lake', work), fly('lake', work), fly('lake', work)];
    expect(flights.map(({ leads }) => leads)).toEqual([true, false, false]);
    working.resolve('found');
    expect(await Promise.all(flights.map(({ result }) => result))).toEqual(['found', 'found', 'found']);
    expect(runs).toBe(1);
  });

  it('runs work under different keys side by side', () => {
    const running = new Map<string, Promise<void>>();
    const fly = (key: string, work: () => Promise<void>) => shareWork(running, key, work);
    const never = () => new Promise<void>(() => undefined);
    expect([fly('lake', never).leads, fly('sea', never).leads]).toEqual([true, true]);
  });

  it('keeps neither a value nor a failure', async () => {
    const running = new Map<string, Promise<number>>();
    const fly = (key: string, work: () => Promise<number>) => shareWork(running, key, work);
    let runs = 0;
    const work = async () => {
      if (++runs === 1) throw new Error('away');
      return runs;
    };
    await expect(fly('lake', work).result).rejects.toThrow('away');
    expect(await fly('lake', work).result).toBe(2);
    expect(await fly('lake', work).result).toBe(3);
  });
});
