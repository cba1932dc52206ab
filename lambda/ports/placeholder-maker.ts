/** Makes the placeholder of an image that the service does not render itself. */

import type { PlaceholderOrder } from '../contract/messages/renderer-job';
import type { Placeholder, Size } from '../domain/image/image';

export interface PlaceholderMaker {
  /**
   * @param ratio size whose ratio the placeholder has
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer
   * @throws when it was not made by then, or the text is no BlurHash
   */
  ofBlurHash(blurHash: string, ratio: Size, deadlineMs: number): Promise<Placeholder>;
  /**
   * Makes and stores the placeholder of an image at once, for a caller that asks for nothing else.
   * @throws when it was not made by the deadline, or the image cannot be read
   */
  ofImage(order: PlaceholderOrder, deadlineMs: number): Promise<Placeholder>;
}
