/** Refunds a charged request that gets no image. */

import { refund, refundAndThrow } from '../quota/charge';
import { freePayment, type Payment } from '../quota/payment';
import type { LimitServices } from '../quota/take';
import type { Answer, UnpaidAnswer } from './answer';

/**
 * Serves an admitted request, and refunds it if it gets no image.
 * @throws `ErrorAfterCharge` when `serve` rejects, after the refund
 */
export async function refundUnlessServed(
  services: LimitServices,
  payment: Payment,
  serve: () => Promise<UnpaidAnswer>,
): Promise<Answer> {
  const answer = await serve().catch((error: unknown) => refundAndThrow(services, payment, error));
  if (answer.outcome === 'served' && answer.image.fallback !== 'gone') return { ...answer, payment };
  const refunded = await refund(services, payment);
  if (answer.outcome === 'refused') return { ...answer, payment: refunded };
  // The card for an image that is gone is served, and costs nothing.
  const isFree = refunded.state === 'refunded';
  return { ...answer, payment: isFree ? freePayment('no-image', refunded.rateLimit) : refunded };
}
