/** Tests the refusals: a status, a title, and whole sentences with cause and remedy. */

import { runInNewContext } from 'node:vm';
import { computeHourWindow, computeMonthWindow } from '../../lambda/base/window';
import {
  type KeyIssuer,
  type ProblemCode,
  problems,
  type Refusal,
  type RefusalContext,
  serviceUnavailable,
  throttleRefusal,
  writeDetail,
} from '../../lambda/problems/problem';
import { reloadScript } from '../../lambda/problems/reload-script';

const nowMs = Date.parse('2026-11-21T12:34:56.789Z');

const codesByStatus: readonly (readonly [status: number, codes: readonly ProblemCode[]])[] = [
  [400, ['invalid_parameter', 'conflicting_parameters']],
  [401, ['authentication_required', 'invalid_api_key', 'invalid_signature', 'invalid_site_key']],
  [403, ['origin_not_allowed', 'credential_not_allowed']],
  [404, ['not_found', 'no_image_found']],
  [405, ['method_not_allowed']],
  [409, ['duplicate_image', 'last_owner', 'too_many_keys']],
  [410, ['link_expired', 'image_removed']],
  [413, ['content_too_large']],
  [415, ['unsupported_media_type']],
  [422, ['content_refused']],
  [429, ['rate_limited', 'quota_exceeded']],
  [500, ['internal_error']],
  [502, ['upstream_unavailable']],
  [503, ['generation_paused', 'generation_in_progress', 'service_unavailable']],
];

test.each(codesByStatus)('status %i has exactly its codes', (status, codes) => {
  const found = Object.entries(problems).flatMap(([code, problem]) =>
    problem.status === status ? [code] : [],
  );
  expect(found.sort()).toEqual(codes.toSorted());
});

const hour = { limit: 10, remaining: 0, window: computeHourWindow(nowMs) };
const month = { limit: 1_000, remaining: 0, window: computeMonthWindow(nowMs) };
const [hourEnds, monthEnds] = ['2026-11-21T13:00:00Z', '2026-12-01T00:00:00Z'];
const exist = 'AI images that exist and stock images are served as before.';
const rootUrl = 'http://127.0.0.1:3000';
const widthFault = { parameter: 'width', bounds: 'from 1 to 2', received: '3' };
const altFault = { parameter: 'alt', bounds: 'no' };
const queryFault = { parameter: 'query', bounds: 'required' };
const searches = { kind: 'work', unitName: 'searches', hint: 'Use a key.' } as const;
const aiImages = { kind: 'generations', unitName: 'AI images' } as const;
const detail = 'Its own words.';

