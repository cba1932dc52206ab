/** Looks an image up: slot by slot, each provider asked once, the first fitting image wins and is remembered. */

import type { UsageReport } from '../../contract/messages/background-job';
import type { StockSlot } from '../../contract/providers';
import type { RenditionFormat, ServedImage } from '../../domain/image/image';
import type { StockRequest } from '../../domain/request/image-request';
import { slotsFrom } from '../../domain/request/slot';
import type { Background } from '../../ports/background';
import type { Clock, Ids } from '../../ports/clock';
import type { Delivery } from '../../ports/delivery';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { Renderer } from '../../ports/renderer';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import { createAsk } from './ask-provider';
import { createBudget } from './budget';
import { createCandidates } from './candidates';
import { createCircuit } from './circuit';
import { createClaimUse } from './claim-use';
import { createCoalescer } from './coalesce';
import { DeadlineReached, withDeadline } from './deadline';
import { createFromSlot } from './from-slot';
import { bindingsOf, type KeptAnswer, resolutionKey, type StockLookup } from './resolve-stock';
import { createPlace } from './select-candidate';

/** How long a fallback's image is kept, in milliseconds, so that the asked slot takes over again. */
const fallbackFreshForMs = 300_000;

export interface LookupDeps {
  readonly slots: Readonly<Record<StockSlot, StockProvider>>;
  readonly lookups: LookupCache;
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  readonly background: Background;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

export function createStockLookup(deps: LookupDeps): StockLookup {
  const { slots, lookups, background, clock, telemetry } = deps;
  const bindings = bindingsOf((slot) => slots[slot].name);
  const budget = createBudget(deps);
  const ask = createAsk({ ...deps, circuit: createCircuit(deps), budget });
  const candidates = createCandidates({ ...deps, ask });
  const fromSlot = createFromSlot({ ...deps, candidates, place: createPlace(deps) });
  const claimUse = createClaimUse({ ...deps, budget });
  const joined = createCoalescer<KeptAnswer>();

  const resolve = async (
    request: StockRequest,
    format: RenditionFormat,
    deadlineMs: number,
  ): Promise<KeptAnswer> => {
    const key = resolutionKey(request, format, bindings);
    let asked = false;
    let failed = false;
    for (const slot of distinctSlots(slots, request.provider)) {
      const { found, ...result } = await fromSlot(slot, request, format, deadlineMs);
      asked ||= result.asked;
      failed ||= result.failed;
      if (!found) continue;
      const { reportUrl: url } = found;
      const claim = url === undefined ? undefined : await claimUse(key, slots[slot]);
      if (claim?.outcome === 'unaffordable') {
        failed = true;
        continue;
      }
      const fallbackEndsMs = slot === request.provider ? Infinity : clock.nowMs() + fallbackFreshForMs;
      const freshUntilMs = Math.min(found.freshUntilMs, fallbackEndsMs);
      const image: ServedImage = { ...found.image, keepUntilMs: freshUntilMs };
      const own = { value: image, freshUntilMs, staleUntilMs: freshUntilMs };
      const kept = (claim?.outcome === 'shared' && claim.answered) || own;
      if (claim?.outcome !== 'shared') await keep(key, own);
      const usage: UsageReport | undefined =
        claim?.outcome === 'claimed' && url !== undefined
          ? { kind: 'report-use', provider: slots[slot].name, url }
          : undefined;
      const cache = asked ? 'MISS' : 'HIT';
      return { answer: { outcome: 'found', image: kept.value, cache, ...(usage && { usage }) }, kept };
    }
    return { answer: { outcome: failed ? 'unavailable' : 'none' } };
  };

  const keep = async (key: string, kept: Cached<ServedImage>) => {
    try {
      await lookups.write(key, kept);
    } catch (error) {
      telemetry.error('What a request was answered with was not stored', error);
    }
  };

  return {
    async resolve(request, format, deadlineMs) {
      const key = resolutionKey(request, format, bindings);
      const { result, leads } = joined(key, () => resolve(request, format, deadlineMs));
      if (leads) return result;
      try {
        return asFollower(await withDeadline(clock, deadlineMs, () => result));
      } catch (error) {
        if (error instanceof DeadlineReached) return { answer: { outcome: 'unavailable' } };
        throw error;
      }
    },

    async report(usage) {
      try {
        await background.handOver(usage);
        telemetry.count('usageReports', { provider: usage.provider, outcome: 'handed-over' });
      } catch (error) {
        telemetry.count('usageReports', { provider: usage.provider, outcome: 'lost' });
        telemetry.error('A use was not handed over to be reported', error, { provider: usage.provider });
      }
    },
  };
}

/** The slots to try, without those bound to a provider that an earlier one is bound to. */
function distinctSlots(
  slots: Readonly<Record<StockSlot, StockProvider>>,
  askedFor: StockSlot,
): readonly StockSlot[] {
  const names = new Set<string>();
  return slotsFrom(askedFor).filter((slot) => {
    const isNew = !names.has(slots[slot].name);
    names.add(slots[slot].name);
    return isNew;
  });
}

/** The same image for one who waited: it neither asked nor uses it afresh. */
function asFollower({ answer }: KeptAnswer): KeptAnswer {
  if (answer.outcome !== 'found') return { answer };
  return { answer: { outcome: 'found', image: answer.image, cache: 'HIT' } };
}
