/** Pauses between two reads of what another request is about to change. */

import type { Clock } from './clock';

interface Pauses {
  /** The first pause, in milliseconds. */
  readonly firstMs: number;
  /** Factor by which each pause is longer than the one before. */
  readonly growth: number;
  /** Moment (epoch, milliseconds) at which the last one ends at the latest. */
  readonly endsMs: number;
}

/** Returns a function that makes the next pause; false, without a pause, once `endsMs` is reached. */
export function growingPauses(clock: Clock, { firstMs, growth, endsMs }: Pauses): () => Promise<boolean> {
  let nextMs = firstMs;
  return async () => {
    const leftMs = endsMs - clock.nowMs();
    if (leftMs <= 0) return false;
    await clock.sleep(Math.min(nextMs, leftMs));
    nextMs = Math.round(nextMs * growth);
    return true;
  };
}
