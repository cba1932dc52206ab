/** Carries out the decision for an AI image: delivers it, has it made first if need be, or shows a card. */

import { dropUndefined } from '../base/drop-undefined';
import { showGoneCard } from '../images/gone-card';
import type { ImageOutcome } from '../images/image-outcome';
import { renderForWork } from '../quota/take';
import type { AiServices } from './ai-services';
import { awaitImage } from './await-image';
import type { AiDecision, MakingDecision } from './decide-ai-image';
import { type DeliveryContext, deliverAiImage } from './deliver-ai-image';

/** Makes and delivers the image of a decision. @throws `Outage` when a table does not answer */
export async function carryOutAiDecision(
  services: AiServices,
  decision: AiDecision,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  if (decision.kind === 'make') return makeAndDeliver(services, decision, context);
  const { aiImage, size, card } = decision;
  const delivery = aiImage && (await deliverAiImage(services, aiImage, size, context));
  if (delivery && delivery.outcome !== 'gone') return delivery;
  if (!card) return { outcome: 'refused', refusal: { code: 'not_found' } };
  const goneImage = { ...size, ...dropUndefined(card), source: 'ai', format: context.format } as const;
  return showGoneCard(services, goneImage, (render) => renderForWork(services, context, render));
}

/**
 * Waits for an image and delivers it. If its master is gone, the image is made again: once, and for the same
 * charge.
 */
async function makeAndDeliver(
  services: AiServices,
  decision: MakingDecision,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  const { baseIdentity } = decision;
  const base = baseIdentity && (await awaitImage(services, { ...decision, identity: baseIdentity }));
  if (base?.outcome === 'refused') return base;
  const basePath = base ? base.aiImage.master?.path : decision.basePath;
  let goneGenerationId: string | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const result = await awaitImage(services, { ...decision, basePath, goneGenerationId });
    if (result.outcome === 'refused') return result;
    const delivery = await deliverAiImage(services, result.aiImage, decision.size, context);
    if (delivery.outcome === 'served') return { ...delivery, cache: result.isNew ? 'MISS' : 'HIT' };
    if (delivery.outcome === 'refused') return delivery;
    goneGenerationId = result.aiImage.generationId;
  }
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
}
