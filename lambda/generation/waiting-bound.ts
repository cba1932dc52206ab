/** How many requests may wait for AI images at once, so that the executions of the account are not all taken by them. */

import { ampleExecutions, waitingShare } from '../contract/executions';

/**
 * @param unreserved concurrent executions of the account that no function has reserved
 * @returns the most requests that may wait at once; `undefined` where there are executions enough for all
 */
export function waitingBoundOf(unreserved: number): number | undefined {
  if (unreserved >= ampleExecutions) return undefined;
  return Math.max(1, Math.floor(unreserved * waitingShare));
}
