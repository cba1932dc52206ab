/** The marks of images that are paid for a day or month, so that each is charged once. */

import type { PaidImage } from './paid-image';

/** A mark only ever goes from absent to pending and from there to paid, or back to absent when nothing was charged. */
export type PaidMark =
  | { readonly state: 'absent' | 'paid' }
  | {
      readonly state: 'pending';
      /** Who is about to pay. */
      readonly holder: string;
      /** Moment (epoch, milliseconds) from which it counts as abandoned. */
      readonly endsMs: number;
    };

/**
 * Every write is one conditional update that may be applied twice without harm, and is repeated after a lost answer. All
 * throw when the outcome is still unknown after the last attempt.
 */
export interface PaidImages {
  /** Strongly consistent. */
  read(image: PaidImage): Promise<PaidMark>;
  /**
   * Makes an absent mark pending.
   * @param holder differs for each attempt to pay
   * @returns `begun` to exactly one holder; otherwise the mark that stands there
   */
  begin(image: PaidImage, holder: string, endsMs: number): Promise<'begun' | PaidMark>;
  /** Makes what a holder has pending paid; false when it no longer has it. */
  settle(image: PaidImage, holder: string): Promise<boolean>;
  /** Removes what a holder has pending: nothing was charged. Without effect when it no longer has it. */
  release(image: PaidImage, holder: string): Promise<void>;
}
