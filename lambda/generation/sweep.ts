/** Finishes what crashed runs have left behind: commits or refunds each overdue operation, never both. */

import type { Telemetry } from '../base/telemetry';
import { timeOfUlid } from '../base/ulid';
import type { PendingOperation } from '../quota/reservations';
import { type Generation, generationKeptMs } from './generation';
import { commitExecution, discardExecution, isBy, type SettleDeps } from './settle';

export interface SweepDeps extends SettleDeps {
  readonly telemetry: Telemetry;
}

export interface Sweep {
  /**
   * Looks into every operation that is due by a moment (epoch, milliseconds). An earlier or later moment is safe: time
   * decides only how soon, never whether.
   * @returns how many operations were settled
   */
  all(byMs: number): Promise<number>;
  /** Settles one overdue operation. */
  one(operation: PendingOperation): Promise<void>;
}

export function createSweep(deps: SweepDeps): Sweep {
  const { index, charges, telemetry } = deps;

  const one = async (operation: PendingOperation): Promise<void> => {
    const { imageId, execution } = operation;
    const charge = { ...operation, prunable: [] };
    // The item is named through an index that may lag, and is then read itself, with strong consistency.
    const found = await index.byImageId(imageId);
    if (!found) {
      if (deps.clock.nowMs() < timeOfUlid(execution) + generationKeptMs)
        throw new Error('A generation is not listed yet; the next sweep looks again');
      // What it stored is removed with the images that nothing names.
      await charges.refund(charge, []);
      return;
    }
    const { key } = found;
    let generation: Generation | undefined = found;
    if (isBy(execution, 'LEASED', generation)) {
      // Fenced before it is refunded: from here on the run can finish nothing any more.
      await index.abandon({ key, execution, fence: generation.fence });
      generation = await index.read(key);
    }
    if (isBy(execution, 'LEASED', generation))
      throw new Error('A lease came back after it was taken away; the next sweep looks again');
    if (generation && isBy(execution, 'READY', generation))
      return commitExecution(deps, { key, execution, fence: generation.fence }, charge);
    await discardExecution(deps, { key, execution }, charge);
  };

  return {
    one,
    async all(byMs) {
      let settled = 0;
      for await (const quotaKey of charges.itemsDue(byMs)) {
        const pending = await charges.pendingOf(quotaKey);
        for (const operation of pending.filter(({ dueMs }) => dueMs <= byMs)) {
          try {
            await one(operation);
            settled += 1;
          } catch (error) {
            // One operation that cannot be settled now must not keep the others waiting.
            telemetry.error('An operation could not be swept', error);
          }
        }
        try {
          await charges.close(quotaKey);
        } catch (error) {
          telemetry.error('Reservations could not be closed', error);
        }
      }
      return settled;
    },
  };
}

/** What crashed runs of the same account have left behind is finished on the way; a failure there is not this request's. */
export async function sweepOthers(
  { sweep, telemetry }: { readonly sweep: Pick<Sweep, 'one'>; readonly telemetry: Telemetry },
  overdue: readonly Parameters<Sweep['one']>[0][],
) {
  for (const operation of overdue) {
    try {
      await sweep.one(operation);
    } catch (error) {
      telemetry.error('An overdue operation could not be settled', error);
    }
  }
}
