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

/** The image format that the origin makes of `Accept`; part of the cache key. */
const imageFormat = 'x-image-format';
/** Who may be given the same answer: all, the pages of an origin (site keys), or one request (keys); part of the cache key. */
const audienceHeader = 'x-audience';

/**
 * Headers that the edge sets on every request to the API, whatever the viewer sent by these names. CloudFront takes none
 * that begins with X-Edge, X-Amz or X-Real.
 */
export const edgeHeaders = {
  /** Secret of the distribution, which proves that a request came through it. */
  lock: 'x-origin-lock',
  /** IP address of the viewer. */
  viewerIp: 'x-viewer-ip',
  /** Names of the first ten parameters that are not recognised, percent-encoded, with commas between them. */
  dropped: 'x-dropped-parameters',
  format: imageFormat,
  audience: audienceHeader,
} as const;

/** The headers in the cache key, beside the path and the query string. */
export const edgeKeyHeaders = [imageFormat, audienceHeader] as const;
