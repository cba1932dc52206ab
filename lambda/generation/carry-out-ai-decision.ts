/** Carries out a decision: delivers its AI image, which is made first if need be, or shows a card. */

import { dropUndefined } from '../base/drop-undefined';
import { showGoneCard } from '../images/gone-card';
import type { ImageOutcome } from '../images/image-outcome';
import { renderForWork } from '../quota/take';
import type { AiServices } from './ai-services';
import { awaitImage } from './await-image';
import type { AiDecision, AwaitDecision } from './decide-ai-request';
import { type DeliveryContext, deliverAiImage } from './deliver-ai-image';

/** Carries out a decision after its charge. @throws `Outage` when a table does not answer */
export async function carryOutAiDecision(
  services: AiServices,
  decision: AiDecision,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  if (decision.kind === 'await') return awaitAndDeliver(services, decision, context);
  const { aiImage, size, card } = decision;
  const delivery = aiImage && (await deliverAiImage(services, aiImage, size, context));
  if (delivery && delivery.outcome !== 'gone') return delivery;
  if (!card) return { outcome: 'refused', refusal: { code: 'not_found' } };
  const goneImage = { ...size, ...dropUndefined(card), source: 'ai', format: context.format } as const;
  return showGoneCard(services, goneImage, (render) => renderForWork(services, context, render));
}

/**
 * Waits for the image of a decision and delivers it, after its base image. If its master is gone, the image is
 * made again, once and for the same charge.
 */
async function awaitAndDeliver(
  services: AiServices,
  decision: AwaitDecision,
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
