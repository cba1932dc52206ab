/** Values of the API Gateway keys that stand for the usage plans' tiers. */

import { Fn, type Stack } from 'aws-cdk-lib';
import { type Tier, tiers } from '../lambda/contract/plans';

/**
 * Tier → value. They must be 20 to 128 characters and unique in the account and region, so they are derived from the
 * stack's id. They need not be secret: the authorizer alone says which of them a request counts for, and API Gateway
 * reads none from the caller.
 */
export function tierKeyValues(stack: Stack): Readonly<Record<Tier, string>> {
  const uniqueId = Fn.select(2, Fn.split('/', stack.stackId));
  return Object.fromEntries(tiers.map((tier) => [tier, Fn.join('-', ['tier', tier, uniqueId])])) as Record<
    Tier,
    string
  >;
}
