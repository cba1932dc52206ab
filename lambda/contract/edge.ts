/** Headers and caching times that CloudFront and the functions behind it share. */

/** Longest that shared caches keep an answer, in seconds. */
export const sharedCachingS: Readonly<Record<'fresh' | 'staleWhileRevalidate' | 'staleIfError', number>> = {
  fresh: 86_400,
  staleWhileRevalidate: 86_400,
  staleIfError: 604_800,
};

/**
 * Longest that a shared cache keeps an answer to a site key, in seconds. The authorizer remembers a key for
 * the same time. A revoked key is thus refused after both. While the service fails, it may take
 * `staleIfError` more.
 */
export const siteCachingS = 30;

/**
 * Headers that the distribution sets on every request. They replace those of the viewer. The API believes
 * them only with `proof`. CloudFront refuses names that begin with X-Edge, X-Amz or X-Real.
 */
export const edgeHeaders = {
  /** The secret of the distribution. It proves that a request came through it. */
  proof: 'x-distribution-proof',
  viewerIp: 'x-viewer-ip',
  /** The names of the first ten unknown parameters: percent-encoded, separated by commas. */
  dropped: 'x-dropped-parameters',
  page: 'x-page',
} as const;
