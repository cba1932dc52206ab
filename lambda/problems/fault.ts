/** What callers are told of an exception: that something the service depends on is out, or that the service itself has a fault. */

import { isOutage } from '../base/outage';
import type { Refusal } from './problem';

/** A table or another dependency does not answer, or not in time. The pause lets a short outage or a burst pass. */
export const serviceUnavailable = {
  code: 'service_unavailable',
  retryAfterS: 5,
} as const satisfies Refusal;

/** The refusal of a request that has thrown this. */
export function refusalOfFault(error: unknown): Refusal {
  return isOutage(error) ? serviceUnavailable : { code: 'internal_error' };
}
