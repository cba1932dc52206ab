/** Answers with the small image that stands in for another until it is loaded. */

import type { Placeholder, ServedImage } from '../images/image';
import type { RateLimitStatus } from '../problems/problem';
import { cachingHeaders, type Publication, rateHeaders } from './answer-headers';
import type { HttpResponse } from './http-response';

interface PlaceholderResponseOptions {
  /** Longest time that a browser may keep it, in seconds: as long as the image that it stands for. */
  readonly maxAgeS: number;
  readonly nowMs: number;
  /** Present for a caller whose credential stands in a page, which may end. */
  readonly publication?: Publication | undefined;
}

/** Status 200 with the placeholder itself, under the same caching rules as a redirect. */
export function placeholderResponse(
  image: ServedImage & { readonly placeholder: Placeholder },
  cache: 'HIT' | 'MISS',
  rateLimit: RateLimitStatus,
  { maxAgeS, nowMs, publication }: PlaceholderResponseOptions,
): HttpResponse {
  const { placeholder, source } = image;
  return {
    status: 200,
    headers: {
      'X-Cache': cache,
      'X-Image-Source': source,
      'X-Image-Color': placeholder.color,
      'X-Image-ThumbHash': placeholder.thumbhash,
      ...rateHeaders(rateLimit, nowMs),
      // It is the same for every format.
      ...cachingHeaders({
        image,
        maxAgeS,
        nowMs,
        publication: publication && { ...publication, variesByAccept: false },
      }),
      'Content-Type': 'image/webp',
    },
    body: placeholder.dataUri.slice(placeholder.dataUri.indexOf(',') + 1),
    isBase64: true,
  };
}
