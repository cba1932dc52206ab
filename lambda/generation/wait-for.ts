/** Waits while another execution holds a generation; where executions are few, only as long as one is likely to come. */

import type { Clock } from '../base/clock';
import { poll } from '../base/poll';
import { generationLeaseMs, generatorStartMs } from '../contract/timeouts';
import type { Generation } from './generation';
import type { GenerationIndex } from './generation-index';

/** Pauses between two reads, in milliseconds. */
const pauses = { firstPauseMs: 120, longestPauseMs: 1_000, growth: 1.5 } as const;

/**
 * The generation as soon as it is no longer held as `held` was, or as it stands at the deadline. A read that fails
 * is one that saw no change: the image is being made all the same, and the next read may work.
 * @param isBounded whether executions are few: then the wait ends early when no run begins in time
 */
export async function waitFor(
  index: Pick<GenerationIndex, 'read'>,
  clock: Clock,
  held: Generation,
  deadlineMs: number,
  isBounded = false,
): Promise<Generation | undefined> {
  const isHeld = (generation: Generation | undefined) =>
    generation?.state === 'LEASED' && generation.fence === held.fence;
  // A lease may be taken over from the first millisecond after its end.
  const endsMs = Math.min(deadlineMs, (held.leaseEndsMs ?? 0) + 1);
  let last: Generation | undefined = held;
  const read = async () => {
    last = await index.read(held.key).catch(() => last);
    return last;
  };
  if (isBounded && !held.isStarted) {
    const isIdle = (generation: Generation | undefined) => isHeld(generation) && !generation?.isStarted;
    const until = { clock, endsMs: Math.min(endsMs, startsByMs(held)), ...pauses };
    const seen = await poll<Generation | undefined>(held, isIdle, read, until);
    if (isIdle(seen)) return seen;
  }
  return poll<Generation | undefined>(last, isHeld, read, { clock, endsMs, ...pauses });
}

/** Whether a generation that is held should have begun by now and has not: Lambda has no free execution for it. */
export function isNotStarting(generation: Generation | undefined, nowMs: number): boolean {
  return generation?.state === 'LEASED' && !generation.isStarted && nowMs >= startsByMs(generation);
}

/** The moment (epoch, milliseconds) by which a run should have begun. */
function startsByMs({ leaseEndsMs = 0 }: Generation): number {
  return leaseEndsMs - generationLeaseMs + generatorStartMs;
}
