/** Sweeps of the local service end before its tables do, and a start that fails reports its own reason only. */

import { isDeepStrictEqual } from 'node:util';
import { orphanSearchIntervalMs, sweepIntervalMs } from '../../lambda/contract/timeouts';
import type { SweepEvent } from '../../lambda/generation/sweep-event';
import { startSweeping } from '../../local/functions';
import { breathe } from '../fakes/deferred';

/** A sweeper whose search for orphans ends when the test lets it. */
function scripted() {
  const swept: SweepEvent[] = [];
  let end = { resolve: (): void => undefined, reject: (_: Error): void => undefined };
  const searched = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  const faults: unknown[] = [];
  const settled: SweepEvent[] = [];
  const sweep = async (event: SweepEvent) => {
    swept.push(event);
    await (event.orphans ? searched : breathe());
    settled.push(event);
  };
  const start = () => startSweeping(sweep, (error) => faults.push(error));
  return { swept, settled, search: end, faults, start };
}
const never = new Promise<void>(() => undefined);

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

it('settles everything before the start goes on, and searches for orphans beside it', async () => {
  const { swept, settled, search, start } = scripted();
  const stop = await start();
  expect(settled).toEqual([{ everything: true }]);
  expect(swept).toEqual([{ everything: true }, { orphans: true, everything: true }]);
  search.resolve();
  await stop(never);
});

it('keeps the service from starting where what a crash has left cannot be settled', async () => {
  const faults: unknown[] = [];
  const failing = startSweeping(
    () => Promise.reject(new Error('no tables')),
    (error) => faults.push(error),
  );
  await expect(failing).rejects.toThrow('no tables');
  expect(faults).toEqual([]);
});

it('sweeps and searches again in their intervals, until it ends', async () => {
  const { swept, search, start } = scripted();
  search.resolve();
  const stop = await start();
  jest.advanceTimersByTime(orphanSearchIntervalMs);
  const count = (event: SweepEvent) => swept.filter((each) => isDeepStrictEqual(each, event)).length;
  expect(count({})).toBe(Math.floor(orphanSearchIntervalMs / sweepIntervalMs));
  expect(count({ orphans: true })).toBe(1);
  await stop(never);
  const before = swept.length;
  jest.advanceTimersByTime(orphanSearchIntervalMs);
  expect(swept).toHaveLength(before);
});

it('waits at its end for a search that runs', async () => {
  const { search, start } = scripted();
  const stop = await start();
  let isStopped = false;
  const stopping = stop(never).then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  search.resolve();
  await stopping;
});

it('reports a search that fails, unless the service has ended meanwhile', async () => {
  const early = scripted();
  const stopEarly = await early.start();
  early.search.reject(new Error('no tables'));
  await stopEarly(never);
  expect(early.faults).toEqual([new Error('no tables')]);

  const late = scripted();
  const stopLate = await late.start();
  await stopLate(Promise.resolve());
  late.search.reject(new Error('no tables'));
  await new Promise(setImmediate);
  expect(late.faults).toEqual([]);
});
