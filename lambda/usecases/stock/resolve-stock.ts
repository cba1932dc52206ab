/** The stock side as a handler sees it: what is already known, quickly, and what has to be looked up, loaded on first need. */

import type { UsageReport } from '../../contract/messages/background-job';
import { type StockSlot, stockSlots } from '../../contract/providers';
import { createExpiringCache } from '../../domain/expiring-cache';
import type { RenditionFormat, ServedImage } from '../../domain/image/image';
import { fingerprintOf, type StockRequest } from '../../domain/request/image-request';
import type { Clock } from '../../ports/clock';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { Telemetry } from '../../ports/telemetry';

/** Resolutions that one instance remembers: about a kilobyte each. */
const resolutionsRememberedMax = 2_000;

export type StockAnswer =
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a provider to be asked. */
      readonly cache: 'HIT' | 'MISS';
      /** What the provider wants to be told about this use: hand it to `report`. */
      readonly usage?: UsageReport;
    }
  /** Every provider answered and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** No image was found and at least one provider, or the way to it, failed. */
  | { readonly outcome: 'unavailable' };

/** A resolution and how long it may be repeated without another look. */
export interface KeptAnswer {
  readonly answer: StockAnswer;
  /** Present when the answer holds an image worth remembering. */
  readonly kept?: Cached<ServedImage>;
}

/** The slow half: everything that a request needs whose image is not known yet. */
export interface StockLookup {
  resolve(request: StockRequest, format: RenditionFormat, deadlineMs: number): Promise<KeptAnswer>;
  report(usage: UsageReport): Promise<void>;
}

export interface StockResolver {
  /**
   * The image that is known for this very request, from memory or by one read; never asks a provider. It may run
   * beside the metering write. Never throws: a cache that does not answer knows nothing.
   */
  peek(request: StockRequest, format: RenditionFormat): Promise<ServedImage | undefined>;
  /**
   * Finds an image after `peek` found none.
   * @param deadlineMs moment (epoch) by which there is an answer
   */
  resolve(request: StockRequest, format: RenditionFormat, deadlineMs: number): Promise<StockAnswer>;
  /** Hands a use over to be reported to its provider in the background. Never throws. */
  report(usage: UsageReport): Promise<void>;
}

export interface StockDeps {
  readonly lookups: Pick<LookupCache, 'read'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
  /** Which providers stand behind the slots, as a short text. */
  readonly bindings: string;
  /** Loads the slow half, so that a request whose image is known does not pay for it. */
  readonly loadLookup: () => Promise<StockLookup>;
}

/**
 * Key of the item that holds what a request was answered with.
 * @param bindings names which providers stand behind the slots, so that binding another one shows at once
 */
export function resolutionKey(request: StockRequest, format: RenditionFormat, bindings: string): string {
  return `R#${bindings}#${fingerprintOf(request)}#${format}`;
}

/** The names of the providers in the order of their slots. */
export function bindingsOf(nameOf: (slot: StockSlot) => string): string {
  return stockSlots.map(nameOf).join('+');
}

export function createStockResolver({
  lookups,
  clock,
  telemetry,
  bindings,
  loadLookup,
}: StockDeps): StockResolver {
  const remembered = createExpiringCache<Cached<ServedImage>>(resolutionsRememberedMax);
  let loading: Promise<StockLookup> | undefined;

  const remember = (key: string, cached: Cached<ServedImage>) =>
    remembered.set(key, cached, cached.freshUntilMs);

  const lookup = (): Promise<StockLookup> => {
    loading ??= loadLookup().catch((error: unknown) => {
      loading = undefined; // A later request tries again.
      throw error;
    });
    return loading;
  };

  return {
    async peek(request, format) {
      const key = resolutionKey(request, format, bindings);
      const known = remembered.get(key, clock.nowMs());
      if (known) {
        remember(key, known); // Used just now, so it is the last to make room.
        return known.value;
      }
      try {
        const cached = await lookups.read<ServedImage>(key);
        if (!cached || cached.freshUntilMs <= clock.nowMs()) return undefined;
        remember(key, cached);
        return cached.value;
      } catch (error) {
        telemetry.error('The lookup cache did not answer', error);
        return undefined;
      }
    },

    async resolve(request, format, deadlineMs) {
      const { answer, kept } = await (await lookup()).resolve(request, format, deadlineMs);
      if (kept) remember(resolutionKey(request, format, bindings), kept);
      return answer;
    },

    async report(usage) {
      await (await lookup()).report(usage);
    },
  };
}
