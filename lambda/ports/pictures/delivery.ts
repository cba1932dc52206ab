/** Turns a path of the image library into an address that a browser can load. */

export interface Delivery {
  /** The lasting address of a public picture. */
  publicUrl(path: string): string;
  /**
   * An address that only its holder can use, until it expires. The expiry is rounded up to a fixed window, so that the
   * same picture has the same address for that window and browsers can cache it.
   * @throws when the signing key cannot be had.
   */
  signedUrl(path: string, nowMs: number): Promise<{ readonly url: string; readonly endsMs: number }>;
}
