/** Reads a value again until it is the wanted one: for what a running service does behind its answers. */

import { systemClock } from '../../lambda/base/clock';

/** Reads until a value is the wanted one or the time is over, and returns the last value. */
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
