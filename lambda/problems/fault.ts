/** What callers are told of an exception; loaded where there is one. */

import { isOutage } from '../base/outage';
import { type Refusal, serviceUnavailable } from './problem';

/**
 * The refusal of a request that has thrown this: something the service depends on is out, or the service has a fault.
 * @param mayBeCharged whether it is unknown what the request has cost
 */
export function refusalOfFault(error: unknown, mayBeCharged = false): Refusal {
  return isOutage(error)
    ? { ...serviceUnavailable, ...(mayBeCharged && { mayBeCharged }) }
    : { code: 'internal_error' };
}
