/** Repeats work after failures that may pass, with pauses that grow. */

import type { Clock } from './clock';

interface RetryOptions {
  readonly attemptsMax: number;
  /** Milliseconds to wait after an attempt (the first is 1). `undefined` if another attempt would not help. */
  readonly computePauseMs: (error: unknown, attempt: number) => number | undefined;
  readonly clock: Pick<Clock, 'sleep'>;
  /** After it is aborted, no attempt begins. */
  readonly signal?: AbortSignal | undefined;
}

/** Repeats work after each failure that may pass. Throws the error of the last attempt. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attemptsMax, computePauseMs, clock, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = attempt < attemptsMax ? computePauseMs(error, attempt) : undefined;
      if (pauseMs === undefined || signal?.aborted) throw error;
      const wasAborted = await clock.sleep(pauseMs, signal).catch(() => true);
      if (wasAborted) throw error;
    }
  }
}

/** Creates a function that waits for the next pause. It returns false once `endsMs` is reached. */
export function createPauses(
  clock: Clock,
  { firstMs, growth, endsMs }: Readonly<Record<'firstMs' | 'growth' | 'endsMs', number>>,
): () => Promise<boolean> {
  let nextMs = firstMs;
  return async () => {
    const leftMs = endsMs - clock.nowMs();
    if (leftMs <= 0) return false;
    await clock.sleep(Math.min(nextMs, leftMs));
    nextMs = Math.round(nextMs * growth);
    return true;
  };
}
