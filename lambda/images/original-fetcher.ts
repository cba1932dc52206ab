/** Fetches an image from another server, from allowed hosts only. */

export type FetchedOriginal =
  | { readonly outcome: 'fetched'; readonly bytes: Uint8Array }
  /** Gone, too large, no image, or behind a redirect to a host that is not allowed. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: 'unanswered' };

/**
 * @param allowedHosts hosts that the URL and every redirect may name; a local fake provider is named with its port
 * @throws when the signal is aborted.
 */
export type OriginalFetcher = (
  url: string,
  allowedHosts: readonly string[],
  signal: AbortSignal,
) => Promise<FetchedOriginal>;
