/** An answer names the time that caches may keep it, and the rate limit in two families of headers. */

import fc from 'fast-check';
import { computeHourWindow, computeMonthWindow } from '../../lambda/base/window';
import { sharedCachingS } from '../../lambda/contract/edge';
import {
  type SharedResponse,
  writeCachingHeaders,
  writeNoteHeader,
  writeRateHeaders,
} from '../../lambda/http/response-headers';

const nowMs = Date.parse('2026-11-22T04:30:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Ends {
  /** Milliseconds until the signed `Location`, the image and the signed URL of the request end. */
  readonly location?: number | undefined;
  readonly image?: number | undefined;
  readonly link?: number | undefined;
}

function makeHeaders(
  { location, image, link }: Ends,
  shared: SharedResponse | undefined,
  maxAgeS = 3_600,
): Readonly<Record<string, string>> {
  const ends = {
    ...(location !== undefined && { locationEndsMs: nowMs + location }),
    ...(image !== undefined && { answerEndsMs: nowMs + image }),
  };
  const ending = link === undefined ? {} : { linkExpiresMs: nowMs + link };
  return writeCachingHeaders(ends, maxAgeS, nowMs, shared && { ...shared, ...ending });
}

const published = { publishedAs: 'signer', variesByAccept: false } as const;
const share = (age: number, fresh: number, revalidating: number, failing: number) =>
  `public, max-age=${age}, s-maxage=${fresh}, stale-while-revalidate=${revalidating}, stale-if-error=${failing}`;

describe('writeCachingHeaders for a published credential', () => {
  test.each<[string, Ends, string]>([
    ['without an end', {}, share(3_600, 86_400, 86_400, 604_800)],
    ['of an image that stays for 30 days', { image: 30 * dayMs }, share(3_600, 86_400, 86_400, 604_800)],
    ['of an image that ends in 8 days', { image: 8 * dayMs }, share(3_600, 86_400, 86_400, 604_800)],
    ['of an image that ends in 36 hours', { image: 36 * hourMs }, share(3_600, 86_400, 43_200, 43_200)],
    ['of an image that ends in 5 minutes', { image: 300_000 }, share(300, 300, 0, 0)],
    ['of a URL that ends in 2 days', { link: 2 * dayMs }, share(3_600, 86_400, 86_400, 86_400)],
    ['of a URL that ends in 10 seconds', { link: 10_999 }, share(10, 10, 0, 0)],
    ['of a URL that ends before its image', { image: 3 * hourMs, link: hourMs }, share(3_600, 3_600, 0, 0)],
    ['of an image that has ended', { image: -1 }, share(0, 0, 0, 0)],
    ['with a private image', { location: 2 * hourMs }, 'private, max-age=3600'],
    ['with a private image for 5 minutes more', { location: 300_000 }, 'private, max-age=300'],
    [
      'with a private image at a URL that ends first',
      { location: hourMs, link: 60_000 },
      'private, max-age=60',
    ],
  ])('caches may keep a published answer %s until it ends', (_, ends, expected) => {
    expect(makeHeaders(ends, published)).toEqual({ 'Cache-Control': expected });
  });

  test('a published answer varies by Accept only if Accept decided the format', () => {
    for (const location of [undefined, hourMs])
      expect(makeHeaders({ location }, { ...published, variesByAccept: true })['Vary']).toBe('Accept');
  });

  test.each<[string, Ends, string]>([
    ['for an hour', {}, 'public, max-age=3600, s-maxage=3600, stale-while-revalidate=0'],
    [
      'until its image ends',
      { image: 300_000 },
      'public, max-age=300, s-maxage=300, stale-while-revalidate=0',
    ],
  ])('caches may keep a redirect to a provider %s', (_, ends, expected) => {
    expect(makeHeaders(ends, { ...published, isHotlink: true })).toEqual({ 'Cache-Control': expected });
  });

  test('browsers keep a published answer for the given age', () => {
    expect(makeHeaders({}, published, 60)['Cache-Control']).toBe(share(60, 86_400, 86_400, 604_800));
    expect(makeHeaders({ image: 36 * hourMs }, published, 0)['Cache-Control']).toBe(
      share(0, 86_400, 43_200, 43_200),
    );
  });

  test('shared caches keep an answer to a site key for half a minute', () => {
    const site = { ...published, publishedAs: 'site' } as const;
    expect(makeHeaders({}, site)['Cache-Control']).toBe(share(3_600, 30, 0, 604_800));
    expect(makeHeaders({ link: 10_999 }, site)['Cache-Control']).toBe(share(10, 10, 0, 0));
  });

  test('no cache uses a published answer after its image, Location or URL ends', () => {
    const end = fc.option(fc.integer({ min: -hourMs, max: 20 * dayMs }), { nil: undefined });
    const ends = fc.record({ location: end, image: end, link: end });
    const age = fc.integer({ min: 0, max: 86_400 });
    fc.assert(
      fc.property(
        ends,
        age,
        fc.boolean(),
        fc.constantFrom('signer', 'site'),
        (ends, maxAgeS, variesByAccept, publishedAs) => {
          const { 'Cache-Control': text = '' } = makeHeaders(ends, { publishedAs, variesByAccept }, maxAgeS);
          const findPart = (name: string) =>
            Number(new RegExp(`(?:^| )${name}=(\\d+)(?:,|$)`).exec(text)?.[1] ?? 0);
          const freshS = Math.max(findPart('max-age'), findPart('s-maxage'));
          const lastS = freshS + Math.max(findPart('stale-while-revalidate'), findPart('stale-if-error'));
          const leftMs = Math.min(...Object.values(ends).filter((endMs) => endMs !== undefined));
          expect(lastS * 1_000).toBeLessThanOrEqual(Math.max(0, leftMs));
          expect(findPart('max-age')).toBeLessThanOrEqual(maxAgeS);
          expect(findPart('s-maxage')).toBeLessThanOrEqual(sharedCachingS.fresh);
          expect(findPart('stale-while-revalidate')).toBeLessThanOrEqual(sharedCachingS.staleWhileRevalidate);
          expect(findPart('stale-if-error')).toBeLessThanOrEqual(sharedCachingS.staleIfError);
          expect(text.startsWith('private')).toBe(ends.location !== undefined);
        },
      ),
    );
  });
});

