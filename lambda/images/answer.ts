/** Declares the answer to a request for an image, as who finds or makes it gives it: its payment is not known. */

import type { Refusal } from '../problems/problem';
import type { ServedImage } from './image';

/** A request without an image, and the reason. */
export interface UnpaidRefusal {
  readonly outcome: 'refused';
  readonly refusal: Refusal;
}

/** An image, or the reason for none. */
export type UnpaidAnswer =
  | { readonly outcome: 'served'; readonly image: ServedImage; readonly cache: 'HIT' | 'MISS' }
  | UnpaidRefusal;

/** Whether a request found no image, so that another source or an AI image may be asked. */
export const isMissed = (answer: UnpaidAnswer): answer is UnpaidRefusal =>
  answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';
