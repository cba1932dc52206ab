/** The clock of the service. Tests replace it. */

/** The present moment (epoch, milliseconds), and pauses that a signal can end. */
export interface Clock {
  nowMs(): number;
  /** Resolves after a delay in milliseconds. Rejects with the signal's reason if it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // `node:timers/promises` makes an error with a stack for each pause that ends early.
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, delayMs);
      signal?.addEventListener('abort', end, { once: true });
    }),
};
