/** Answers with the small image that stands in for another until it is loaded. */

import type { Placeholder, ServedImage } from '../domain/image/image';
import type { RateLimitStatus } from '../domain/quota/quota';
import type { HttpResponse } from './http-response';
import { rateHeaders } from './rate-headers';

/** It never changes, because its image never does. */
const lastingS = 31_536_000;

export function placeholderResponse(
  image: ServedImage & { readonly placeholder: Placeholder },
  cache: 'HIT' | 'MISS',
  rateLimit: RateLimitStatus,
  nowMs: number,
): HttpResponse {
  const { placeholder, source, locationEndsMs } = image;
  // A URL that ends belongs to a private image.
  const scope = locationEndsMs === undefined ? 'public' : 'private';
  return {
    status: 200,
    headers: {
      'X-Cache': cache,
      'X-Image-Source': source,
      'X-Image-Color': placeholder.color,
      'X-Image-ThumbHash': placeholder.thumbhash,
      ...rateHeaders(rateLimit, nowMs),
      'Cache-Control': `${scope}, max-age=${lastingS}, immutable`,
      ...(scope === 'private' ? { Vary: 'X-API-Key' } : {}),
      'Content-Type': 'image/webp',
    },
    body: placeholder.dataUri.slice(placeholder.dataUri.indexOf(',') + 1),
    isBase64: true,
  };
}
