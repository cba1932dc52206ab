/** The services of stock images: the operator's settings, and the memory of an instance. */

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
import type { ChoiceSearch } from './search/search-types';
import type { StockProvider } from './stock-provider';

/** The operator's settings of stock images. */
export interface StockSettings {
  readonly bindings: SlotBindings;
  /** With `own`, images that a provider could crop are fetched and delivered as renditions, too. */
  readonly imageDelivery: ImageDelivery;
  /** URL below which the service delivers its own images, without a trailing slash. */
  readonly imageBaseUrl: string;
  /** Base URLs that replace a provider's own: fake providers. */
  readonly endpoints: Readonly<Partial<Record<StockProviderName, string>>>;
  /** The provider that is asked while none of the slots is reached; absent where none is. */
  readonly fallbackProvider?: StockProviderName | undefined;
}

/** The log's message for an image of the fallback provider. */
export const unreachedMessage = 'No stock provider is reached';

/** The item of an image that a request is answered with. */
export interface AnswerItem {
  readonly image: ServedImage;
  /** The provider of the image; absent for a card. */
  readonly provider?: StockProviderName | undefined;
  /** Moment (epoch, milliseconds) until which the image answers the request. */
  readonly endsMs: number;
}

/** The memory of an instance for stock images, which may be lost at any time. */
export interface StockMemory {
  readonly answers: ExpiringCache<AnswerItem>;
  /** Images whose items were written today, and uses that were reported today, by their keys. */
  readonly doneToday: ExpiringCache<true>;
  readonly breakers: Map<string, Breaker>;
  readonly searching: Running<ChoiceSearch>;
}

/** Makes the memory of an instance that starts: 2,000 answers of a kilobyte each, and 5,000 keys. */
export function createStockMemory(): StockMemory {
  return {
    answers: createExpiringCache(2_000),
    doneToday: createExpiringCache(5_000),
    breakers: new Map(),
    searching: new Map(),
  };
}

/** The services of a known image: the cache table, and the memory of the instance. */
export interface AnswerServices extends DatabaseServices {
  readonly tables: { readonly cache: string };
  readonly telemetry: Telemetry;
  readonly stockSettings: StockSettings;
  readonly stockMemory: StockMemory;
}

/** The services of an unknown image: also providers, the renderer, and the tables of images and limits. */
export interface StockServices extends AnswerServices, Omit<LimitServices, 'tables'> {
  readonly ids: Ids;
  readonly tables: { readonly cache: string; readonly images: string; readonly quotaCounters: string };
  readonly renderer: Renderer;
  readonly imageDomain: Pick<ImageDomain, 'baseUrl'>;
  /** Hands over a use, to be reported after the request is answered. Rejects when that fails. */
  readonly handOverUse: (use: Omit<UseReport, 'kind'>) => Promise<void>;
  readonly findProvider: (name: StockProviderName) => StockProvider;
}

/** Orders the slots as a request tries them: its own first, and each provider once. */
export function orderSlots(bindings: SlotBindings, preferred: StockSlot): readonly StockSlot[] {
  const ordered = [preferred, ...stockSlots];
  const names = ordered.map((slot) => bindings[slot]);
  return ordered.filter((slot, index) => names.indexOf(bindings[slot]) === index);
}
