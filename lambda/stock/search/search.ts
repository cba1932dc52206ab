/** The types of a search for a stock image. */

import type { ServedImage } from '../../images/image';
import type { Entry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { StoredItem } from '../items';
import type { Subject } from '../subject';
import type { SearchCaller } from './search-caller';

/** The stock image that a request asks for, by words or by a pick. */
export interface PhotoRequest {
  readonly request: StockRequest;
  readonly format: RenditionFormat;
  readonly caller: SearchCaller;
}

/** A search for the image of a request. */
export interface SearchRequest extends PhotoRequest {
  /** The subject of its words. */
  readonly subject: Subject;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** At most 20; empty where the provider has none. */
  readonly entries: readonly Entry[];
  /** Number of entries, from the first on, of earlier searches: pages may show them by their place. */
  readonly settled: number;
  /** Moment at which the provider was searched (epoch, milliseconds). */
  readonly searchedMs: number;
}

/** One step of a search: searching at a slot, or delivering an image that was found. */
export interface SearchStep {
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Present where the step failed: a later attempt might find an image. */
  readonly failure?: {
    /** A table does not answer, or the renderer is busy. */
    readonly isOutage?: boolean;
    /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
    readonly retryMs?: number;
  };
}

/** The outcome of searching one provider. */
export interface ProviderResult extends SearchStep {
  /** The choice; absent where the search failed and no earlier choice is kept. */
  readonly kept?: StoredItem<Choice>;
  /** Present where a search is needed, and the caller's work of the hour is used up. */
  readonly refusal?: Refusal;
}

/** The outcome of a request for a stock image. */
export type SearchOutcome =
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a request to a provider. */
      readonly cache: 'HIT' | 'MISS';
    }
  /** Every provider has answered, and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** No image: a limit of the caller is used up (`isOfCaller`), or a provider or the way to it failed. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly isOfCaller: boolean };

/** An image that a request is answered with. */
export interface KeptAnswer {
  readonly image: ServedImage;
  /** The provider of the image. */
  readonly provider: string;
  /** Moment (epoch, milliseconds) until which the image answers the request. */
  readonly endsMs: number;
}
