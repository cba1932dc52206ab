/** States the rate limit status of a caller in both header families, which always agree. */

import { isoSeconds } from '../domain/iso-seconds';
import type { RateLimitStatus } from '../domain/quota/quota';
import { secondsLeft } from '../domain/quota/window';

/**
 * The `X-RateLimit-*` headers and the IETF fields (draft-ietf-httpapi-ratelimit-headers). Window lengths and the time
 * left are whole seconds.
 */
export function rateHeaders(
  { limit, remaining, window }: RateLimitStatus,
  nowMs: number,
): Record<string, string> {
  const lengthS = (window.endMs - window.startMs) / 1_000;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': isoSeconds(window.endMs),
    'RateLimit-Policy': `"${window.kind}";q=${limit};w=${lengthS}`,
    RateLimit: `"${window.kind}";r=${remaining};t=${secondsLeft(window, nowMs)}`,
  };
}
