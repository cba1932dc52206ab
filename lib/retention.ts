/** What becomes of a resource that holds data, when its stack goes or replaces it. */

import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from './stage';

/**
 * Kept in a stage that keeps its data; yet what a failed first deployment made holds none and goes with it, so that
 * nothing is in the way of the next attempt.
 */
export function retentionOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
