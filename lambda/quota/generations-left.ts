/** Adds the AI images that an account has left to its rate limit status. */

import { undefinedIfFailed } from '../base/telemetry';
import type { Plans } from '../contract/plans';
import { type Caller, hasPublishedCredential } from '../credentials/caller';
import { generationMonthOf } from './caller-limits';
import type { Payment } from './payment';
import { type LimitServices, readLimitStatus } from './take';

/** Adds the account's AI images that are left to an answer's rate limit; visitors of a page see no quota. */
export async function addGenerationsLeft<Answer extends { readonly payment?: Payment }>(
  services: LimitServices & { readonly plans: Plans },
  caller: Caller,
  answer: Answer,
): Promise<Answer> {
  const { payment } = answer;
  if (!payment || caller.kind === 'anonymous' || hasPublishedCredential(caller)) return answer;
  const limit = generationMonthOf(caller, services.plans, services.clock.nowMs());
  const generations = await undefinedIfFailed(
    services.telemetry,
    'The AI images that are left were not read',
    () => readLimitStatus(services, limit),
  );
  if (!generations) return answer;
  return { ...answer, payment: { ...payment, rateLimit: { ...payment.rateLimit, generations } } };
}
