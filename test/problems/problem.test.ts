/** Every refusal has a status, a title and a detail, and the specified ones have exactly the specified status. */

import { hourWindow, isoSeconds, monthWindow } from '../../lambda/base/window';
import {
  detailOf,
  isThrottle,
  type ProblemCode,
  problems,
  type Refusal,
  throttleRefusal,
} from '../../lambda/problems/problem';

const nowMs = Date.parse('2026-11-21T12:34:56.789Z');
const statuses: Readonly<Record<ProblemCode, number>> = {
  invalid_parameter: 400,
  conflicting_parameters: 400,
  not_found: 404,
  method_not_allowed: 405,
  authentication_required: 401,
  invalid_api_key: 401,
  invalid_signature: 401,
  invalid_site_key: 401,
  origin_not_allowed: 403,
  link_expired: 410,
  image_removed: 410,
  credential_not_allowed: 403,
  unsupported_media_type: 415,
  content_too_large: 413,
  duplicate_image: 409,
  last_owner: 409,
  too_many_keys: 409,
  no_image_found: 404,
  content_refused: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  generation_paused: 503,
  upstream_unavailable: 502,
  generation_in_progress: 503,
  service_unavailable: 503,
  internal_error: 500,
};
const codes = Object.keys(statuses) as ProblemCode[];

function refusalOf(code: ProblemCode): Refusal {
  switch (code) {
    case 'invalid_parameter':
    case 'conflicting_parameters':
      return {
        code,
        faults: [
          { parameter: 'width', bounds: 'from 1 to 2' },
          { parameter: 'alt', bounds: 'no' },
        ],
      };
    case 'rate_limited':
      return { code, rateLimit: { limit: 10, remaining: 0, window: hourWindow(nowMs) } };
    case 'quota_exceeded':
      return { code, rateLimit: { limit: 1_000, remaining: 0, window: monthWindow(nowMs) } };
    case 'generation_paused':
      return { code, endsMs: nowMs };
    case 'generation_in_progress':
    case 'service_unavailable':
      return { code, retryAfterS: 5 };
    default:
      return { code };
  }
}

describe('the table of problems', () => {
  it('holds exactly the decided codes, each with its status', () => {
    const table = Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status]));
    expect(table).toEqual(statuses);
  });

  it.each(codes)('has a title and whole sentences for %s', (code) => {
    expect(problems[code].title).toMatch(/^[A-Z].*[^.]$/);
    expect(detailOf(refusalOf(code))).toMatch(/.{10,}\.$/s);
  });
});

it('a throttle is told from a limit that is reached', () =>
  expect(
    [throttleRefusal, refusalOf('rate_limited'), refusalOf('service_unavailable')].map(isThrottle),
  ).toEqual([true, false, false]));

describe('the words of a refusal', () => {
  it('name every fault', () =>
    expect(detailOf(refusalOf('invalid_parameter'))).toBe('width: from 1 to 2. alt: no.'));

  it('state when the limit resets', () => {
    expect(detailOf(refusalOf('rate_limited'))).toBe(
      'The limit of 10 requests per hour has been reached. It resets at 2026-11-21T13:00:00Z.',
    );
    expect(detailOf(refusalOf('quota_exceeded'))).toContain('1000 requests per month');
    expect(detailOf(refusalOf('quota_exceeded'))).toContain('2026-12-01T00:00:00Z');
  });

  const hour = { limit: 10, remaining: 0, window: hourWindow(nowMs) };
  const month = { limit: 1_000, remaining: 0, window: monthWindow(nowMs) };
  const [hourEnds, monthEnds] = ['2026-11-21T13:00:00Z', '2026-12-01T00:00:00Z'];
  it.each<[Refusal, string]>([
    [
      { code: 'rate_limited', rateLimit: hour, of: 'work', counts: 'searches', hint: 'Use a key.' },
      `The limit of 10 searches per hour has been reached. It resets at ${hourEnds}. Use a key.`,
    ],
    [
      { code: 'quota_exceeded', rateLimit: month, counts: 'requests of this key' },
      `The limit of 1000 requests of this key per month has been reached. It resets at ${monthEnds}.`,
    ],
    [
      { code: 'rate_limited', rateLimit: hour, isPublished: true },
      `The limit of requests per hour has been reached. It resets at ${hourEnds}.`,
    ],
    [
      { code: 'quota_exceeded', rateLimit: month, isPublished: true },
      `The quota of requests per month has been reached. It resets at ${monthEnds}.`,
    ],
    [
      { code: 'quota_exceeded', rateLimit: month, of: 'generations', counts: 'AI images' },
      `The quota of 1000 AI images per month has been reached. It resets at ${monthEnds}. AI images that exist and stock images are served as before.`,
    ],
    [
      { code: 'quota_exceeded', rateLimit: month, of: 'generations', counts: 'AI images', isPublished: true },
      `The quota of AI images per month has been reached. It resets at ${monthEnds}. AI images that exist and stock images are served as before.`,
    ],
    [
      { code: 'rate_limited', rateLimit: hour, of: 'work', counts: 'searches', isPublished: true },
      `The limit of 10 searches per hour has been reached. It resets at ${hourEnds}.`,
    ],
    [
      throttleRefusal,
      'Too many requests of this account at the same time. The request was not charged; retry it in a second.',
    ],
    [
      { code: 'generation_paused', endsMs: nowMs },
      "Image generation is paused, because the operator's limit has been reached. It continues at 2026-11-21T12:34:56Z.",
    ],
  ])('say which limit is reached, and until when: %#', (refusal, words) =>
    expect(detailOf(refusal)).toBe(words),
  );

  it('name the bounds of a body', () =>
    expect(detailOf({ code: 'content_too_large' })).toBe(
      'The body may have at most 65536 bytes, a page 1048576.',
    ));

  it.each([
    ['https://shop.example', 'comes from https://shop.example.'],
    ['https://shop.example/a?b=c', 'comes from https://shop.example.'],
    ['null', 'comes from a page that conceals its origin.'],
    [undefined, 'names neither.'],
  ])('tell a page that a site key is not for which one it is: %s', (page, words) =>
    expect(detailOf({ code: 'origin_not_allowed' }, { page })).toContain(`The request ${words}`),
  );

  it('name the methods that there are, and who issues keys', () => {
    expect(detailOf({ code: 'method_not_allowed' }, { allow: ['GET', 'HEAD', 'OPTIONS'] })).toBe(
      'Use GET or HEAD.',
    );
    for (const code of ['invalid_api_key', 'invalid_site_key', 'authentication_required'] as const) {
      expect(detailOf({ code })).toContain(
        'The operator of the service issues keys (npm run keys -- create).',
      );
      expect(detailOf({ code }, { contact: 'ops@example.org' })).toContain('issues keys: ops@example.org.');
      const own = 'http://127.0.0.1:3000';
      expect(detailOf({ code }, { contact: own, rootUrl: own })).toBe(detailOf({ code }));
    }
  });

  it('tell a page that its key stays secret', () => {
    const of = (more: object) => detailOf({ code: 'invalid_api_key', ...more });
    expect(of({ isPublished: true })).toBe(
      `${of({})} API keys (pk_…) stay secret: on a public page, use signed URLs or a site key.`,
    );
  });

  it('write a moment to the second', () => expect(isoSeconds(nowMs)).toBe('2026-11-21T12:34:56Z'));
});
