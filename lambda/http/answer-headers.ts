/** Headers that an answer with an image states: how long it may be kept and by whom, and the caller's rate limit status. */

import { isoSeconds, secondsLeft } from '../base/window';
import { sharedCachingS, siteCachingS } from '../contract/edge';
import type { ServedImage } from '../images/image';
import type { RateLimitStatus } from '../problems/problem';

/** An answer that all readers of a page may share, as the credential of its caller stands in the page. */
export interface SharedAnswer {
  /** Moment (epoch, milliseconds) at which the signed URL of the request ends; absent for one without an end. */
  readonly linkExpiresMs?: number | undefined;
  readonly as: 'signer' | 'site';
  /** Whether the `Accept` header decided which image the answer names. */
  readonly variesByAccept: boolean;
  /** Whether it leads to a provider's own servers, where an image that is taken down cannot be deleted. */
  readonly isHotlink?: boolean;
}

/** How long shared caches may lead to a provider's own servers, in seconds. */
const hotlinkSharedS = 3_600;

/**
 * `Cache-Control` and, where it is needed, `Vary`. No copy of the answer is used after the image's own end or that of
 * the signed URL: stale answers count from the end of freshness, so both together stay within the time that is left.
 * @param maxAgeS longest time that a browser may keep the answer, in seconds
 * @param shared absent for a caller who is charged for each answer, which no other caller may then be given
 */
export function cachingHeaders(
  { locationEndsMs = Infinity, keepUntilMs = Infinity }: Pick<ServedImage, 'locationEndsMs' | 'keepUntilMs'>,
  maxAgeS: number,
  nowMs: number,
  shared: SharedAnswer | undefined,
): Readonly<Record<string, string>> {
  const { as, linkExpiresMs = Infinity, isHotlink = false } = shared ?? {};
  const hotlinkEndsMs = isHotlink ? nowMs + hotlinkSharedS * 1_000 : Infinity;
  const endMs = Math.min(locationEndsMs, keepUntilMs, linkExpiresMs, hotlinkEndsMs);
  const leftS = Math.max(0, Math.floor((endMs - nowMs) / 1_000));
  const ageS = Math.min(maxAgeS, leftS);
  if (!shared)
    return { 'Cache-Control': `private, max-age=${ageS}`, Vary: 'Accept, Authorization, X-API-Key' };
  const vary = shared.variesByAccept ? { Vary: 'Accept' } : {};
  // A URL that ends belongs to a private image.
  if (locationEndsMs !== Infinity) return { 'Cache-Control': `private, max-age=${ageS}`, ...vary };
  const { fresh, staleWhileRevalidate, staleIfError } = sharedCachingS;
  const sharedS = Math.min(as === 'site' ? siteCachingS : fresh, leftS);
  const staleS = leftS - Math.max(sharedS, ageS);
  const whileRevalidatingS = as === 'site' ? 0 : Math.min(staleWhileRevalidate, staleS);
  // A part that has no time left is written out: caches may have defaults of their own for what is absent.
  const parts = [
    'public',
    `max-age=${ageS}`,
    `s-maxage=${sharedS}`,
    `stale-while-revalidate=${whileRevalidatingS}`,
    ...(isHotlink ? [] : [`stale-if-error=${Math.min(staleIfError, staleS)}`]),
  ];
  return { 'Cache-Control': parts.join(', '), ...vary };
}

/** Longest note in a header, in bytes. */
const noteBytesMax = 300;

/** What the caller should know of its request, in one header. @param notes in printable ASCII */
export function noteHeader(notes: readonly (string | undefined)[]): Record<string, string> {
  const note = notes.filter((each) => each !== undefined).join('; ');
  return note === '' ? {} : { 'X-Image-Note': note.slice(0, noteBytesMax) };
}

/**
 * The `X-RateLimit-*` headers and the IETF fields (draft-ietf-httpapi-ratelimit-headers), these with a second member for
 * AI images. Window lengths and the time left are whole seconds.
 */
export function rateHeaders(status: RateLimitStatus, nowMs: number): Record<string, string> {
  const { limit, remaining, window, generations } = status;
  const members = [
    { name: window.kind, ...status },
    ...(generations ? [{ name: 'generations', ...generations }] : []),
  ];
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': isoSeconds(window.endMs),
    'RateLimit-Policy': members
      .map(({ name, limit, window }) => `"${name}";q=${limit};w=${(window.endMs - window.startMs) / 1_000}`)
      .join(', '),
    RateLimit: members
      .map(({ name, remaining, window }) => `"${name}";r=${remaining};t=${secondsLeft(window, nowMs)}`)
      .join(', '),
  };
}
