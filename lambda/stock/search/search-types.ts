/** A search has steps: it finds the choice of a slot, and then delivers an image of that choice. */

import type { StockSlot } from '../../contract/providers';
import type { AccountId } from '../../credentials/caller';
import type { BatchMember } from '../../images/batch-member';
import type { ChoiceEntry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { WorkContext } from '../../quota/take';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../subject';

export interface SearchContext extends WorkContext {
  readonly format: RenditionFormat;
  /** Absent for callers without a key. */
  readonly account?: AccountId;
  /** The slot of a batch that shows the image. */
  readonly batchMember?: BatchMember | undefined;
  /** True if the image was paid before this request. Then no search is counted. */
  readonly isPaidBefore: boolean;
  /** True if a rendition was counted for this request in the last day. Then none is counted again. */
  readonly isRenditionCounted: boolean;
}

/** A search for a stock image by words or by a pick. */
export interface StockSearch {
  readonly request: StockRequest;
  readonly context: SearchContext;
  /** The steps that have ended. */
  readonly steps: SearchStep[];
}

export interface WordSearch extends StockSearch {
  readonly subject: Subject;
}

/** A step of a search. */
export interface SearchStep {
  /** `search`: finds the choice of a slot. `delivery`: delivers one image. */
  readonly kind: 'search' | 'delivery';
  /** Requests that were sent to a provider, attempts included; absent if none was sent. */
  readonly requests?: number;
  /** True if the step has taken a unit of the caller's work and has not given it back. */
  readonly isCounted?: boolean;
  /**
   * Present if the step failed. A later request might find an image. `retryMs`: moment from which the
   * provider may be asked again; absent if unknown.
   */
  readonly failure?: { readonly isOutage?: boolean; readonly retryMs?: number | undefined } | undefined;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** At most 20; empty if the provider has no image. */
  readonly entries: readonly ChoiceEntry[];
  /** Number of first entries that earlier searches found. Pages may show them, so they keep their places. */
  readonly keptCount: number;
  readonly searchedMs: number;
}

export interface FoundChoice {
  readonly choice: Choice;
  /** Absent if the choice is not stored: for the operator's photographs, or if the table fails. */
  readonly version?: string;
}

export interface SlotChoice extends FoundChoice {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** The result of the search for a provider's choice. */
export interface ChoiceSearch extends SearchStep {
  readonly kind: 'search';
  /** Absent if the search failed or was refused, and there is no older choice. */
  readonly found?: FoundChoice | undefined;
  readonly refusal?: Refusal;
}
