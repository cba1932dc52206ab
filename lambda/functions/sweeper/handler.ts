/** The sweeper function: settles what crashed runs have left behind, and removes images that nothing names. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { imageShares } from '../../generation/generation-identity';
import type { RemoveOrphans } from '../../generation/remove-orphans';
import type { Sweep } from '../../generation/settle';
import { readSweepEvent } from '../../generation/sweep-event';

interface SweeperDeps {
  readonly sweep: Sweep;
  readonly removeOrphans: RemoveOrphans;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Writes what was counted: a later run may count nothing, and would not write it. */
  readonly flush: () => void;
}

/** How many operations were settled, or images removed. */
export type Swept = { readonly settled: number } | { readonly removed: number };

/** @throws `TypeError` when the event is not what a schedule sends, and when a table fails. */
type SweeperHandler = (event: unknown) => Promise<Swept>;

const hourMs = 3_600_000;

/** Does one of the two rounds of the sweeper, by what its schedule sends, and writes at its end what it has counted. */
export function createHandler({ flush, ...deps }: SweeperDeps): SweeperHandler {
  return async (event) => {
    try {
      return await swept(deps, event);
    } finally {
      flush();
    }
  };
}

async function swept(
  { sweep, removeOrphans, clock, telemetry }: Omit<SweeperDeps, 'flush'>,
  event: unknown,
): Promise<Swept> {
  const { everything = false, orphans = false } = readSweepEvent(event);
  if (orphans) {
    const share = Math.floor(clock.nowMs() / hourMs) % imageShares;
    const removed = await removeOrphans(everything ? undefined : share);
    if (removed > 0) telemetry.info('Images that nothing names were removed', { removed });
    return { removed };
  }
  const settled = await sweep.all(everything ? Number.MAX_SAFE_INTEGER : clock.nowMs());
  if (settled > 0) telemetry.info('Operations were swept', { settled });
  return { settled };
}
