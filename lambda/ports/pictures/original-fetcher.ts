/** Fetches a picture from someone else's server, from allowed hosts only. */

export type FetchedOriginal =
  | { readonly outcome: 'fetched'; readonly bytes: Uint8Array }
  /** Gone, too large, no picture, or behind a redirect to a host that is not allowed. */
  | { readonly outcome: 'unusable'; readonly reason: string };

/**
 * @param allowedHosts hosts that the address and every redirect may name; a local twin is named with its port
 * @throws when the signal is aborted.
 */
export type OriginalFetcher = (
  url: string,
  allowedHosts: readonly string[],
  signal: AbortSignal,
) => Promise<FetchedOriginal>;
