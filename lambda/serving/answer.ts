/** The answer to a request for an image: its outcome and its payment. */

import type { ImageOutcome, RefusedOutcome } from '../images/image-outcome';
import type { RateLimitStatus, Refusal } from '../problems/problem';
import type { Payment } from '../quota/payment';
import type { UsageOutcome, UsageRefusal } from '../quota/usage/usage';

/** An answer with an image. */
export type ServedAnswer = Extract<ImageOutcome, { outcome: 'served' }> & { readonly payment: Payment };

/** An answer without an image. `refusal` names the reason. */
export interface RefusedAnswer extends RefusedOutcome {
  /** Absent if nothing was charged and the rate limit status was not read, because that takes a call. */
  readonly payment?: Payment;
}

export type Answer = ServedAnswer | RefusedAnswer;

/** Finds the rate limit status of an answer: that of the limit that refused it, or else that of the quota. */
export function findRateLimit(answer: Answer): RateLimitStatus | undefined {
  const isRefusedByLimit = answer.outcome === 'refused' && 'rateLimit' in answer.refusal;
  // Limits of other kinds leave the headers to the quota.
  if (isRefusedByLimit && answer.refusal.kind === undefined) return answer.refusal.rateLimit;
  return answer.payment?.rateLimit;
}

/**
 * Lists what an answer adds to the usage of its account. An image that was paid before on this day adds nothing,
 * because its answer must cost no write.
 */
export function listUsage(answer: Answer): readonly (UsageOutcome | UsageRefusal)[] {
  if (answer.outcome === 'refused') return listUsageOfRefusal(answer.refusal);
  const { image, cache, payment } = answer;
  if (payment.state !== 'free') return [{ source: image.source, cache }];
  return payment.freeReason === 'paid-before' ? [] : [{ source: image.source, cache, isFree: true }];
}

/** Lists what a refusal adds to the usage. A remembered refusal adds nothing: it must cost no write. */
export function listUsageOfRefusal(refusal: Refusal): readonly UsageRefusal[] {
  return 'isRemembered' in refusal ? [] : [{ refused: refusal.code }];
}