describe('writeCachingHeaders for another caller', () => {
  test.each<[number, Ends]>([
    [3_600, {}],
    [300, { image: 300_000 }],
    [60, { location: 60_000, image: 300_000 }],
    [0, { location: -1 }],
  ])('only the browser of the caller keeps an answer, for %i seconds', (seconds, ends) => {
    expect(makeHeaders(ends, undefined)).toEqual({
      'Cache-Control': `private, max-age=${seconds}`,
      Vary: 'Accept, Authorization, X-API-Key',
    });
  });
});

describe('writeRateHeaders', () => {
  test('the rate headers state the rate limit of an anonymous caller', () => {
    const nowMs = Date.parse('2026-11-21T12:59:00Z');
    expect(writeRateHeaders({ limit: 10, remaining: 3, window: computeHourWindow(nowMs) }, nowMs)).toEqual({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '3',
      'X-RateLimit-Reset': '2026-11-21T13:00:00Z',
      'RateLimit-Policy': '"hour";q=10;w=3600',
      RateLimit: '"hour";r=3;t=60',
    });
  });

  test('the AI images of the month are a second member of the IETF headers', () => {
    const nowMs = Date.parse('2026-11-30T23:59:00Z');
    const window = computeMonthWindow(nowMs);
    const generations = { limit: 25, remaining: 1, window };
    const { RateLimit, ...headers } = writeRateHeaders(
      { limit: 1_000, remaining: 3, window, generations },
      nowMs,
    );
    expect(RateLimit).toBe('"month";r=3;t=60, "generations";r=1;t=60');
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '3',
      'RateLimit-Policy': '"month";q=1000;w=2592000, "generations";q=25;w=2592000',
    });
  });
});

test('the notes of an answer are one header of at most 300 bytes', () => {
  expect(writeNoteHeader(['one', undefined, 'two'])).toEqual({ 'X-Image-Note': 'one; two' });
  expect(writeNoteHeader(['n'.repeat(299), 'more'])['X-Image-Note']).toHaveLength(300);
  expect(writeNoteHeader([undefined])).toEqual({});
});
