/** Delivers an AI image that exists: its generation has paid for the first delivery, every other is charged as an ordinary request or free. */

import type { Answer, Refused } from '../images/answer';
import { freeRenditionsOf } from '../quota/fair-use';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge, type FreeBecause, type Payment } from '../quota/payment';
import { type RequestContext, renditionId } from '../quota/request-context';
import { imageCost } from '../quota/reservations';
import type { LabelledSize } from '../requests/rendition';
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
  size: LabelledSize,
  context: RequestContext,
): Promise<Answer | LostImage> {
  const { requestId, format, deadlineMs } = context;
  const cache = led ? 'MISS' : 'HIT';
  const show = () => renditions.deliver(generation, size, format, deadlineMs);

  const refused = await takeRendition({ renditions, ledger }, generation, size, context);
  if (refused) return refused;
  // What is paid already leaves the delivery to a request that would have to pay.
  if (generation.due && !context.payment) {
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
  const charge = await ledger.charge(context);
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

/** What a rendition counts in that has to be made for a request; nothing for one that exists. @returns the refusal */
async function takeRendition(
  { renditions, ledger }: Pick<PayForDeps, 'renditions' | 'ledger'>,
  generation: Generation | undefined,
  size: LabelledSize,
  { renditions: limits, format, payment }: RequestContext,
): Promise<Refused | undefined> {
  if (limits.length === 0) return undefined;
  if (generation && (await renditions.isMade(generation, size, format))) return undefined;
  const charge = await ledger.take(limits, renditionId(size, format));
  return charge.outcome === 'refused'
    ? { outcome: 'refused', refusal: charge.refusal, ...(payment && { payment }) }
    : undefined;
}

/** Counts a delivery that costs nothing, and answers with it. */
export async function showFree(
  deps: Pick<PayForDeps, 'renditions' | 'ledger'>,
  generation: Generation,
  size: LabelledSize,
  context: RequestContext,
  because: FreeBecause,
): Promise<Answer | LostImage> {
  const refused = await takeFree(deps, generation, size, context);
  return refused ?? show(deps, generation, size, context, false, because);
}

/**
 * Counts a delivery that costs nothing, and the rendition where one has to be made for it. Of an image that is paid
 * already, only the rendition.
 * @param generation absent when the image itself is still to be made
 * @returns the refusal when the hour's are used up
 */
export async function takeFree(
  deps: Pick<PayForDeps, 'renditions' | 'ledger'>,
  generation: Generation | undefined,
  size: LabelledSize,
  context: RequestContext,
): Promise<Refused | undefined> {
  const { requestId, freeDeliveries, renditions, payment } = context;
  if (payment || !freeDeliveries) return generation && takeRendition(deps, generation, size, context);
  const delivery = await deps.ledger.take([freeDeliveries], requestId);
  if (delivery.outcome === 'refused') return { outcome: 'refused', refusal: delivery.refusal };
  const limits = [...renditions, freeRenditionsOf(freeDeliveries)];
  return takeRendition(deps, generation, size, { ...context, renditions: limits });
}

/** Answers with an image for which nothing more is charged, even when the quota is used up. */
export async function show(
  { renditions, ledger }: Pick<PayForDeps, 'renditions' | 'ledger'>,
  generation: Generation,
  size: LabelledSize,
  context: RequestContext,
  led: boolean,
  because: FreeBecause,
): Promise<Answer | LostImage> {
  const { format, deadlineMs } = context;
  const cache = led ? 'MISS' : 'HIT';
  const [shown, rateLimit] = await Promise.all([
    renditions.deliver(generation, size, format, deadlineMs),
    ledger.status(context),
  ]);
  const payment = context.payment ?? { state: 'free', because, rateLimit };
  if (shown.outcome !== 'delivered') return withoutImage(shown, generation, payment);
  return { outcome: 'served', image: shown.image, cache, payment };
}

/** What a delivery ends in that has no image. */
function withoutImage(
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
