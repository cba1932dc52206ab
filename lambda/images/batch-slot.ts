/** The slot of a batch, as the code that finds its image sees it. */
export interface BatchSlot {
  /**
   * Reserves an image before work is taken for it.
   * @returns false if another slot shows the image, or if the caller excluded it
   */
  reserve(pick: string): Promise<boolean>;
  /** True if the last call of `reserve` returned false. */
  readonly isDuplicate: boolean;
}
