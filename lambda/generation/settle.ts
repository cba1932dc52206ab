/** Settles a charged execution: commits it once the image is durable, refunds it once it can no longer finish. */

import type { Clock } from '../base/clock';
import { firstUlidAt } from '../base/ulid';
import { generationLeaseMs } from '../contract/timeouts';
import type { ImageLibrary } from '../images/image-library';
import type { Charges, Operation } from '../quota/reservations';
import { type FailureReason, type Generation, type Lease, pauseAfter } from './generation';
import { executionFolder, imageFolder } from './generation-identity';
import type { GenerationIndex } from './generation-index';

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
 */
export async function failExecution(
  deps: SettleDeps,
  lease: Lease,
  charge: SettledCharge | undefined,
  why: FailureReason,
  earlierTries: number,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const notBeforeMs = nowMs + pauseAfter(why, earlierTries);
  const ended = await deps.index.fail(lease, { why, tries: earlierTries + 1, notBeforeMs, nowMs });
  if (ended === 'ready') return commitExecution(deps, lease, charge);
  await discardExecution(deps, lease, charge);
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
  if (charge) await charges.refund(charge, charge.prunable);
}

/**
 * Removes what earlier executions of a finished image have stored and could not clear away: they crashed between
 * storing and settling, or finished after they were given up. None that began within a lease's length is touched.
 */
export async function removeEarlierExecutions(
  { library, clock }: Pick<SettleDeps, 'library' | 'clock'>,
  { key, execution }: Pick<Lease, 'key' | 'execution'>,
): Promise<void> {
  const folder = imageFolder(key);
  for await (const path of library.list(folder)) {
    const [other = ''] = path.slice(folder.length).split('/');
    const isOver = other < firstUlidAt(clock.nowMs() - generationLeaseMs);
    if (other !== execution && isOver) await library.remove(path);
  }
}

/** Whether a generation is in a state, and by a certain execution. */
export function isBy(
  execution: string,
  state: Generation['state'],
  generation: Generation | undefined,
): boolean {
  return generation?.state === state && generation.execution === execution;
}
