/** Obtains the AI image of a decision, which is made first if need be, or a card in its place. */

import { dropUndefined } from '../base/drop-undefined';
import { showGoneCard } from '../images/gone-card';
import type { ImageOutcome } from '../images/image-outcome';
import { type PickServices, storePickedAiImage } from '../images/picked-images';
import { renderForWork } from '../quota/take';
import type { AiServices } from './ai-services';
import { awaitImage } from './await-image';
import type { AiDecision, AwaitDecision, DeliveryDecision } from './decide-ai-request';
import { type DeliveryContext, deliverAiImage } from './deliver-ai-image';

/**
 * Obtains the image of a decision after its charge.
 * @param storesPick true if the image is stored under its pick, unless an earlier request has done so
 * @throws `Outage` when a table does not answer
 */
export async function obtainAiImage(
  services: AiServices & PickServices,
  decision: AiDecision,
  context: DeliveryContext,
  storesPick: boolean,
): Promise<ImageOutcome> {
  const outcome = await (decision.kind === 'await'
    ? awaitAndDeliver(services, decision, context)
    : deliverOrShowCard(services, decision, context));
  if (outcome.outcome === 'served' && storesPick) await storePickedAiImage(services, outcome.image);
  return outcome;
}

/** Delivers the image of a decision, or shows the card of a pick if the image or its master is gone. */
async function deliverOrShowCard(
  services: AiServices,
  { aiImage, size, card }: DeliveryDecision,
  context: DeliveryContext,
): Promise<ImageOutcome> {
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
