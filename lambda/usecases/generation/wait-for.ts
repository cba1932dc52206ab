/** Waits while another execution holds a generation. */

import { poll } from '../../async/poll';
import type { Generation } from '../../domain/generation/generation';
import type { Clock } from '../../ports/clock';
import type { GenerationIndex } from '../../ports/generation-index';

/** Pauses between two reads, in milliseconds. */
const pauses = { firstPauseMs: 120, longestPauseMs: 1_000, growth: 1.5 } as const;

/**
 * The generation as soon as it is no longer held as `held` was, or as it stands at the deadline. A read that fails
 * is one that saw no change: the image is being made all the same, and the next read may work.
 */
export function waitFor(
  index: Pick<GenerationIndex, 'read'>,
  clock: Clock,
  held: Generation,
  deadlineMs: number,
): Promise<Generation | undefined> {
  const isHeld = (generation: Generation | undefined) =>
    generation?.state === 'LEASED' && generation.fence === held.fence;
  // A lease may be taken over from the first millisecond after its end.
  const endsMs = Math.min(deadlineMs, (held.leaseEndsMs ?? 0) + 1);
  return poll<Generation | undefined>(held, isHeld, () => index.read(held.key).catch(() => held), {
    clock,
    endsMs,
    ...pauses,
  });
}
