/** The headers of a response with an image: caching by browsers and shared caches, notes, rate limits. */

import { computeSecondsUntil, formatIsoSeconds } from '../base/window';
import { sharedCachingS, siteCachingS } from '../contract/edge';
import type { ServedImage } from '../images/image';
import type { RateLimitStatus } from '../problems/problem';

/** A response that shared caches may keep, because the credential of its caller stands in a public page. */
export interface SharedResponse {
  /** The end of the signed URL, if it has one. */
  readonly linkExpiresMs?: number | undefined;
  readonly publishedAs: 'signer' | 'site';
  readonly variesByAccept: boolean;
  /** True if the image is on a server of its provider. The operator cannot delete it there. */
  readonly isHotlink?: boolean;
}

/** Longest that shared caches may redirect to servers of a provider, in seconds. */
const hotlinkSharedS = 3_600;

/** Writes `Cache-Control` and `Vary`. Without `shared`, only the caller may get the response. */
export function writeCachingHeaders(
  {
    locationEndsMs = Infinity,
    answerEndsMs = Infinity,
  }: Pick<ServedImage, 'locationEndsMs' | 'answerEndsMs'>,
  maxAgeS: number,
  nowMs: number,
  shared: SharedResponse | undefined,
): Readonly<Record<string, string>> {
  const hotlinkEndsMs = shared?.isHotlink ? nowMs + hotlinkSharedS * 1_000 : Infinity;
  const endsMs = Math.min(locationEndsMs, answerEndsMs, shared?.linkExpiresMs ?? Infinity, hotlinkEndsMs);
  const leftS = Math.max(0, Math.floor((endsMs - nowMs) / 1_000));
  const ageS = Math.min(maxAgeS, leftS);
  if (!shared)
    return { 'Cache-Control': `private, max-age=${ageS}`, Vary: 'Accept, Authorization, X-API-Key' };
  // The URL of a private image expires, so shared caches must not keep the redirect to it.
  const isUrlTemporary = locationEndsMs !== Infinity;
  return {
    'Cache-Control': isUrlTemporary ? `private, max-age=${ageS}` : writeSharedCaching(shared, ageS, leftS),
    ...(shared.variesByAccept && { Vary: 'Accept' }),
  };
}

/** Writes `Cache-Control` for shared caches. In the time that is left, a response is first fresh, then stale. */
function writeSharedCaching({ publishedAs, isHotlink }: SharedResponse, ageS: number, leftS: number): string {
  const { fresh, staleWhileRevalidate, staleIfError } = sharedCachingS;
  const sharedS = Math.min(publishedAs === 'site' ? siteCachingS : fresh, leftS);
  const staleS = leftS - Math.max(sharedS, ageS);
  const whileRevalidatingS = publishedAs === 'site' ? 0 : Math.min(staleWhileRevalidate, staleS);
  // Parts of 0 seconds are written too: caches may have defaults for absent ones.
  const parts = [
    'public',
    `max-age=${ageS}`,
    `s-maxage=${sharedS}`,
    `stale-while-revalidate=${whileRevalidatingS}`,
    ...(isHotlink ? [] : [`stale-if-error=${Math.min(staleIfError, staleS)}`]),
  ];
  return parts.join(', ');
}

const noteBytesMax = 300;

/** Writes the notes of a response in one header. All of them are printable ASCII. */
export function writeNoteHeader(notes: readonly (string | undefined)[]): Record<string, string> {
  const note = notes.filter((text) => text !== undefined).join('; ');
  return note === '' ? {} : { 'X-Image-Note': note.slice(0, noteBytesMax) };
}

/** Writes the `X-RateLimit-*` headers and the IETF fields. AI images are a second member of the IETF fields. */
export function writeRateHeaders(status: RateLimitStatus, nowMs: number): Record<string, string> {
  const { limit, remaining, window, generations } = status;
  const members = [
    { name: window.kind, ...status },
    ...(generations ? [{ name: 'generations', ...generations }] : []),
  ];
  const policies = members.map(({ name, limit, window: { startMs, endsMs } }) => {
    return `"${name}";q=${limit};w=${(endsMs - startMs) / 1_000}`;
  });
  const states = members.map(({ name, remaining, window: { endsMs } }) => {
    return `"${name}";r=${remaining};t=${computeSecondsUntil(endsMs, nowMs)}`;
  });
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': formatIsoSeconds(window.endsMs),
    'RateLimit-Policy': policies.join(', '),
    RateLimit: states.join(', '),
  };
}
