/** The answer with a picture: a redirect, or the same record as JSON. */

import type { Answer } from '../../domain/answer/answer';
import type { ServedPicture } from '../../domain/picture/image';
import { rateHeaders } from './rate-headers';
import type { Response } from './response';

export interface PictureResponseOptions {
  readonly asJson: boolean;
  /** Longest time a browser may keep the redirect, in seconds. */
  readonly maxAgeS: number;
  readonly nowMs: number;
}

export function pictureResponse(
  { picture, cache, standing }: Extract<Answer, { outcome: 'served' }>,
  { asJson, maxAgeS, nowMs }: PictureResponseOptions,
): Response {
  const { attribution } = picture;
  // A provider's address may hold letters or line breaks that a header may not.
  const location = new URL(picture.location).href;
  const licenseLink = attribution.license.url && linkTo(attribution.license.url);
  return {
    status: asJson ? 200 : 302,
    headers: {
      ...(asJson ? {} : { Location: location }),
      'X-Cache': cache,
      'X-Image-Source': picture.source,
      ...(picture.imageId === undefined ? {} : { 'X-Image-Id': picture.imageId }),
      'X-Image-Attribution': headerSafe(attribution.creditLine),
      ...(licenseLink ? { Link: `<${licenseLink}>; rel="license"` } : {}),
      ...rateHeaders(standing, nowMs),
      'Cache-Control': `private, max-age=${ageOf(picture, maxAgeS, nowMs)}`,
      Vary: 'Accept, X-API-Key',
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({
      url: location,
      width: picture.widthPx,
      height: picture.heightPx,
      source: picture.source,
      cache,
      imageId: picture.imageId ?? null,
      attribution,
    }),
  };
}

/** Seconds the redirect may be kept: never longer than the address in it works, nor than we keep it ourselves. */
function ageOf(picture: ServedPicture, maxAgeS: number, nowMs: number): number {
  const { locationEndsMs = Number.POSITIVE_INFINITY, keepUntilMs = Number.POSITIVE_INFINITY } = picture;
  const leftS = Math.floor((Math.min(locationEndsMs, keepUntilMs) - nowMs) / 1_000);
  return Math.max(0, Math.min(maxAgeS, leftS));
}

/** Longest credit line in a header, in characters; API Gateway takes 10,240 bytes of headers altogether. */
const creditCharactersMax = 400;

/** A header holds ASCII only, so everything else is percent-encoded as UTF-8. */
function headerSafe(text: string): string {
  const short = text.length > creditCharactersMax ? `${text.slice(0, creditCharactersMax - 1)}…` : text;
  return short.replace(/[^\x20-\x7e]|%/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A web address as it may stand between angle brackets, or `undefined` when it is none. */
function linkTo(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  // Only in these are angle brackets and everything beyond ASCII sure to be encoded.
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
