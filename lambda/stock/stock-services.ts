/** Lists what a search for a stock image needs: services, settings and the memory of an instance. */

import type { DatabaseServices } from '../aws/dynamodb';
import type { Running } from '../base/concurrency';
import { createExpiringCache, type ExpiringCache } from '../base/expiring-cache';
import type { Ids } from '../base/ids';
import type { Telemetry } from '../base/telemetry';
import { type SlotBindings, type StockProviderName, type StockSlot, stockSlots } from '../contract/providers';
import type { ImageDelivery } from '../contract/settings';
import type { ImageDomain } from '../images/delivery-urls';
import type { ServedImage } from '../images/image';
import type { Renderer } from '../images/renderer';
import type { UseReport } from '../images/renderer-job';
import type { LimitServices } from '../quota/take';
import type { Breaker } from './breaker';
import type { ChoiceResult } from './search/choice';
import type { StockProvider } from './stock-provider';

export interface StockSettings {
  readonly bindings: SlotBindings;
  /** With `own`, the service renders all images, even those that a provider could crop. */
  readonly imageDelivery: ImageDelivery;
  /** URL below which the service delivers its own images, without a trailing slash. */
  readonly imageBaseUrl: string;
  /** Base URLs of fake providers. */
  readonly endpoints: Readonly<Partial<Record<StockProviderName, string>>>;
  /** The provider that is asked if no slot's provider answers. */
  readonly fallbackProvider?: StockProviderName | undefined;
}

/** The message in the log when the fallback provider is asked. */
export const unreachedMessage = 'No stock provider is reached';

/** The memory of an instance. It may be lost at any time. */
export interface StockMemory {
  readonly answers: ExpiringCache<ServedImage>;
  /** The keys of images that were stored today, and of uses that were reported today. */
  readonly writtenLately: ExpiringCache<true>;
  readonly breakers: Map<string, Breaker>;
  readonly runningSearches: Running<ChoiceResult>;
}

/** Makes an empty memory. An answer has a kilobyte, so all answers together have at most 2 MB. */
export function createStockMemory(): StockMemory {
  return {
    answers: createExpiringCache(2_000),
    writtenLately: createExpiringCache(5_000),
    breakers: new Map(),
    runningSearches: new Map(),
  };
}

/** The services that a known image needs. */
export interface AnswerServices extends DatabaseServices {
  readonly tables: { readonly cache: string };
  readonly telemetry: Telemetry;
  readonly stockSettings: StockSettings;
  readonly stockMemory: StockMemory;
}

/** The services that an unknown image needs. */
export interface StockServices extends AnswerServices, Omit<LimitServices, 'tables'> {
  readonly ids: Ids;
  readonly tables: { readonly cache: string; readonly images: string; readonly quotaCounters: string };
  readonly renderer: Renderer;
  readonly imageDomain: Pick<ImageDomain, 'baseUrl'>;
  /** Hands over a use that is reported after the response. Rejects when that fails. */
  readonly handOverUse: (use: Omit<UseReport, 'kind'>) => Promise<void>;
  readonly findProvider: (name: StockProviderName) => StockProvider;
}

/** Orders the slots of a request. The preferred slot is first, and each provider is asked once. */
export function orderSlots(bindings: SlotBindings, preferred: StockSlot): readonly StockSlot[] {
  const slotOrder = [preferred, ...stockSlots];
  const names = slotOrder.map((slot) => bindings[slot]);
  return slotOrder.filter((slot, index) => names.indexOf(bindings[slot]) === index);
}
