/** Types of a search for a stock image: its request, its state between two steps, and its outcome. */

import { requestsPerSearchMax } from '../../contract/providers';
import type { ServedImage } from '../../images/image';
import type { ChoiceEntry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { Unit } from '../../quota/take';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { StoredItem } from '../items';
import type { Subject } from '../subject';
import type { SearchCaller } from './search-caller';

/** A request for a stock image, by words or by a pick. */
export interface PhotoRequest {
  readonly request: StockRequest;
  readonly format: RenditionFormat;
  readonly caller: SearchCaller;
}

/** A request by words. */
export interface SearchRequest extends PhotoRequest {
  readonly subject: Subject;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** At most 20; empty where the provider has none. */
  readonly entries: readonly ChoiceEntry[];
  /** Number of entries, from the first on, of earlier searches: pages may show them by their place. */
  readonly settled: number;
  /** When the provider was searched (epoch, milliseconds). */
  readonly searchedMs: number;
}

/** A part of a search: searching at a slot, or delivering an image that was found. */
export interface SearchStep {
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Present where the step failed: a later attempt might find an image. */
  readonly failure?: {
    /** A table does not answer, or the renderer is busy. */
    readonly isOutage?: boolean | undefined;
    /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
    readonly retryMs?: number | undefined;
  };
}

/** What a request has sent and counted so far. Nothing changes it: each step returns the one after it. */
export interface SearchState {
  readonly steps: readonly SearchStep[];
  readonly searchWork: SearchWork;
  readonly renditionWork: RenditionWork;
}

/** The unit of a search, or its refusal, which all slots share; `none` for an image that is paid. */
export type SearchWork = 'none' | 'due' | 'taken' | Refusal;

/** The units of a rendition, which all candidates share; `none` where this request had it made before. */
export type RenditionWork = 'none' | 'due' | readonly Unit[];

/** The outcome of searching one provider. */
export interface ProviderResult extends SearchStep {
  /** The choice; absent where the search failed or was refused, and no earlier choice is kept. */
  readonly kept?: StoredItem<Choice>;
  /** Present where the search took a unit, or was refused one. */
  readonly searchWork?: SearchWork;
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

/** The state before the first step. */
export function initialState({ isMade, isPaid }: SearchCaller): SearchState {
  return { steps: [], searchWork: isPaid ? 'none' : 'due', renditionWork: isMade ? 'none' : 'due' };
}

/** Provider requests that are left for the next step. Those to a slot that failed do not count. */
export function requestsLeft({ steps }: SearchState): number {
  const sent = steps.reduce((sum, { requests, failure }) => sum + (failure ? 0 : requests), 0);
  return Math.max(0, requestsPerSearchMax - sent);
}
