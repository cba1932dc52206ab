/** Declares the answer to a request for an image, before it becomes an HTTP response. */

import type { ImageOutcome, RefusedOutcome } from '../images/image-outcome';
import { isRequestLimitRefusal, type RateLimitStatus, type Refusal } from '../problems/problem';
import type { Payment } from '../quota/payment';
import type { UsageOutcome, UsageRefusal } from '../quota/usage/usage';

/** An image, with the payment for it. */
export type ServedAnswer = Extract<ImageOutcome, { outcome: 'served' }> & { readonly payment: Payment };

/** An answer without an image, and its reason. */
export interface RefusedAnswer extends RefusedOutcome {
  /** Absent if nothing was charged and reading the rate limit status would have cost a call. */
  readonly payment?: Payment;
}

/** An image or a refusal, with the payment. */
export type Answer = ServedAnswer | RefusedAnswer;

/** Reads the rate limit status of an answer: of the window that has refused it, or else of the quota. */
export function readRateLimit(answer: Answer): RateLimitStatus | undefined {
  if (answer.outcome === 'refused' && isRequestLimitRefusal(answer.refusal)) return answer.refusal.rateLimit;
  return answer.payment?.rateLimit;
}

/**
 * Lists the entries of an answer in the usage of its account. An image that is paid today already and a
 * refusal that this instance remembers have none: they must cost no write.
 */
export function listUsage(answer: Answer): readonly (UsageOutcome | UsageRefusal)[] {
  if (answer.outcome === 'refused') return listUsageOfRefusal(answer.refusal);
  const { image, cache, payment } = answer;
  if (payment.state !== 'free') return [{ source: image.source, cache }];
  return payment.freeReason === 'paid-before' ? [] : [{ source: image.source, cache, isFree: true }];
}

/** Lists the entries of a refusal in the usage of its account. */
export function listUsageOfRefusal(refusal: Refusal): readonly UsageRefusal[] {
  return 'isRemembered' in refusal ? [] : [{ refused: refusal.code }];
}
