import type { ConcurrencyBound } from '../base/concurrency';

/** An image of a batch. It must not show what another image of the batch shows. */
export interface BatchMember {
  /**
   * Reserves an image before work is taken for it.
   * @returns false if another member shows the image, or if the caller excluded it
   */
  reserve(pick: string): Promise<boolean>;
  /** True if the last call of `reserve` returned false. */
  readonly isDuplicate: boolean;
  /** Lets the images of the batch be charged one at a time. */
  readonly charging: ConcurrencyBound;
}
