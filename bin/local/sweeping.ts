/** Runs the sweeper as its schedule does in AWS, and once at the start for what an earlier process left behind. */

import { sweepIntervalMs } from '../../lambda/contract/timeouts';

type Sweep = (event: { readonly everything?: boolean }) => Promise<unknown>;

/**
 * At the start nothing can be in the making, so every pending operation is one that a crash has left.
 * @returns stops the schedule
 */
export async function startSweeping(sweep: Sweep, onFault: (error: unknown) => void): Promise<() => void> {
  await sweep({ everything: true });
  const timer = setInterval(() => sweep({}).catch(onFault), sweepIntervalMs);
  return () => clearInterval(timer);
}