test.each<[name: string, Refusal, RegExp | string, RefusalContext?]>([
  [
    'two parameters out of bounds',
    { code: 'invalid_parameter', faults: [widthFault, altFault] },
    'width: from 1 to 2 (received: 3). alt: no.',
  ],
  [
    'a missing query with a note',
    { code: 'invalid_parameter', faults: [queryFault], nearest: '/api/image?query=a' },
    `query: required. Ignored: size. For example: ${rootUrl}/api/image?query=mountain+lake. The nearest valid URL: ${rootUrl}/api/image?query=a`,
    { rootUrl, note: 'ignored: size' },
  ],
  [
    'the requests of an hour',
    { code: 'rate_limited', rateLimit: hour },
    `The limit of 10 requests per hour has been reached. It resets at ${hourEnds}.`,
  ],
  [
    'the requests of a month',
    { code: 'quota_exceeded', rateLimit: month },
    `The quota of 1000 requests per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    'the work of an hour',
    { code: 'rate_limited', rateLimit: hour, ...searches },
    `The limit of 10 searches per hour has been reached. It resets at ${hourEnds}. Use a key.`,
  ],
  [
    'the cap of a key',
    { code: 'quota_exceeded', rateLimit: month, unitName: 'requests of this key' },
    `The limit of 1000 requests of this key per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    'the AI images of a month',
    { code: 'quota_exceeded', rateLimit: month, ...aiImages },
    `The quota of 1000 AI images per month has been reached. It resets at ${monthEnds}. ${exist}`,
  ],
  [
    'an hour of a visitor, without the number',
    { code: 'rate_limited', rateLimit: hour, isForVisitor: true },
    `The limit of requests per hour has been reached. It resets at ${hourEnds}.`,
  ],
  [
    'a month of a visitor, without the number',
    { code: 'quota_exceeded', rateLimit: month, isForVisitor: true },
    `The quota of requests per month has been reached. It resets at ${monthEnds}.`,
  ],
  [
    'the AI images of a visitor, without the number',
    { code: 'quota_exceeded', rateLimit: month, ...aiImages, isForVisitor: true },
    `The quota of AI images per month has been reached. It resets at ${monthEnds}. ${exist}`,
  ],
  [
    'an unusable key',
    { code: 'invalid_api_key' },
    /expired: send it as Authorization: Bearer pk_… or in the header X-API-Key\./,
  ],
  ['a wrong signature', { code: 'invalid_signature' }, /or its signer is unknown, revoked or expired\.$/],
  ['a throttle', throttleRefusal, /at the same time\. Retry in a second; the request was not charged\.$/],
  [
    'paused generation',
    { code: 'generation_paused', endsMs: nowMs },
    /It continues at 2026-11-21T12:34:56Z\.$/,
  ],
  ['a busy service', serviceUnavailable, /a few seconds; the request was not charged\.$/],
  [
    'a busy service that may have charged',
    { ...serviceUnavailable, mayBeCharged: true },
    /Retry in a few seconds\.$/,
  ],
  ['a large body', { code: 'content_too_large' }, 'The body may have at most 65536 bytes, a page 1048576.'],
  [
    'another method',
    { code: 'method_not_allowed' },
    'Use GET or HEAD.',
    { allow: ['GET', 'HEAD', 'OPTIONS'] },
  ],
  ['no origin', { code: 'origin_not_allowed' }, /The request names neither\.$/],
  [
    'another origin',
    { code: 'origin_not_allowed' },
    /comes from https:\/\/shop\.example\.$/,
    { page: 'https://shop.example/a?b=c' },
  ],
  [
    'a long origin',
    { code: 'origin_not_allowed' },
    new RegExp(` https://${'a'.repeat(92)}\\.$`),
    { page: `https://${'a'.repeat(93)}.example/b` },
  ],
  [
    'a concealed origin',
    { code: 'origin_not_allowed' },
    /comes from a page that conceals its origin\.$/,
    { page: 'null' },
  ],
  ['an origin with a detail', { code: 'origin_not_allowed', detail }, detail],
  ['a credential with a detail', { code: 'credential_not_allowed', detail }, detail],
  [
    'a key in a URL',
    { code: 'invalid_api_key', isExposed: true },
    /stay secret: on a public page, use signed URLs or a site key\.$/,
  ],
])('the detail of a refusal states cause and remedy: %s', (...[, refusal, words, request]) =>
  expect(writeDetail(refusal, request)).toEqual(
    words instanceof RegExp ? expect.stringMatching(words) : words,
  ),
);

describe.each(['invalid_api_key', 'authentication_required'] as const)('%s', (code) => {
  test.each<readonly [service: string, issuer: KeyIssuer, words: string]>([
    ['deployed without a contact', {}, 'the operator of the service.'],
    [
      'deployed with a contact',
      { contact: 'ops@example.org' },
      'the operator of the service (ops@example.org).',
    ],
    ['on a laptop', { isLocal: true }, 'the operator of the service (npm run keys -- create).'],
    [
      'on a laptop with a contact',
      { contact: 'a@b.c', isLocal: true },
      'the operator of the service (a@b.c).',
    ],
  ])('a service %s says who issues the first key', (_, issuer, words) => {
    expect(writeDetail({ code }, issuer).split('The first key of an account is issued by ')[1]).toBe(words);
  });
});

test('the reload script leaves images alone that were made before', () => {
  const making = ['?query=a&provider=ai', '/9x9-a?onmiss=ai&signature=x'];
  const others = ['?query=air', '/9x9-a', '?provider=stock_a', '?provider=ai&pick=0f', '/id/0f'];
  const urls = [...making, ...others].map((urlEnd) => `/api/image${urlEnd}`);
  const fetch = jest.fn((_url: string) => new Promise(() => undefined));
  runInNewContext(reloadScript, { fetch, document: { images: urls.map((src) => ({ src })) } });
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(urls.slice(0, making.length));
});
