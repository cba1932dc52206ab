/** Asks the generator for no more when it has refused as many of an account's prompts in an hour as it may. */

import type { LimitRefusal } from '../problems/problem';
import { type Allowance, rateLimitStatusOf } from '../quota/quota';
import type { QuotaCounters } from '../quota/quota-counters';

/**
 * The refusal for an account, if any. Prompts that are being drawn are not counted yet, so as many as an account may
 * generate at once can come on top.
 */
export async function refusalForPrompts(
  counters: Pick<QuotaCounters, 'taken'>,
  refusedPrompts: Allowance,
): Promise<LimitRefusal | undefined> {
  const rateLimit = rateLimitStatusOf(refusedPrompts, await counters.taken(refusedPrompts));
  return rateLimit.remaining > 0 ? undefined : { code: 'rate_limited', rateLimit, use: 'refused-prompts' };
}
