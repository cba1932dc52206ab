/** Delivers an AI image that exists: its generation has paid for the first delivery, every other is charged as an ordinary request. */

import type { Size } from '../../domain/image/image';
import { type Answer, MeteredFault } from '../../domain/problem/answer';
import type { RequestContext } from '../../domain/request/request-context';
import type { GenerationIndex } from '../../ports/generation-index';
import type { Meter } from '../metering/meter';
import type { RenditionService } from './deliver';
import type { MadeImage } from './make-image';

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
  { allowance, requestId, format, deadlineMs }: RequestContext,
): Promise<Answer> {
  const cache = led ? 'MISS' : 'HIT';
  const show = () => renditions.deliver(generation, size, format, deadlineMs);
  const unavailable = { outcome: 'refused', refusal: { code: 'upstream_unavailable' } } as const;

  if (generation.due) {
    // Both before the delivery is claimed: a claim that ended without an answer could not be given back.
    const [image, rateLimit] = await Promise.all([show(), reserved ?? meter.status(allowance)]);
    if (!image) return { ...unavailable, rateLimit };
    if (await index.takeDelivery(generation, requestId))
      return { outcome: 'served', image, cache, rateLimit };
  }
  const charge = await meter.charge(allowance, requestId);
  if (charge.outcome === 'refused') return charge;
  const giveBack = async () =>
    charge.outcome === 'charged' ? meter.refund(allowance, requestId, charge.rateLimit) : charge.rateLimit;
  try {
    const image = await show();
    if (image) return { outcome: 'served', image, cache, rateLimit: charge.rateLimit };
  } catch (error) {
    throw new MeteredFault(await giveBack(), error);
  }
  return { ...unavailable, rateLimit: await giveBack() };
}
