/** Obtains a stock image: the image of a pick, or an image for words from the choices of the slots' providers. */

import { computeSecondsUntil } from '../../base/window';
import type { ImageOutcome } from '../../images/image-outcome';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import { normaliseWords, type StockRequest } from '../../requests/image-request';
import { orderSlots, type StockServices, unreachedMessage } from '../stock-services';
import { parseSubject } from '../subject';
import { isLoose } from './choice';
import { deliverChoice, type SlotChoice } from './deliver-choice';
import { createAllowance, type LookupContext, type LookupFailure, type WordLookup } from './lookup';
import { obtainChoice } from './obtain-choice';
import { noImageFound, obtainPickedImage } from './obtain-picked';
import { matchCandidate } from './rank';

/**
 * Obtains the image of the request's pick, or an image for its words. Slots are tried in order. A loose image is
 * delivered only if no slot has an image that fits.
 */
export async function obtainStockImage(
  services: StockServices,
  request: StockRequest,
  context: LookupContext,
): Promise<ImageOutcome> {
  const { query, source, filters, pick } = request;
  const allowance = createAllowance(context);
  if (pick !== undefined) return obtainPickedImage(services, { request, context, allowance }, pick);
  const subject = parseSubject(normaliseWords(query), filters.lang);
  const lookup = { request, context, allowance, subject };
  const { bindings } = services.stockSettings;
  const failures: LookupFailure[] = [];
  const looseChoices: SlotChoice[] = [];
  for (const slot of orderSlots(bindings, source)) {
    const provider = services.findProvider(bindings[slot]);
    if (filters.license !== undefined && provider.capability.unmetLicenses.includes(filters.license))
      continue;
    const { found, refusal, failure } = await obtainChoice(services, lookup, provider);
    if (failure) failures.push(failure);
    if (!found && refusal && looseChoices.length === 0) return { outcome: 'refused', refusal };
    if (!found) continue;
    const slotChoice = { slot, provider, ...found };
    if (isLoose(found.choice)) {
      looseChoices.push(slotChoice);
      continue;
    }
    const delivery = await deliverChoice(services, lookup, slotChoice);
    if (delivery.outcome !== 'none') return delivery;
    failures.push(...delivery.failures);
  }
  // `onmiss=ai` prefers an AI image to a loose one, even if a provider has failed.
  if (filters.onmiss !== undefined && looseChoices.length > 0) return noImageFound;
  for (const looseChoice of sortByCoverage(looseChoices, lookup)) {
    const delivery = await deliverChoice(services, lookup, looseChoice);
    if (delivery.outcome !== 'none') return delivery;
    failures.push(...delivery.failures);
  }
  const refusal = makeRefusal(failures, services.clock.nowMs());
  const fallbackImage =
    refusal.code === 'upstream_unavailable' ? await obtainFallbackImage(services, lookup) : undefined;
  return fallbackImage ?? { outcome: 'refused', refusal };
}

/** Sorts choices by how much of the subject their best image covers, the largest share first. */
function sortByCoverage(choices: readonly SlotChoice[], { subject }: WordLookup): readonly SlotChoice[] {
  const getCoverage = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? matchCandidate(entries[0].candidate, subject).coverage : 0;
  return choices.toSorted((a, b) => getCoverage(b) - getCoverage(a));
}

/** Makes the refusal for the worst failure, or `no_image_found` if no step has failed. */
function makeRefusal(failures: readonly LookupFailure[], nowMs: number): Refusal {
  if (failures.length === 0) return noImageFound.refusal;
  if (failures.some(({ isOutage }) => isOutage)) return serviceUnavailable;
  const retryAtMs = Math.min(...failures.map((failure) => failure.retryAtMs ?? Infinity));
  const retry = retryAtMs !== Infinity && { retryAfterS: computeSecondsUntil(retryAtMs, nowMs) };
  return { code: 'upstream_unavailable', ...retry };
}

/** Obtains an image of the fallback provider; `undefined` if it has none, or if no such provider is set. */
async function obtainFallbackImage(
  services: StockServices,
  lookup: WordLookup,
): Promise<ImageOutcome | undefined> {
  const { fallbackProvider } = services.stockSettings;
  if (fallbackProvider === undefined) return undefined;
  services.telemetry.info(unreachedMessage);
  const provider = services.findProvider(fallbackProvider);
  const { found } = await obtainChoice(services, lookup, provider);
  if (!found) return undefined;
  const slotChoice = { slot: lookup.request.source, provider, ...found };
  const delivery = await deliverChoice(services, lookup, slotChoice);
  return delivery.outcome === 'none' ? undefined : delivery;
}
