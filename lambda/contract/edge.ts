/** What CloudFront before the API, its function and the functions behind the API agree on. */

/** Longest times for an answer that shared caches may keep, in seconds. */
export const sharedCachingS: Readonly<Record<'fresh' | 'staleWhileRevalidate' | 'staleIfError', number>> = {
  fresh: 86_400,
  staleWhileRevalidate: 86_400,
  staleIfError: 604_800,
};

/**
 * Longest time for an answer to a site key, in seconds: the authorizer knows a key for 30 seconds, so that a revoked one
 * is refused everywhere within 60.
 */
export const siteCachingS = 30;

/**
 * Headers that the distribution sets on every request to the API, whatever the viewer sent by these names. CloudFront takes
 * none that begins with X-Edge, X-Amz or X-Real. They are believed where the first comes with them.
 */
export const edgeHeaders = {
  /** Secret of the distribution, which proves that a request came through it. */
  proof: 'x-distribution-proof',
  /** IP address of the viewer. */
  viewerIp: 'x-viewer-ip',
  /** Names of the first ten parameters that are not recognised, percent-encoded, with commas between them. */
  dropped: 'x-dropped-parameters',
  /** Origin of the page that asks with a site key; part of the cache key. */
  page: 'x-page',
} as const;
