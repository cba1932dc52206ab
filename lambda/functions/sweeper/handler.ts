/** The sweeper function: settles what crashed runs have left behind. */

import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { Sweep } from '../../usecases/generation/sweep';

export interface SweeperDeps {
  readonly sweep: Sweep;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What the schedule sends; `everything` looks into operations whose time is not over yet, too. */
export interface SweepEvent {
  readonly everything?: boolean;
}

export type SweeperHandler = (event: SweepEvent) => Promise<{ readonly settled: number }>;

export function createHandler({ sweep, clock, telemetry }: SweeperDeps): SweeperHandler {
  return async ({ everything }) => {
    const settled = await sweep.all(everything === true ? Number.MAX_SAFE_INTEGER : clock.nowMs());
    if (settled > 0) telemetry.info('Operations were swept', { settled });
    return { settled };
  };
}
