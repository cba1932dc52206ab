/** Delivers an AI image that exists: its generation has paid for the first delivery, every other is charged as an ordinary request. */

import { type Answer, MeteredFault, withStandingCharge } from '../images/answer';
import { giveBack, type Meter } from '../quota/meter';
import type { RequestContext } from '../quota/request-context';
import type { Size } from '../requests/rendition';
import type { RenditionService } from './deliver';
import type { GenerationIndex } from './generation-index';
import type { MadeImage } from './make-image';
import type { LostImage } from './replace-lost';

export interface PayForDeps {
  readonly index: Pick<GenerationIndex, 'takeDelivery'>;
  readonly renditions: RenditionService;
  readonly meter: Meter;
}

/** @throws when a table fails; what was charged has been given back by then. */
export async function payFor(
  { index, renditions, meter }: PayForDeps,
  { generation, led, rateLimit: reserved }: Omit<Extract<MadeImage, { outcome: 'ready' }>, 'outcome'>,
  size: Size,
  context: RequestContext,
): Promise<Answer | LostImage> {
  const { allowance, bounds, requestId, format, deadlineMs, usage } = context;
  const cache = led ? 'MISS' : 'HIT';
  const show = () => renditions.deliver(generation, size, format, deadlineMs);
  const note = () => usage?.expect({ source: 'ai', cache, ...(context.paid && { isFree: true }) });

  // What is paid already leaves the delivery to a request that would have to pay.
  if (generation.due && !context.paid) {
    note();
    // Both before the delivery is claimed: a claim that ended without an answer could not be given back.
    const [shown, rateLimit] = await Promise.all([show(), reserved ?? meter.status(allowance)]);
    if (shown.outcome === 'lost') return { outcome: 'lost', generation };
    if (shown.outcome === 'refused') return { ...shown, rateLimit };
    if (await index.takeDelivery(generation, requestId))
      return { outcome: 'served', image: shown.image, cache, rateLimit };
  }
  const charge = await meter.charge(allowance, requestId, bounds, note);
  if (charge.outcome === 'refused') return charge;
  try {
    const shown = await show();
    if (shown.outcome === 'delivered')
      return {
        outcome: 'served',
        image: shown.image,
        cache,
        rateLimit: charge.rateLimit,
        ...(charge.outcome === 'free' ? { isFree: true } : {}),
      };
    const { rateLimit, isDone } = await giveBack(meter, charge, context);
    const answer: Answer | LostImage =
      shown.outcome === 'lost' ? { outcome: 'lost', generation } : { ...shown, rateLimit };
    return isDone ? answer : withStandingCharge(answer);
  } catch (error) {
    const { rateLimit, isDone } = await giveBack(meter, charge, context);
    throw new MeteredFault(rateLimit, error, !isDone);
  }
}
