/** The refusal of a throttled counter, apart from the table of errors, which a request that is answered does not load. */

import type { Refusal, ThrottleRefusal } from './problem';

/** The same for every throttled counter. */
export const throttleRefusal: ThrottleRefusal = { code: 'rate_limited', retryAfterS: 1 };

/** Whether a refusal says that a counter is throttled. */
export function isThrottle(refusal: Refusal): boolean {
  return refusal.code === 'rate_limited' && 'retryAfterS' in refusal;
}
