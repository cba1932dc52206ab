/** The context of a request, and that in which its image is served. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Caller } from '../../lambda/credentials/caller';
import { createPayer, type ServingContext } from '../../lambda/quota/payer';
import { limitsOf, type RequestContext } from '../../lambda/quota/request-context';
import type { LimitServices } from '../../lambda/quota/take';

type Changes = Partial<RequestContext> & { plans?: typeof defaultPlans };

export function aContext(
  caller: Caller,
  nowMs: number,
  { plans = defaultPlans, ...changes }: Changes = {},
): RequestContext {
  return {
    ...limitsOf(caller, '', plans, nowMs),
    requestId: 'r',
    format: 'webp',
    deadlineMs: nowMs + 25_000,
    ...changes,
  };
}

/** A context with a payer whose charge is due. */
export function aServingContext(
  services: LimitServices,
  caller: Caller,
  nowMs: number,
  changes: Changes = {},
): ServingContext {
  const context = aContext(caller, nowMs, changes);
  return { ...context, payer: createPayer(services, context) };
}
