/** Refunds a charged request that gets no image. */

import { refund, refundAndThrow } from '../quota/charge';
import { freePayment, type Payment } from '../quota/payment';
import type { LimitServices } from '../quota/take';
import type { Answer, UnpaidAnswer } from './answer';

/**
 * Awaits the answer to an admitted request, and refunds it if there is no image.
 * @throws `ErrorAfterCharge` when the answer rejects, after the refund
 */
export async function refundUnlessServed(
  services: LimitServices,
  payment: Payment,
  answering: Promise<UnpaidAnswer>,
): Promise<Answer> {
  const answer = await answering.catch((error: unknown) => refundAndThrow(services, payment, error));
  if (answer.outcome === 'served' && answer.image.fallback !== 'gone') return { ...answer, payment };
  const refunded = await refund(services, payment);
  if (answer.outcome === 'refused') return { ...answer, payment: refunded };
  // The card for an image that is gone is served, and costs nothing.
  const isFree = refunded.state === 'refunded';
  return { ...answer, payment: isFree ? freePayment('no-image', refunded.rateLimit) : refunded };
}
