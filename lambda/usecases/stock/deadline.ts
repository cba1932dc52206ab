/** Ends work that takes too long, by a clock that a test can set. */

import type { Clock } from '../../ports/clock';

export class DeadlineReached extends Error {
  override readonly name = 'DeadlineReached';
}

/**
 * Waits for work until a moment (epoch, milliseconds), and aborts its signal then.
 * @throws `DeadlineReached`, or what the work throws
 */
export async function withDeadline<T>(
  clock: Clock,
  endsMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timer = new AbortController();
  const reached = clock.sleep(Math.max(0, endsMs - clock.nowMs()), timer.signal).then(() => {
    const error = new DeadlineReached('The work was not done in time.');
    abort.abort(error);
    throw error;
  });
  reached.catch(() => undefined); // Nobody listens any more when the work throws at once.
  try {
    return await Promise.race([work(abort.signal), reached]);
  } finally {
    timer.abort();
  }
}
