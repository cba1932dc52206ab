/** Reads the monthly bound of one key as operators write it. */

import { unlimitedRequests } from '../../lambda/contract/plans';
import { wrongUsage } from '../failure';
import { wholeNumber } from '../whole-number';

const name = '--max-per-month';

/** In units. @throws `Failure` with the usage code */
export function readMaxPerMonth(text: string): number {
  const units = wholeNumber(name)(text);
  if (units < 1 || units >= unlimitedRequests)
    throw wrongUsage(`${name} takes a whole number from 1 to ${unlimitedRequests - 1}, not "${text}".`);
  return units;
}
