/** The search for a stock image in types: what is asked for, its steps, the choice, what is found, and the answer that is kept. */

import type { ServedImage } from '../images/image';
import type { Entry } from '../images/picked-images';
import type { Refusal } from '../problems/problem';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import type { StoredItem } from './items';
import type { SearchCaller } from './search-caller';
import type { Subject } from './understand';

/** A search for the image of a request. */
export interface Search {
  readonly request: StockRequest;
  /** What its words ask for. */
  readonly subject: Subject;
  readonly format: RenditionFormat;
  readonly caller: SearchCaller;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** At most 20; empty where the provider has none. */
  readonly entries: readonly Entry[];
  /** How many of them, from the first on, are from earlier searches, so that pages may show them by their place. */
  readonly settled: number;
  /** When the provider was searched (epoch, milliseconds). */
  readonly searchedMs: number;
}

/** One step on the way to an image: a search at a slot, or the delivery of what it found. */
export interface SearchStep {
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Present where something failed, so that another attempt might find an image. */
  readonly failure?: {
    /** A table, or the renderer, had too much to do. */
    readonly isOutage?: boolean;
    /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
    readonly retryMs?: number;
  };
}

/** What came of a search at one provider. */
export interface Searched extends SearchStep {
  /** The choice; absent where the search failed and nothing is kept of an earlier one. */
  readonly kept?: StoredItem<Choice>;
  /** Present where a search is needed, and the caller has searched as often as it may. */
  readonly refusal?: Refusal;
}

/** What a request for a stock image finds. */
export type FoundImage =
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a request to a provider. */
      readonly cache: 'HIT' | 'MISS';
    }
  /** Every provider answered, and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** No image was found: a limit of the caller is used up, or a provider, or the way to it, failed. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly isOfCaller: boolean };

/** An image that a request is answered with. */
export interface KeptAnswer {
  readonly image: ServedImage;
  /** The provider that it comes from. */
  readonly provider: string;
  /** Moment (epoch, milliseconds) until which it answers. */
  readonly endsMs: number;
}
