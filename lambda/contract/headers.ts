/** The response headers that browser scripts may read. */

/** Headers that a browser script may read on every answer. */
export const exposedHeaders = [
  'Location',
  'X-Cache',
  'X-Image-Source',
  'X-Image-Id',
  'X-Image-Attribution',
  'X-Image-Color',
  'X-Image-ThumbHash',
  'X-Image-Fallback',
  'X-Image-Fit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Response-Time',
  'Link',
] as const;
