/** Declares the clock, so that a test decides the time, and makes that of this machine. */

/** The present moment (epoch, milliseconds), pauses that a signal can end, and timers. */
export interface Clock {
  nowMs(): number;
  /** Resolves after a delay in milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after a delay in milliseconds; returns what cancels that. */
  after(delayMs: number, act: () => void): () => void;
}

function after(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after,
  // `node:timers/promises` makes an error with a stack for each pause that ends early.
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(delayMs, () => {
        signal?.removeEventListener('abort', end);
        resolve();
      });
      signal?.addEventListener('abort', end, { once: true });
    }),
};
