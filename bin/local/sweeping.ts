/** Runs the sweeper as its schedules do in AWS, and once at the start for what an earlier process left behind. */

import type { SweepEvent } from '../../lambda/contract/messages/sweep-event';
import { orphanSearchIntervalMs, sweepIntervalMs } from '../../lambda/contract/timeouts';

type Sweep = (event: SweepEvent) => Promise<unknown>;

/**
 * At the start no generation can be running, so every pending operation was left by a crash.
 * @returns stops the schedule
 */
export async function startSweeping(sweep: Sweep, onFault: (error: unknown) => void): Promise<() => void> {
  await sweep({ everything: true });
  // Nothing depends on it, so the start does not wait for it.
  sweep({ orphans: true, everything: true }).catch(onFault);
  const timers = [
    setInterval(() => sweep({}).catch(onFault), sweepIntervalMs),
    setInterval(() => sweep({ orphans: true }).catch(onFault), orphanSearchIntervalMs),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
