/** Work after a pause, by the machine's own timers. */

import type { Later } from '../../ports/clock';

/** Keeps no process alive: one that ends does without. */
export const systemLater: Later = (delayMs, work) => {
  setTimeout(work, delayMs).unref();
};
