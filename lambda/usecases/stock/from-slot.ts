/** The image that one slot has for a request. */

import type { StockSlot } from '../../contract/providers';
import { orientationOf, type RenditionFormat, type ServedImage } from '../../domain/image/image';
import { identityOf, type StockRequest } from '../../domain/request/image-request';
import type { Clock } from '../../ports/clock';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Candidates, Supply } from './candidates';
import type { Place } from './select-candidate';

/** How long an image from an answer that has gone stale is kept, in milliseconds. */
const staleFreshForMs = 60_000;

interface SlotResult {
  /** Whether this very request caused the provider to be asked. */
  readonly asked: boolean;
  readonly failed: boolean;
  readonly found?: {
    readonly image: ServedImage;
    readonly freshUntilMs: number;
    readonly reportUrl?: string;
  };
}

export interface FromSlotDeps {
  readonly slots: Readonly<Record<StockSlot, StockProvider>>;
  readonly candidates: Candidates;
  readonly place: Place;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** Never throws: whatever goes wrong is a failure of the slot. */
export type FromSlot = (
  slot: StockSlot,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
) => Promise<SlotResult>;

export function createFromSlot({ slots, candidates, place, clock, telemetry }: FromSlotDeps): FromSlot {
  return async (slot, request, format, deadlineMs) => {
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
    const image: ServedImage = {
      location,
      widthPx,
      heightPx,
      source: slot,
      attribution: candidate.attribution,
    };
    const freshUntilMs = isStale ? clock.nowMs() + staleFreshForMs : offer.freshUntilMs;
    return {
      asked,
      failed: false,
      found: { image, freshUntilMs, ...(reportUrl !== undefined && { reportUrl }) },
    };
  };
}
