/** Every refusal has a status, a title and whole sentences that say what happened and how to resolve it. */

import { runInNewContext } from 'node:vm';
import { computeHourWindow, computeMonthWindow } from '../../lambda/base/window';
import {
  type ProblemCode,
  problems,
  type Refusal,
  type RefusedRequest,
  throttleRefusal,
  writeDetail,
} from '../../lambda/problems/problem';
import { reloadScript } from '../../lambda/problems/reload-script';

const nowMs = Date.parse('2026-11-21T12:34:56.789Z');

const codesOf: Readonly<Record<number, readonly ProblemCode[]>> = {
  400: ['invalid_parameter', 'conflicting_parameters'],
  401: ['authentication_required', 'invalid_api_key', 'invalid_signature', 'invalid_site_key'],
  403: ['origin_not_allowed', 'credential_not_allowed'],
  404: ['not_found', 'no_image_found'],
  405: ['method_not_allowed'],
  409: ['duplicate_image', 'last_owner', 'too_many_keys'],
  410: ['link_expired', 'image_removed'],
  413: ['content_too_large'],
  415: ['unsupported_media_type'],
  422: ['content_refused'],
  429: ['rate_limited', 'quota_exceeded'],
  500: ['internal_error'],
  502: ['upstream_unavailable'],
  503: ['generation_paused', 'generation_in_progress', 'service_unavailable'],
};

test.each(Object.entries(codesOf))('status %s has exactly the codes %j', (status, codes) => {
  const met = Object.entries(problems).flatMap(([code, its]) =>
    its.status === Number(status) ? [code] : [],
  );
  expect(met.sort()).toEqual(codes.toSorted());
});

const hour = { limit: 10, remaining: 0, window: computeHourWindow(nowMs) };
const month = { limit: 1_000, remaining: 0, window: computeMonthWindow(nowMs) };
const [hourEnds, monthEnds] = ['2026-11-21T13:00:00Z', '2026-12-01T00:00:00Z'];
const exist = 'AI images that exist and stock images are served as before.';
const localUrl = 'http://127.0.0.1:3000';
const operator = /the operator of the service issues the first \(npm run keys -- create\)\.$/;
const faults = [
  { parameter: 'width', bounds: 'from 1 to 2', received: '3' },
  { parameter: 'alt', bounds: 'no' },
];

test.each<[Refusal, RegExp | string, RefusedRequest?]>([
  [{ code: 'invalid_parameter', faults }, 'width: from 1 to 2 (received: 3). alt: no.'],
  [
    { code: 'rate_limited', rateLimit: hour },
    `The limit of 10 requests per hour has been reached. It resets at ${hourEnds}.`,
  ],
  [
    { code: 'quota_exceeded', rateLimit: month },
    `The quota of 1000 requests per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    { code: 'rate_limited', rateLimit: hour, kind: 'work', counts: 'searches', hint: 'Use a key.' },
    `The limit of 10 searches per hour has been reached. It resets at ${hourEnds}. Use a key.`,
  ],
  [
    { code: 'quota_exceeded', rateLimit: month, counts: 'requests of this key' },
    `The limit of 1000 requests of this key per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    { code: 'quota_exceeded', rateLimit: month, kind: 'generations', counts: 'AI images' },
    `The quota of 1000 AI images per month has been reached. It resets at ${monthEnds}. ${exist}`,
  ],
  // A visitor of a page is not told the limit of the account.
  [
    { code: 'rate_limited', rateLimit: hour, isForVisitor: true },
    `The limit of requests per hour has been reached. It resets at ${hourEnds}.`,
  ],
  [
    { code: 'quota_exceeded', rateLimit: month, isForVisitor: true },
    `The quota of requests per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    {
      code: 'quota_exceeded',
      rateLimit: month,
      kind: 'generations',
      counts: 'AI images',
      isForVisitor: true,
    },
    `The quota of AI images per month has been reached. It resets at ${monthEnds}. ${exist}`,
  ],
  [throttleRefusal, /at the same time\. Retry in a second; the request was not charged\.$/],
  [{ code: 'generation_paused', endsMs: nowMs }, /It continues at 2026-11-21T12:34:56Z\.$/],
  [{ code: 'service_unavailable', retryAfterS: 5 }, /a few seconds; the request was not charged\.$/],
  [{ code: 'service_unavailable', retryAfterS: 5, mayBeCharged: true }, /Retry in a few seconds\.$/],
  [{ code: 'content_too_large' }, 'The body may have at most 65536 bytes, a page 1048576.'],
  [{ code: 'method_not_allowed' }, 'Use GET or HEAD.', { allow: ['GET', 'HEAD', 'OPTIONS'] }],
  [{ code: 'origin_not_allowed' }, /The request names neither\.$/],
  [
    { code: 'origin_not_allowed' },
    /comes from https:\/\/shop\.example\.$/,
    { page: 'https://shop.example/a?b=c' },
  ],
  [
    { code: 'origin_not_allowed' },
    new RegExp(` https://${'a'.repeat(92)}\\.$`),
    { page: `https://${'a'.repeat(93)}.example/b` },
  ],
  [{ code: 'origin_not_allowed', detail: 'Its own words.' }, 'Its own words.', { page: 'https://a.example' }],
  [{ code: 'credential_not_allowed', detail: 'Its own words.' }, 'Its own words.'],
  [
    {
      code: 'invalid_parameter',
      faults: [{ parameter: 'query', bounds: 'required' }],
      nearest: '/api/image?query=a',
    },
    `query: required. Ignored: size. For example: ${localUrl}/api/image?query=mountain+lake. The nearest valid URL: ${localUrl}/api/image?query=a`,
    { rootUrl: localUrl, note: 'ignored: size' },
  ],
  [{ code: 'origin_not_allowed' }, /comes from a page that conceals its origin\.$/, { page: 'null' }],
  ...(['invalid_api_key', 'invalid_site_key', 'authentication_required'] as const).flatMap(
    (code): [Refusal, RegExp, RefusedRequest?][] => [
      [{ code }, operator],
      [{ code }, operator, { contact: localUrl, rootUrl: localUrl }],
      [{ code }, /issues the first: ops@example\.org\.$/, { contact: 'ops@example.org' }],
    ],
  ),
  [
    { code: 'invalid_api_key', isExposed: true },
    /stay secret: on a public page, use signed URLs or a site key\.$/,
  ],
])('the detail of a refusal states cause, end and remedy: %j', (...[refusal, words, request]) =>
  expect(writeDetail(refusal, request)).toEqual(
    words instanceof RegExp ? expect.stringMatching(words) : words,
  ),
);

test('the reload script asks only for images of the service that may still be generated', () => {
  const making = ['?query=a&provider=ai', '/9x9-a?onmiss=ai&signature=x', '?pick=0f', '/id/0f'];
  const urls = [...making, '?query=air', '/9x9-a', '?provider=stock_a'].map((rest) => `/api/image${rest}`);
  const fetch = jest.fn((_url: string) => new Promise(() => undefined));
  runInNewContext(reloadScript, { fetch, document: { images: urls.map((src) => ({ src })) } });
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(urls.slice(0, making.length));
});
