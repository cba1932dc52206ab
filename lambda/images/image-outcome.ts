/** The outcome of finding or making an image. It does not know the payment, which the answer adds. */

import type { Refusal } from '../problems/problem';
import type { ServedImage } from './image';

/** A request without an image, and the reason. */
export interface RefusedOutcome {
  readonly outcome: 'refused';
  readonly refusal: Refusal;
}

/** An image, or the reason for none. */
export type ImageOutcome =
  | { readonly outcome: 'served'; readonly image: ServedImage; readonly cache: 'HIT' | 'MISS' }
  | RefusedOutcome;
