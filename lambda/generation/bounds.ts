/** What bounds the work that a caller's AI images cause: concurrent generations, ceilings, refused prompts, free deliveries. */

import type { Clock } from '../base/clock';
import { type Plans, testGenerationsAtOnce } from '../contract/plans';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import {
  dailyGenerations,
  fairUseOwner,
  freeDeliveriesOf,
  freeRenditionsOf,
  monthlyGenerationsOf,
  refusedPromptsOf,
} from '../quota/fair-use';
import type { Meter } from '../quota/meter';
import type { RequestContext } from '../quota/request-context';
import type { Size } from '../requests/rendition';
import type { RenditionService } from './deliver';
import type { Generation } from './generation';
import type { ImageOrder } from './lead-generation';

export interface BoundsDeps {
  readonly renditions: RenditionService;
  readonly meter: Meter;
  readonly plans: Plans;
  /** The operator's ceiling for all accounts together; absent for none. */
  readonly generationsPerDay?: number;
  /** Whether test keys use the real generator, whose images cost money. */
  readonly testKeysGenerate: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** What bounds the making of an image for a caller. */
export function boundsOf(
  { plans, generationsPerDay, testKeysGenerate, clock }: BoundsDeps,
  caller: KeyedCaller,
  { allowance, bounds = [] }: RequestContext,
): Pick<ImageOrder, 'limits' | 'bounds' | 'refusedPrompts' | 'ceilings'> {
  const nowMs = clock.nowMs();
  const owner = fairUseOwner(caller);
  const { generationsAtOnce, generationsPerMonth } = plans[caller.plan];
  const isTest = caller.kind === 'test';
  // What the sandbox draws for a test key costs nothing.
  const isCounted = !isTest || testKeysGenerate;
  return {
    limits: { allowance, heldMax: isTest ? testGenerationsAtOnce : generationsAtOnce },
    bounds,
    refusedPrompts: refusedPromptsOf(owner, nowMs),
    ceilings: isCounted
      ? [
          monthlyGenerationsOf(owner, generationsPerMonth, nowMs),
          ...(generationsPerDay === undefined ? [] : [dailyGenerations(generationsPerDay, nowMs)]),
        ]
      : [],
  };
}

/**
 * Counts a delivery that costs nothing, and the rendition where one has to be made for it; neither for an image that is
 * paid already.
 * @param generation absent when the image itself is still to be made
 * @returns the refusal when the hour's are used up
 */
export async function takeFree(
  { renditions, meter, plans, clock }: BoundsDeps,
  generation: Generation | undefined,
  size: Size,
  caller: KeyedCaller,
  { requestId, format, paid }: RequestContext,
): Promise<Answer | undefined> {
  if (paid) return undefined;
  const nowMs = clock.nowMs();
  const delivery = await meter.charge(freeDeliveriesOf(caller, plans, nowMs), requestId);
  if (delivery.outcome === 'refused') return delivery;
  if (generation && (await renditions.isMade(generation, size, format))) return undefined;
  const rendition = await meter.charge(freeRenditionsOf(caller, plans, nowMs), requestId);
  return rendition.outcome === 'refused' ? rendition : undefined;
}
