/** The types of a search for a stock image: its request, its steps, and the choices that it finds. */

import type { StockSlot } from '../../contract/providers';
import type { AccountId } from '../../credentials/caller';
import type { BatchSlot } from '../../images/batch-slot';
import type { ChoiceEntry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { WorkContext } from '../../quota/take';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../subject';

/** The context of a search. */
export interface SearchContext extends WorkContext {
  readonly format: RenditionFormat;
  /** Absent for callers without a key. */
  readonly account?: AccountId;
  /** The slot of a batch that shows the image. */
  readonly batchSlot?: BatchSlot | undefined;
  /** Whether the image was paid before this request: then no search is counted. */
  readonly isPaidBefore: boolean;
  /** Whether a rendition was counted for this very request in the last day: then none is counted again. */
  readonly isRenditionCounted: boolean;
}

/** A search for a stock image by words or by a pick. */
export interface StockSearch {
  readonly request: StockRequest;
  readonly context: SearchContext;
}

/** A search by words. */
export interface WordSearch extends StockSearch {
  readonly subject: Subject;
}

/** A step of a search that has ended. */
export interface SearchStep {
  /** `search`: for the choice of a slot. `delivery`: of an image that was found. */
  readonly kind: 'search' | 'delivery';
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Whether the step has taken a unit of the caller's work, which stays counted. */
  readonly isCounted?: boolean;
  /** Present where the step failed: a later attempt might find an image. */
  readonly failure?:
    | {
        readonly isOutage?: boolean;
        /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
        readonly retryMs?: number | undefined;
      }
    | undefined;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** There are at most 20, and none where the provider has none. */
  readonly entries: readonly ChoiceEntry[];
  /** Number of entries, from the first on, of earlier searches: pages may show them by their seeds. */
  readonly keptCount: number;
  readonly searchedMs: number;
}

/** A choice with the version of its item. */
export interface FoundChoice {
  readonly choice: Choice;
  /** Absent where it is not stored: of the operator's photographs, or while the table does not answer. */
  readonly version?: string;
}

/** The choice of a stock slot. */
export interface SlotChoice extends FoundChoice {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** The search for the choice of a provider, as it has ended. */
export interface ChoiceSearch extends SearchStep {
  readonly kind: 'search';
  /** Absent where the search failed or was refused, and no earlier choice stands in. */
  readonly found?: FoundChoice | undefined;
  readonly refusal?: Refusal;
}
