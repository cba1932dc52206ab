/** What is found of stock images: choices, what searches met, images, and the answers that are kept of them. */

import type { Candidate, Fit, ServedImage } from '../images/image';
import type { Refusal } from '../problems/problem';
import type { StoredItem } from './items';

/** One image of a choice, with all that is needed to deliver it in any size. */
export interface Entry {
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** When its provider last said that it has it (epoch, milliseconds). */
  readonly checkedMs: number;
}

/** The images of a provider for some words, best first. */
export interface Choice {
  /** At most `entriesMax`; empty where the provider has none. */
  readonly entries: readonly Entry[];
  /** When the provider was searched (epoch, milliseconds). */
  readonly searchedMs: number;
}

/** What a search met at a provider. */
export interface Met {
  /** Requests that were sent to it, attempts included. */
  readonly requests: number;
  /** It failed, so another attempt might find an image. */
  readonly isFailed?: boolean;
  /** A table did not answer, so it was not asked. */
  readonly isOutage?: boolean;
  /** Moment (epoch, milliseconds) before which it is not asked again; present when that failed. */
  readonly retryMs?: number;
  /** It would have to be searched, and the caller has searched as often as it may. */
  readonly refusal?: Refusal;
}

/** What came of a search at one provider. */
export interface Searched extends Met {
  /** Absent where it failed and nothing is kept of an earlier search. */
  readonly kept?: StoredItem<Choice>;
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
export interface Answer {
  readonly image: ServedImage;
  /** The provider that it comes from. */
  readonly provider: string;
  /** Moment (epoch, milliseconds) until which it answers. */
  readonly endsMs: number;
}
