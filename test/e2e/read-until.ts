/** Reads a value again until it is the wanted one: for what a running service does behind its answers. */

import { systemClock } from '../../lambda/base/clock';

/**
 * The first wanted value, or the last one read when the time is over.
 * @param withinMs milliseconds from now to the last read
 * @param pauseMs milliseconds between two reads
 */
export async function readUntil<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
  { withinMs, pauseMs = 50 }: { readonly withinMs: number; readonly pauseMs?: number },
): Promise<T> {
  const { nowMs, sleep } = systemClock;
  const endsMs = nowMs() + withinMs;
  for (;;) {
    const value = await read();
    if (isWanted(value) || nowMs() >= endsMs) return value;
    await sleep(pauseMs);
  }
}
