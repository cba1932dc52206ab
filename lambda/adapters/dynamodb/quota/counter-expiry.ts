/** When DynamoDB may delete a counter. */

import type { Allowance } from '../../../domain/quota/quota';

/** How long a counter outlives its window, in seconds: late settlements and the sweeper still find it. */
const keptForS = { ip: 3_600, model: 3_600, test: 2 * 86_400, live: 35 * 86_400 } as const;

/** Epoch seconds, as DynamoDB's time to live takes them. */
export function counterExpiryS({ counter, window }: Allowance): number {
  return Math.ceil(window.endMs / 1_000) + keptForS[counter.kind === 'account' ? counter.mode : counter.kind];
}
