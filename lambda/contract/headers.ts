/** The headers that every answer carries, and those that browser scripts may read. */

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

/** Headers of every answer, of a function or of the gateway: images are used by pages of any origin. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * What the answer to a CORS preflight adds, of a function or of the gateway. Browsers may keep it for a day.
 * @param methods of the route
 */
export function corsHeadersFor(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version',
    'Access-Control-Max-Age': '86400',
    Allow: methods.join(', '),
  };
}
