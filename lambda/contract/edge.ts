/** Headers and caching times that CloudFront and the functions behind it share. */

/** Longest that shared caches keep an answer, in seconds. */
export const sharedCachingS: Readonly<Record<'fresh' | 'staleWhileRevalidate' | 'staleIfError', number>> = {
  fresh: 86_400,
  staleWhileRevalidate: 86_400,
  staleIfError: 604_800,
};

/**
 * Longest that a shared cache keeps an answer to a site key, in seconds. The authorizer remembers a key for as
 * long, so a revoked key is refused everywhere after both; while the service fails, after `staleIfError` more.
 */
export const siteCachingS = 30;

/**
 * Headers that the distribution sets on every request, over those that the viewer sent. They are believed
 * where `proof` comes with them. CloudFront takes no names that begin with X-Edge, X-Amz or X-Real.
 */
export const edgeHeaders = {
  /** The secret of the distribution, which proves that a request came through it. */
  proof: 'x-distribution-proof',
  viewerIp: 'x-viewer-ip',
  /** Names of the first ten unknown parameters, percent-encoded, with commas between them. */
  dropped: 'x-dropped-parameters',
  page: 'x-page',
} as const;
