/** Waits while another execution holds a generation. */

import type { Generation } from '../../domain/generation/generation';
import type { Clock } from '../../ports/clock';
import type { GenerationIndex } from '../../ports/generation-index';

/** First pause between two looks, in milliseconds; it grows by half each time up to the longest. */
const firstPauseMs = 120;
const longestPauseMs = 1_000;

/** The generation as soon as it is no longer held as `held` was, or as it stands at the deadline. */
export async function waitFor(
  index: Pick<GenerationIndex, 'read'>,
  clock: Clock,
  held: Generation,
  deadlineMs: number,
): Promise<Generation | undefined> {
  let pauseMs = firstPauseMs;
  let generation: Generation | undefined = held;
  while (generation?.state === 'LEASED' && generation.fence === held.fence) {
    const nowMs = clock.nowMs();
    if (nowMs >= Math.min(deadlineMs, (generation.leaseEndsMs ?? 0) + 1)) break;
    await clock.sleep(Math.min(pauseMs, Math.max(1, deadlineMs - nowMs)));
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
    generation = await index.read(held.key);
  }
  return generation;
}
