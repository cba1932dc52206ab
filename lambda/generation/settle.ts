/** Settles charged executions: commits once the image is durable, refunds once it can no longer finish; the sweep finishes crashed ones. */

import type { Clock } from '../base/clock';
import { whileClosing } from '../base/request-deadline';
import type { Telemetry } from '../base/telemetry';
import { timeOfUlid } from '../base/ulid';
import type { ImageLibrary } from '../images/image-library';
import type { Charges, Operation, PendingOperation } from '../quota/reservations';
import {
  type FailureReason,
  type Generation,
  type GenerationIndex,
  generationKeptMs,
  type Lease,
  pauseAfter,
} from './generation';
import { executionFolder } from './generation-identity';

/** Where executions, their charges and their files are. */
export interface SettleDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly library: Pick<ImageLibrary, 'list' | 'remove'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** A charge to be settled, with the old entries that the same write may clear away. */
export type SettledCharge = Operation & { readonly prunable: readonly string[] };

/** Whether an execution costs anything; a free one only holds its place. */
export function isCharged(charge: Pick<Operation, 'cost'> | undefined): boolean {
  return charge !== undefined && charge.cost > 0;
}

/** Commits the charge of a finished image, then notes it on the image. In this order: nothing durable is ever uncharged. */
export async function commitExecution(
  { charges, index }: Pick<SettleDeps, 'charges' | 'index'>,
  lease: Lease,
  charge: SettledCharge | undefined,
): Promise<void> {
  if (!charge) return;
  const settlement = await charges.commit(charge, charge.prunable);
  // A free image waits for no charge: it was settled when it was finished.
  if (settlement === 'settled' && isCharged(charge)) await index.markSettled(lease);
}

/**
 * Ends a lease without an image and gives the charge back; an image that was finished after all is committed instead.
 * @returns whether it was this call that has ended the lease, and so gives back what else was counted for it
 */
export async function failExecution(
  deps: SettleDeps,
  lease: Lease,
  charge: SettledCharge | undefined,
  why: FailureReason,
  earlierTries: number,
): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const notBeforeMs = nowMs + pauseAfter(why, earlierTries);
  const ended = await deps.index.fail(lease, { why, tries: earlierTries + 1, notBeforeMs, nowMs });
  if (ended === 'ready') await commitExecution(deps, lease, charge);
  else await discardExecution(deps, lease, charge);
  return ended === 'failed';
}

/**
 * Removes what an execution stored that can no longer finish, and gives its charge back. In this order: as long as the
 * charge is pending the sweeper comes back to it, so that a crash between the two leaves nothing behind.
 */
export async function discardExecution(
  { charges, library }: Pick<SettleDeps, 'charges' | 'library'>,
  lease: Pick<Lease, 'key' | 'execution'>,
  charge: SettledCharge | undefined,
): Promise<void> {
  for await (const path of library.list(executionFolder(lease.key, lease.execution)))
    await library.remove(path);
  if (charge) await whileClosing(() => charges.refund(charge, charge.prunable));
}

/** Whether a generation is in a state, and by a certain execution. */
function isBy(execution: string, state: Generation['state'], generation: Generation | undefined): boolean {
  return generation?.state === state && generation.execution === execution;
}

interface SweepDeps extends SettleDeps {
  readonly telemetry: Telemetry;
}

/** Finishes what crashed runs have left. */
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

/** Finishes what crashed runs have left: commits finished images, refunds the others. */
export function createSweep(deps: SweepDeps): Sweep {
  const { index, charges, telemetry } = deps;

  const one = async (operation: PendingOperation): Promise<void> => {
    const { imageId, execution } = operation;
    const charge = { ...operation, prunable: [] };
    // The item is named through an index that may lag, and is then read itself, with strong consistency.
    const stored = await index.byImageId(imageId);
    if (!stored) {
      if (deps.clock.nowMs() < timeOfUlid(execution) + generationKeptMs)
        throw new Error('A generation is not listed yet; the next sweep looks again');
      // What it stored is removed with the images that nothing names.
      await charges.refund(charge, []);
      return;
    }
    const { key } = stored;
    let generation: Generation | undefined = stored;
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
