/** The sweeper function: settles what crashed runs have left behind, and removes the images that nothing names. */

import type { SweepEvent } from '../../contract/messages/sweep-event';
import { imageShares } from '../../domain/generation/generation-identity';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { RemoveOrphans } from '../../usecases/generation/remove-orphans';
import type { Sweep } from '../../usecases/generation/sweep';

export interface SweeperDeps {
  readonly sweep: Sweep;
  readonly removeOrphans: RemoveOrphans;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** How many operations were settled, or images removed. */
export type Swept = { readonly settled: number } | { readonly removed: number };

export type SweeperHandler = (event: SweepEvent) => Promise<Swept>;

const hourMs = 3_600_000;

export function createHandler({ sweep, removeOrphans, clock, telemetry }: SweeperDeps): SweeperHandler {
  return async ({ everything, orphans }) => {
    if (orphans === true) {
      const share = Math.floor(clock.nowMs() / hourMs) % imageShares;
      const removed = await removeOrphans(everything === true ? undefined : share);
      if (removed > 0) telemetry.info('Images that nothing names were removed', { removed });
      return { removed };
    }
    const settled = await sweep.all(everything === true ? Number.MAX_SAFE_INTEGER : clock.nowMs());
    if (settled > 0) telemetry.info('Operations were swept', { settled });
    return { settled };
  };
}
