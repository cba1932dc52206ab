/** Runs the sweeper as its schedules do in AWS, and once at the start for what an earlier process left behind. */

import { orphanSearchIntervalMs, sweepIntervalMs } from '../lambda/contract/timeouts';
import type { SweepEvent } from '../lambda/generation/sweep-event';
import type { Grace } from './listen';

type Sweep = (event: SweepEvent) => Promise<unknown>;

/**
 * At the start no generation can be running, so every pending operation was left by a crash.
 * @returns stops the schedule and lets the sweeps that run come to their end, before their tables are closed
 */
export async function startSweeping(
  sweep: Sweep,
  onFault: (error: unknown) => void,
): Promise<(grace: Grace) => Promise<void>> {
  const running = new Set<Promise<void>>();
  let isOver = false;
  const begin = (event: SweepEvent) => {
    const sweeping: Promise<void> = sweep(event)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isOver) onFault(error);
        },
      )
      .finally(() => running.delete(sweeping));
    running.add(sweeping);
  };
  await sweep({ everything: true });
  // Nothing depends on it, so the start does not wait for it.
  begin({ orphans: true, everything: true });
  const timers = [
    setInterval(() => begin({}), sweepIntervalMs),
    setInterval(() => begin({ orphans: true }), orphanSearchIntervalMs),
  ];
  return async (grace) => {
    for (const timer of timers) clearInterval(timer);
    await Promise.race([Promise.all(running), grace]);
    isOver = true;
  };
}
