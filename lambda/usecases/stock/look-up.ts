/** Looks a picture up: slot by slot, each provider asked once, the first fitting picture wins and is remembered. */

import { orientationOf, type RenditionFormat, type ServedPicture } from '../../domain/image';
import { identityOf, type StockRequest } from '../../domain/image-request';
import { type StockSlot, slotsFrom } from '../../domain/slot';
import type { Background } from '../../ports/background';
import type { Clock, Ids } from '../../ports/clock';
import type { Delivery } from '../../ports/delivery';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { Renderer } from '../../ports/renderer';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import { createAsk } from './ask-provider';
import { createBudget } from './budget';
import { createCandidates, type Supply } from './candidates';
import { createCircuit } from './circuit';
import { createCoalescer } from './coalesce';
import { DeadlineReached, withDeadline } from './deadline';
import { createPlace } from './place-candidate';
import { bindingsOf, type KeptAnswer, resolutionKey, type StockLookup } from './resolve-stock';

/** How long a fallback's picture is kept, in milliseconds, so that the asked slot takes over again. */
const fallbackFreshForMs = 300_000;
/** How long a picture from an answer that has gone stale is kept, in milliseconds. */
const staleFreshForMs = 60_000;

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
  const bindings = bindingsOf(slots);
  const budget = createBudget(deps);
  const ask = createAsk({ ...deps, circuit: createCircuit(deps), budget });
  const candidates = createCandidates({ ...deps, ask });
  const place = createPlace(deps);
  const joined = createCoalescer<KeptAnswer>();

  /** The picture of one slot, or whether it failed; and whether its provider had to be asked. */
  const fromSlot = async (
    slot: StockSlot,
    request: StockRequest,
    format: RenditionFormat,
    deadlineMs: number,
  ) => {
    const provider = slots[slot];
    const query = { words: identityOf(request.query), orientation: orientationOf(request) };
    let supply: Supply;
    try {
      supply = await candidates.supply(provider, query, deadlineMs);
    } catch (error) {
      telemetry.error('A stock lookup failed', error, { provider: provider.name });
      return { asked: false, failed: true };
    }
    const { offer, isStale, asked } = supply;
    if (!offer) return { asked, failed: true };
    const nowMs = clock.nowMs();
    const usable = offer.value.candidates.filter(({ id }) => (offer.value.unusable[id] ?? 0) <= nowMs);
    const { found, unusable, rendererFailed } = await place(provider, usable, request, format, deadlineMs);
    if (unusable.length > 0) await candidates.markUnusable(provider, query, offer, unusable);
    if (!found) return { asked, failed: isStale || rendererFailed };
    const { widthPx, heightPx } = request;
    const { candidate, location, reportUrl } = found;
    const picture: ServedPicture = {
      location,
      widthPx,
      heightPx,
      source: slot,
      attribution: candidate.attribution,
    };
    // A use that cannot be reported any more must not happen.
    if (reportUrl !== undefined && !(await budget.take(provider))) {
      telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
      return { asked, failed: true };
    }
    const usage = reportUrl && ({ kind: 'report-use', provider: provider.name, url: reportUrl } as const);
    const freshUntilMs = isStale ? clock.nowMs() + staleFreshForMs : offer.freshUntilMs;
    return { asked, failed: false, picture, freshUntilMs, ...(usage && { usage }) };
  };

  const resolve = async (
    request: StockRequest,
    format: RenditionFormat,
    deadlineMs: number,
  ): Promise<KeptAnswer> => {
    let asked = false;
    let failed = false;
    for (const slot of distinctSlots(slots, request.provider)) {
      const result = await fromSlot(slot, request, format, deadlineMs);
      asked ||= result.asked;
      failed ||= result.failed;
      if (!('picture' in result) || !result.picture) continue;
      const { usage } = result;
      const fallbackEndsMs = slot === request.provider ? Infinity : clock.nowMs() + fallbackFreshForMs;
      const freshUntilMs = Math.min(result.freshUntilMs, fallbackEndsMs);
      const picture: ServedPicture = { ...result.picture, keepUntilMs: freshUntilMs };
      const kept = { value: picture, freshUntilMs, staleUntilMs: freshUntilMs };
      await keep(resolutionKey(request, format, bindings), kept);
      return {
        answer: { outcome: 'found', picture, cache: asked ? 'MISS' : 'HIT', ...(usage && { usage }) },
        kept,
      };
    }
    return { answer: { outcome: failed ? 'unavailable' : 'none' } };
  };

  const keep = async (key: string, kept: Cached<ServedPicture>) => {
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
        telemetry.count('usageReports', { outcome: 'handed-over' });
      } catch (error) {
        telemetry.count('usageReports', { outcome: 'lost' });
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

/** The same picture for one who waited: it neither asked nor uses it afresh. */
function asFollower({ answer }: KeptAnswer): KeptAnswer {
  if (answer.outcome !== 'found') return { answer };
  return { answer: { outcome: 'found', picture: answer.picture, cache: 'HIT' } };
}
