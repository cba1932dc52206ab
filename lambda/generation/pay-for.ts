/** Delivers an AI image that exists: its generation has paid for the first delivery, every other is charged as an ordinary request. */

import type { Answer } from '../images/answer';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { imageCost } from '../quota/reservations';
import type { Size } from '../requests/rendition';
import type { DeliveryOutcome, RenditionService } from './deliver';
import type { Generation, GenerationIndex } from './generation';
import type { ReadyImage } from './make-image';
import { commitExecution, type SettleDeps } from './settle';

interface PayForDeps {
  readonly index: Pick<GenerationIndex, 'takeDelivery'>;
  readonly renditions: RenditionService;
  readonly ledger: Ledger;
}

/** A finished generation whose master is gone, so that nothing can be delivered from it. */
export interface LostImage {
  readonly outcome: 'lost';
  readonly generation: Generation;
  /** What the request has paid for it by now. */
  readonly payment: Payment;
}

/** @throws when a table fails; what was charged has been given back by then. */
export async function payFor(
  { index, renditions, ledger }: PayForDeps,
  { generation, led, payment: making }: Omit<ReadyImage, 'outcome'>,
  size: Size,
  context: RequestContext,
): Promise<Answer | LostImage> {
  const { requestId, format, deadlineMs, usage } = context;
  const cache = led ? 'MISS' : 'HIT';
  const show = () => renditions.deliver(generation, size, format, deadlineMs);
  const note = () => usage?.expect({ source: 'ai', cache });

  // What is paid already leaves the delivery to a request that would have to pay.
  if (generation.due && !context.payment) {
    note();
    // Both before the delivery is claimed: a claim that ended without an answer could not be given back.
    const [shown, rateLimit] = await Promise.all([show(), making?.rateLimit ?? ledger.status(context)]);
    if (shown.outcome !== 'delivered')
      return withoutImage(shown, generation, making ?? { state: 'free', because: 'no-image', rateLimit });
    if (await index.takeDelivery(generation, requestId)) {
      const payment = making ?? ({ state: 'owed', rateLimit } as const);
      return { outcome: 'served', image: shown.image, cache, payment };
    }
  }
  // Whatever comes of the delivery, a generation that this request has had made stays paid.
  const charge = await ledger.charge(context, note);
  if (charge.outcome === 'refused') return making ? { ...charge, payment: making } : charge;
  let shown: DeliveryOutcome;
  try {
    shown = await show();
  } catch (error) {
    const after = await ledger.refund(context, charge.payment);
    throw new FaultAfterCharge(making ?? after, error);
  }
  if (shown.outcome === 'delivered')
    return { outcome: 'served', image: shown.image, cache, payment: charge.payment };
  const after = await ledger.refund(context, charge.payment);
  return withoutImage(shown, generation, making ?? after);
}

/** What a delivery ends in that has no image. */
export function withoutImage(
  shown: Exclude<DeliveryOutcome, { outcome: 'delivered' }>,
  generation: Generation,
  payment: Payment,
): Answer | LostImage {
  return shown.outcome === 'lost' ? { outcome: 'lost', generation, payment } : { ...shown, payment };
}

/**
 * Marks a finished generation whose master is gone as lost, so that the image can be made again. The charge is settled
 * first, as the image may be given up only then.
 * @param takenBy request that claims the delivery which the generation has paid for and never had; absent for one that
 * may not: then an image whose delivery is due stays as it is
 * @returns whether the request has claimed that delivery, so that it pays nothing for having the image made again
 */
export async function markLost(
  { index, charges }: Pick<SettleDeps, 'index' | 'charges'>,
  generation: Generation,
  takenBy?: string,
): Promise<boolean> {
  const { quotaKey, execution, settled, due } = generation;
  if (due && takenBy === undefined) return false;
  if (!settled && quotaKey !== undefined)
    await commitExecution({ index, charges }, generation, {
      quotaKey,
      execution,
      cost: imageCost,
      prunable: [],
    });
  const isClaimed = due && takenBy !== undefined && (await index.takeDelivery(generation, takenBy));
  await index.markLost(generation);
  return isClaimed;
}
