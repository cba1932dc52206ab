/** Carries out the plan for an AI image: has it made where it is not ready, and delivers it or a card. */

import { renderGoneCard } from '../images/gone-card';
import type { ImageOutcome } from '../images/image-outcome';
import { renderForWork } from '../quota/take';
import type { AiServices } from './ai-services';
import { awaitImage } from './await-image';
import { type DeliveryContext, deliverAiImage } from './deliver-ai-image';
import type { AiPlan, GoneCard, MakingPlan } from './plan-ai-image';

/** Makes and delivers the image of a plan. @throws `Outage` when a table does not answer */
export async function makeAiImage(
  services: AiServices,
  plan: AiPlan,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  if (plan.kind === 'make') return makeAndDeliver(services, plan, context);
  if (plan.kind === 'card') return showGoneCard(services, plan.goneCard, context);
  const delivered = await deliverAiImage(services, plan.aiImage, plan.size, context);
  if (delivered.outcome !== 'gone') return delivered;
  return plan.goneCard
    ? showGoneCard(services, plan.goneCard, context)
    : { outcome: 'refused', refusal: { code: 'not_found' } };
}

/** Has an image made, and delivers it. One whose master is gone is made again, once, for the same charge. */
async function makeAndDeliver(
  services: AiServices,
  { caller, identity, baseIdentity, basePath, size }: MakingPlan,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  const base = baseIdentity && (await awaitImage(services, { caller, identity: baseIdentity }));
  if (base?.outcome === 'refused') return base;
  const awaited = { caller, identity, basePath: base ? base.aiImage.master?.path : basePath };
  let goneGenerationId: string | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const result = await awaitImage(services, { ...awaited, goneGenerationId });
    if (result.outcome === 'refused') return result;
    const delivered = await deliverAiImage(services, result.aiImage, size, context);
    if (delivered.outcome === 'served') return { ...delivered, cache: result.isNew ? 'MISS' : 'HIT' };
    if (delivered.outcome === 'refused') return delivered;
    goneGenerationId = result.aiImage.generationId;
  }
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
}

/** Shows the card of an image that is gone, for a unit of `work` where its file is new. */
async function showGoneCard(
  services: AiServices,
  { pick, color, widthPx, heightPx }: GoneCard,
  context: DeliveryContext,
): Promise<ImageOutcome> {
  const gone = { source: 'ai', pick, ...(color !== undefined && { color }) } as const;
  const size = { widthPx, heightPx, format: context.format };
  const card = await renderForWork(services, context, () => renderGoneCard(services, gone, size));
  if (card.outcome === 'refused') return card;
  return { outcome: 'served', image: card.image, cache: 'HIT' };
}
