/** What callers are told of an exception; loaded where there is one. */

import { isOutage } from '../base/outage';
import { type Refusal, serviceUnavailable } from './problem';

/** The refusal of a request that has thrown this: something the service depends on is out, or the service has a fault. */
export function refusalOfFault(error: unknown): Refusal {
  return isOutage(error) ? serviceUnavailable : { code: 'internal_error' };
}
