/** Turns a path of the image library into a URL that a browser can load. */

import type { DeliveryUrl } from './image';
import type { LibraryPath } from './library-path';

/** The URLs of the image library's files. */
export interface Delivery {
  /** The lasting URL of a public image. */
  publicUrl(path: LibraryPath): DeliveryUrl;
  /**
   * A URL that only its holder can use, until it expires. The expiry is rounded up to a fixed window, so that the
   * same image has the same URL for that window and browsers can cache it.
   * @throws when the signing key cannot be had.
   */
  signedUrl(
    path: LibraryPath,
    nowMs: number,
  ): Promise<{ readonly url: DeliveryUrl; readonly endsMs: number }>;
}
