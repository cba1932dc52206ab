/** Every refusal has a status, a title and a detail, and the specified ones have exactly the specified status. */

import { hourWindow, isoSeconds, monthWindow } from '../../lambda/base/window';
import { detailOf, type ProblemCode, problems, type Refusal } from '../../lambda/problems/problem';

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
  too_many_picks: 409,
  no_image_found: 404,
  content_refused: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  too_many_generations: 429,
  generation_paused: 503,
  upstream_unavailable: 502,
  generation_in_progress: 503,
  renderer_busy: 503,
  service_unavailable: 503,
  misdirected_request: 421,
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
    case 'too_many_generations':
    case 'generation_in_progress':
    case 'renderer_busy':
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

  it('write a moment to the second', () => expect(isoSeconds(nowMs)).toBe('2026-11-21T12:34:56Z'));
});
