/** A refusal has exactly these headers, as a document and as a card. */

import { computeHourWindow } from '../../lambda/base/window';
import { makeCardResponse } from '../../lambda/http/error-card';
import { makeProblemResponse } from '../../lambda/http/problem-response';
import { writeRateHeaders } from '../../lambda/http/response-headers';
import type { Refusal } from '../../lambda/problems/problem';

const nowMs = Date.parse('2026-11-21T12:34:56Z');
const rateLimit = { limit: 10, remaining: 0, window: computeHourWindow(nowMs) };
const always = { requestId: 'r', nowMs, rootUrl: 'https://img.example/prod' };
const plain = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/problem+json',
  Vary: 'Accept, Authorization, Sec-Fetch-Dest, X-API-Key',
};
const challenge = {
  'WWW-Authenticate':
    'Bearer realm="image-redirect", resource_metadata="https://img.example/prod/.well-known/oauth-protected-resource"',
};
const wait = (seconds: string) => ({ 'Retry-After': seconds });

const rows: readonly (readonly [Refusal, object, object])[] = [
  [{ code: 'no_image_found' }, {}, {}],
  [{ code: 'content_refused' }, { rateLimit }, writeRateHeaders(rateLimit, nowMs)],
  [{ code: 'origin_not_allowed' }, {}, {}],
  [{ code: 'authentication_required' }, {}, challenge],
  [{ code: 'invalid_api_key' }, {}, challenge],
  [{ code: 'invalid_signature' }, {}, challenge],
  [{ code: 'invalid_site_key' }, {}, challenge],
  [{ code: 'method_not_allowed' }, { allow: ['GET', 'OPTIONS'] }, { Allow: 'GET, OPTIONS' }],
  [
    { code: 'rate_limited', rateLimit },
    { rateLimit },
    { ...writeRateHeaders(rateLimit, nowMs), ...wait('1504') },
  ],
  [{ code: 'rate_limited', retryAfterS: 1 }, {}, wait('1')],
  [{ code: 'generation_in_progress', retryAfterS: 3 }, {}, wait('3')],
  [{ code: 'upstream_unavailable', retryAfterS: 60 }, {}, wait('60')],
  [{ code: 'upstream_unavailable' }, {}, wait('1')],
  [{ code: 'service_unavailable', retryAfterS: 5 }, {}, wait('5')],
  [{ code: 'generation_paused', endsMs: nowMs + 90_000 }, {}, wait('90')],
  [{ code: 'generation_paused', endsMs: nowMs + 90_001 }, {}, wait('91')],
  [{ code: 'generation_paused', endsMs: nowMs }, {}, wait('1')],
  [{ code: 'internal_error' }, {}, {}],
];

test.each(rows.map(([refusal, more, headers]) => ({ code: refusal.code, refusal, more, headers })))(
  'the response to $code has the headers of a document and a card',
  async ({ refusal, more, headers }) => {
    const problem = makeProblemResponse(refusal, { ...always, ...more });
    expect(problem.headers).toEqual({ ...plain, ...headers });
    const size = { widthPx: 300, heightPx: 200 };
    const card = await makeCardResponse(problem, refusal, { ...always, ...more, size, accept: '*/*' });
    expect([card.status, card.headers]).toEqual([
      problem.status,
      {
        ...problem.headers,
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'X-Image-Fallback': refusal.code,
      },
    ]);
  },
);
