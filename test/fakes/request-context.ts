/** The context of a request. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Caller } from '../../lambda/credentials/caller';
import { limitsOfCaller, type RequestContext } from '../../lambda/quota/request-context';

export function aContext(
  caller: Caller,
  nowMs: number,
  { plans = defaultPlans, ...changes }: Partial<RequestContext> & { plans?: typeof defaultPlans } = {},
): RequestContext {
  return {
    ...limitsOfCaller(caller, '', plans, nowMs),
    requestId: 'r',
    format: 'webp',
    ...changes,
  };
}
