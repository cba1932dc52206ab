/** Delivers a picture that exists: the first delivery was paid for by its making, every other is an ordinary request. */

import { type Answer, MeteredFault } from '../../domain/answer/answer';
import type { Size } from '../../domain/picture/image';
import type { GenerationIndex } from '../../ports/tables/generation-index';
import type { Meter } from '../meter';
import type { Circumstances } from '../serve-stock';
import type { Gallery } from './gallery';
import type { MadePicture } from './make-picture';

export interface PayForDeps {
  readonly index: Pick<GenerationIndex, 'takeDelivery'>;
  readonly gallery: Gallery;
  readonly meter: Meter;
}

/** @throws when a table fails; what was charged has been given back by then. */
export async function payFor(
  { index, gallery, meter }: PayForDeps,
  { generation, led, standing: reserved }: Omit<Extract<MadePicture, { outcome: 'ready' }>, 'outcome'>,
  size: Size,
  { allowance, requestId, format, deadlineMs }: Circumstances,
): Promise<Answer> {
  const cache = led ? 'MISS' : 'HIT';
  const show = () => gallery.show(generation, size, format, deadlineMs);
  const unavailable = { outcome: 'refused', refusal: { code: 'upstream_unavailable' } } as const;

  if (generation.due) {
    // Both before the delivery is claimed: a claim that ended without an answer could not be given back.
    const [picture, standing] = await Promise.all([show(), reserved ?? meter.standing(allowance)]);
    if (!picture) return { ...unavailable, standing };
    if (await index.takeDelivery(generation, requestId))
      return { outcome: 'served', picture, cache, standing };
  }
  const charge = await meter.charge(allowance, requestId);
  if (charge.outcome === 'refused') return charge;
  const giveBack = async () =>
    charge.outcome === 'charged' ? meter.refund(allowance, requestId, charge.standing) : charge.standing;
  try {
    const picture = await show();
    if (picture) return { outcome: 'served', picture, cache, standing: charge.standing };
  } catch (error) {
    throw new MeteredFault(await giveBack(), error);
  }
  return { ...unavailable, standing: await giveBack() };
}
