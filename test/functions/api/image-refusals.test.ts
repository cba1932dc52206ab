/** `getImage` of `image.ts` refused: status, headers and texts, as a problem document or a card. */

import { createDeadline } from '../../../lambda/base/deadline';
import { computeMonthWindow } from '../../../lambda/base/window';
import { defaultPlans, unlimitedRequests, workPerHour } from '../../../lambda/contract/plans';
import { defaultSite } from '../../../lambda/contract/settings';
import { problems, type Refusal } from '../../../lambda/problems/problem';
import { readRequestContext } from '../../../lambda/serving/request-context';
import { parseXml } from '../../requests/well-formed';
import { createImageService, imageTag, listRateHeaders, startMs } from './image-service';
import { liveContext, makeProxyEvent } from './proxy-event';

const query = { query: ['mountain lake'] };
const month = { limit: 1_000, remaining: 0, window: computeMonthWindow(startMs) };

/** Refusals of what was charged, as far as their words depend on no parameter. */
const refusals: readonly Refusal[] = [
  { code: 'authentication_required' },
  { code: 'invalid_signature' },
  { code: 'link_expired' },
  { code: 'invalid_site_key' },
  { code: 'origin_not_allowed' },
  { code: 'not_found' },
  { code: 'no_image_found' },
  { code: 'image_removed' },
  { code: 'content_refused' },
  { code: 'quota_exceeded', rateLimit: month },
  { code: 'generation_paused', endsMs: startMs + 90_000 },
  { code: 'upstream_unavailable', retryAfterS: 60 },
  { code: 'generation_in_progress', retryAfterS: 3 },
  { code: 'service_unavailable', retryAfterS: 5 },
  { code: 'internal_error' },
];

test.each(refusals.map((refusal) => [refusal.code, refusal] as const))(
  'the refusal %s is a problem document, or a card for an image tag, both with the rate limit',
  async (code, refusal) => {
    const { ask, stock } = createImageService();
    stock.setSearchResult({ outcome: 'refused', refusal });
    const { status, headers, json } = await ask({ query });
    expect(status).toBe(problems[code].status);
    expect(headers['Content-Type']).toBe('application/problem+json');
    expect(headers).not.toHaveProperty('X-Image-Fallback');
    expect(json).toEqual({
      type: `https://api.example.org/prod/#${code}`,
      title: problems[code].title,
      status,
      detail: expect.stringMatching(/[.;]$/),
      code,
      requestId: 'request-1',
    });
    // What was charged has been given back.
    expect(listRateHeaders(headers)).toHaveLength(5);
    expect(headers['X-RateLimit-Remaining']).toBe('rateLimit' in refusal ? '0' : '10');
    const card = await ask({ query, headers: imageTag });
    expect(card.status).toBe(status);
    expect(card.headers).toMatchObject({
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'X-Image-Fallback': code,
    });
    expect(card.body).toContain(problems[code].title);
    expect(parseXml(card.body)).toMatchObject({
      name: 'svg',
      attributes: { width: '1920', height: '1080' },
    });
  },
);

test.each([
  ['deployed', {}, 'the operator of the service.'],
  ['deployed with a contact', { SITE: { ...defaultSite, contact: 'ops@example.org' } }, '(ops@example.org).'],
  ['on a laptop', { DEMO_KEY: 'pk_test_demo' }, '(npm run keys -- create).'],
])('a service that is %s tells a caller without a key who issues it', async (_, config, issuer) => {
  const { ask } = createImageService({}, config);
  const { json } = await ask({ query: { ...query, provider: ['ai'] } });
  expect(json).toMatchObject({ code: 'authentication_required', detail: expect.stringMatching(/issued by/) });
  expect(String(json['detail']).endsWith(issuer)).toBe(true);
});

test.each([
  ['of a page is refused with', { Referer: 'https://a.example/' }, expect.stringContaining('stay secret')],
  ['of a program is refused without', {}, expect.not.stringContaining('stay secret')],
])('an API key in the URL %s the advice to keep it secret', async (_, headers, detail) => {
  const context = { refusal: 'invalid_api_key' };
  const urlWithKey = { ...query, api_key: ['pk_live_mistyped'] };
  const { status, json } = await createImageService().ask({ query: urlWithKey, headers, context });
  expect([status, json['detail']]).toEqual([401, detail]);
});

