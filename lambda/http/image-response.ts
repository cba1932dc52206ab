/** Answers with an image: a redirect, or the same record as JSON. */

import { asciiOf } from '../domain/image/ascii';
import type { ServedImage } from '../domain/image/image';
import { parseUrl } from '../domain/parse-url';
import type { Answer } from '../domain/problem/answer';
import { cachingHeaders, type Publication, rateHeaders } from './answer-headers';
import type { HttpResponse } from './http-response';

export interface ImageResponseOptions {
  /** The record to answer with, status 200; absent for the redirect. */
  readonly record?: object;
  /** Longest time a browser may keep the redirect, in seconds. */
  readonly maxAgeS: number;
  readonly nowMs: number;
  /** Present for a caller whose credential stands in a page: shared caches may keep the answer. */
  readonly publication?: Publication | undefined;
}

export function imageResponse(
  { image, cache, rateLimit }: Extract<Answer, { outcome: 'served' }>,
  { record, maxAgeS, nowMs, publication }: ImageResponseOptions,
): HttpResponse {
  const { attribution } = image;
  // A provider's URL may hold letters or line breaks that a header may not.
  const location = new URL(image.location).href;
  const licenseLink = attribution.license.url && linkTo(attribution.license.url);
  return {
    status: record ? 200 : 302,
    headers: {
      ...(record ? {} : { Location: location }),
      'X-Cache': cache,
      'X-Image-Source': image.source,
      ...(image.fit && { 'X-Image-Fit': image.fit }),
      ...(image.fallback && { 'X-Image-Fallback': image.fallback }),
      ...(image.imageId === undefined ? {} : { 'X-Image-Id': image.imageId }),
      'X-Image-Attribution': headerSafe(attribution.creditLine),
      ...placeholderHeaders(image),
      ...(licenseLink ? { Link: `<${licenseLink}>; rel="license"` } : {}),
      ...rateHeaders(rateLimit, nowMs),
      ...cachingHeaders({ image, maxAgeS, nowMs, publication }),
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(
      record ?? {
        url: location,
        width: image.widthPx,
        height: image.heightPx,
        source: image.source,
        cache,
        imageId: image.imageId ?? null,
        fit: image.fit ?? null,
        fallback: image.fallback ?? null,
        attribution,
      },
    ),
  };
}

/** What a client may show before it has the image. */
function placeholderHeaders({ placeholder, color }: ServedImage): Record<string, string> {
  const shown = placeholder?.color ?? color;
  return {
    ...(shown === undefined ? {} : { 'X-Image-Color': headerSafe(shown) }),
    ...(placeholder ? { 'X-Image-ThumbHash': placeholder.thumbhash } : {}),
  };
}

/** Longest credit line in a header, in characters; API Gateway takes 10,240 bytes of headers altogether. */
const creditCharactersMax = 400;

/** The credit line as a header may hold it; the full text stands in the record. */
function headerSafe(text: string): string {
  const ascii = asciiOf(text);
  return ascii.length > creditCharactersMax ? `${ascii.slice(0, creditCharactersMax - 3)}...` : ascii;
}

/** A URL as it may stand between angle brackets, or `undefined` when it is none. */
function linkTo(text: string): string | undefined {
  const url = parseUrl(text);
  // Only in these are angle brackets and everything beyond ASCII sure to be encoded.
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
