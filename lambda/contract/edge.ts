/** What CloudFront before the API, its function and the functions behind the API agree on. */

/** Longest times for an answer that shared caches may keep, in seconds. */
export const sharedCachingS = { fresh: 86_400, staleWhileRevalidate: 86_400, staleIfError: 604_800 } as const;

/** The image format that the origin makes of `Accept`; part of the cache key. */
const imageFormat = 'x-image-format';
/** `none`, or the id of a request with a key in a header, which shares no answer; part of the cache key. */
const keyedId = 'x-keyed-request';

/**
 * Headers that the edge sets on every request to the API, whatever the viewer sent by these names. CloudFront takes none
 * that begins with X-Edge, X-Amz or X-Real.
 */
export const edgeHeaders = {
  /** Secret of the distribution, which proves that a request came through it. */
  lock: 'x-origin-lock',
  /** IP address of the viewer. */
  viewerIp: 'x-viewer-ip',
  format: imageFormat,
  keyedRequest: keyedId,
} as const;

/** The headers in the cache key, beside the path and the query string. */
export const edgeKeyHeaders = [imageFormat, keyedId] as const;