test('the eleventh anonymous request of an hour is refused until the hour ends', async () => {
  const { ask, clock } = createImageService();
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await ask({ query, requestId: `request-${i}` })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(302), 429, 429]);
  const { headers, json } = await ask({ query, requestId: 'late' });
  expect(headers).toMatchObject({ 'Retry-After': '1504', 'X-RateLimit-Remaining': '0' });
  expect(Date.parse(headers['X-RateLimit-Reset'] ?? '')).toBe(startMs + 1_504_000);
  expect(headers['RateLimit']).toContain(';t=1504');
  expect(json['code']).toBe('rate_limited');
  await clock.advance(1_504_000);
  expect((await ask({ query, requestId: 'next' })).status).toBe(302);
});

test('a throttled counter answers 429 with Retry-After: 1, without a limit or a charge', async () => {
  for (const headers of [{}, imageTag]) {
    const { ask, counters, clock } = createImageService();
    counters.script.push('throttled');
    const { status, headers: answered } = await clock.settle(ask({ query, headers }));
    expect([status, answered['Retry-After'], listRateHeaders(answered)]).toEqual([429, '1', []]);
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['take', 'take', 'take']);
    expect((await ask({ query })).headers['X-RateLimit-Remaining']).toBe('9');
  }
});

test.each(['service_unavailable', 'generation_in_progress'] as const)(
  'a refusal %s says "not charged" only if that is known',
  async (code) => {
    const { handler, stock, counters } = createImageService();
    stock.setSearchResult({ outcome: 'refused', refusal: { code, retryAfterS: 5 } });
    const jsonOptions = { headers: { 'Content-Type': 'application/json' }, context: liveContext };
    const batch = makeProxyEvent({ ...jsonOptions, method: 'POST', route: '/api/images' });
    const body = JSON.stringify({ images: [{ slot: 'a', query: 'lake' }] });
    for (const event of [makeProxyEvent({ ...jsonOptions, query }), { ...batch, body }]) {
      expect((await handler(event)).body).toContain('not charged');
      counters.script.push('unknown');
      const { body: text, headers } = await handler(event);
      expect(text).toMatch(new RegExp(`^(?!.*not charged).*${code}`, 's'));
      expect(listRateHeaders(headers as never)).toEqual([]);
    }
  },
);

test('a refusal below /v1 has the form of OpenAI', async () => {
  const { status, json } = await createImageService().ask({ method: 'DELETE', route: '/v1/models' });
  expect([status, json]).toEqual([405, { error: expect.objectContaining({ message: expect.any(String) }) }]);
});

describe('callers without a key', () => {
  const createServiceWithLimit = () =>
    createImageService({}, { ANONYMOUS_LIMIT: { max: 12, hint: 'To change it: npm start' } });

  test('a replaced limit of callers without a key says how it is changed', async () => {
    const { ask } = createServiceWithLimit();
    for (let remaining = 11; remaining >= 0; remaining--)
      expect((await ask({ query, requestId: `r${remaining}` })).headers['X-RateLimit-Remaining']).toBe(
        `${remaining}`,
      );
    const { status, json } = await ask({ query, requestId: 'r' });
    expect(status).toBe(429);
    expect(json['detail']).toBe(
      'The limit of 12 requests per hour has been reached. It resets in 25 minutes, 13:00 UTC. To change it: npm start',
    );
  });

  const { anonymous, allAnonymous } = workPerHour;
  test.each([
    ['another limit', 12, [anonymous, allAnonymous]],
    ['no limit', unlimitedRequests, []],
  ])('the setting gives callers without a key %s of requests', async (_, max, workMax) => {
    const config = { PLANS: defaultPlans, ANONYMOUS_LIMIT: { max } };
    const services = { config, readAddressKey: async () => 'key', deadline: createDeadline(Infinity) };
    const request = { clientIp: '192.0.2.1', requestId: 'r', startedMs: 0, getHeader: () => undefined };
    const context = await readRequestContext(services as never, request as never, { kind: 'anonymous' });
    expect(context.requestLimits.map((limit) => limit.max)).toEqual([max]);
    expect(context.workLimits.map((limit) => limit.max)).toEqual(workMax);
  });

  test('the setting leaves the limit of keys as it is', async () => {
    const { headers } = await createServiceWithLimit().ask({ query, context: liveContext });
    expect(headers['X-RateLimit-Limit']).toBe(`${defaultPlans.free.monthlyRequests}`);
  });
});
