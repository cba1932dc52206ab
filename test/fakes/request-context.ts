/** The context of a request, and a ledger that admits everything. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Caller } from '../../lambda/credentials/caller';
import { uncountedClient } from '../../lambda/credentials/client-ip';
import type { RateLimitStatus } from '../../lambda/problems/problem';
import type { Ledger } from '../../lambda/quota/ledger';
import { limitsOf, type RequestContext } from '../../lambda/quota/request-context';

export function aContext(
  caller: Caller,
  nowMs: number,
  { plans = defaultPlans, ...changes }: Partial<RequestContext> & { plans?: typeof defaultPlans } = {},
): RequestContext {
  return {
    ...limitsOf(caller, uncountedClient, plans, nowMs),
    requestId: 'r',
    format: 'webp',
    deadlineMs: nowMs + 25_000,
    ...changes,
  };
}

export function generousLedger(rateLimit: RateLimitStatus): Ledger {
  return {
    charge: async ({ payment }) => ({
      outcome: 'admitted',
      payment: payment ?? { state: 'charged', rateLimit },
    }),
    refund: async () => ({ state: 'refunded', rateLimit }),
    take: async (limits) => ({ outcome: 'taken', of: limits }),
    giveBack: async () => undefined,
    cachedRefusal: () => undefined,
    status: async () => rateLimit,
    lastStatus: async () => rateLimit,
  };
}
