/** The response without an image: status, headers and texts, as a problem document or a card. */

import { hourWindow, monthWindow } from '../../../lambda/base/window';
import { defaultPlans, unlimitedRequests, workPerHour } from '../../../lambda/contract/plans';
import type { Answer as Outcome } from '../../../lambda/images/answer';
import {
  type ProblemCode,
  problems,
  type RateLimitStatus,
  type Refusal,
} from '../../../lambda/problems/problem';
import type { Limit } from '../../../lambda/quota/limit';
import type { RequestContext } from '../../../lambda/quota/request-context';
import { wellFormed } from '../../requests/well-formed';
import { createImageService, imageTag, rateOf, startMs } from './image-service';
import { liveContext } from './proxy-event';

const query = { query: ['mountain lake'] };
const hour: RateLimitStatus = { limit: 10, remaining: 0, window: hourWindow(startMs) };
const month: RateLimitStatus = { limit: 1_000, remaining: 0, window: monthWindow(startMs) };
const inHour: RateLimitStatus = { ...hour, remaining: 7 };

/** Every outcome of the use cases, with its rate limit status. */
const refusals: readonly (readonly [Refusal, RateLimitStatus | undefined])[] = [
  [{ code: 'authentication_required' }, undefined],
  [{ code: 'invalid_signature' }, undefined],
  [{ code: 'link_expired' }, undefined],
  [{ code: 'invalid_site_key' }, undefined],
  [{ code: 'origin_not_allowed' }, undefined],
  [{ code: 'not_found' }, undefined],
  [{ code: 'no_image_found' }, inHour],
  [{ code: 'image_removed' }, undefined],
  [{ code: 'content_refused' }, inHour],
  [{ code: 'rate_limited', rateLimit: hour }, hour],
  [{ code: 'quota_exceeded', rateLimit: month }, month],
  [{ code: 'generation_paused', endsMs: startMs + 90_000 }, inHour],
  [{ code: 'upstream_unavailable' }, inHour],
  [{ code: 'upstream_unavailable', retryAfterS: 60 }, inHour],
  [{ code: 'generation_in_progress', retryAfterS: 3 }, inHour],
  [{ code: 'service_unavailable', retryAfterS: 5 }, inHour],
  [{ code: 'internal_error' }, inHour],
];

const ending = (refusal: Refusal, rateLimit: RateLimitStatus | undefined) =>
  createImageService(
    async (): Promise<Outcome> => ({
      outcome: 'refused',
      refusal,
      ...(rateLimit && { payment: { state: 'refunded', units: [], rateLimit } }),
    }),
  );

describe.each(refusals.map(([refusal, rateLimit]) => [refusal.code, refusal, rateLimit] as const))(
  'the refusal %s',
  (code, refusal, rateLimit) => {
    it('is a problem document with its status, its words and the id of the request', async () => {
      const { status, headers, json } = await ending(refusal, rateLimit).ask({ query });
      expect(status).toBe(problems[code].status);
      expect(headers['Content-Type']).toBe('application/problem+json');
      expect(headers).not.toHaveProperty('X-Image-Fallback');
      expect(json).toEqual({
        type: `https://api.example.org/prod/#${code}`,
        title: problems[code].title,
        status,
        detail: expect.stringMatching(/\.$/),
        code,
        requestId: 'request-1',
      });
    });

    it('is a card with the same status for an image tag', async () => {
      const { status, headers, body } = await ending(refusal, rateLimit).ask({ query, headers: imageTag });
      expect(status).toBe(problems[code].status);
      expect(headers['Content-Type']).toBe('image/svg+xml; charset=utf-8');
      expect(headers['X-Image-Fallback']).toBe(code);
      expect(body).toContain(problems[code].title);
      expect(wellFormed(body)).toMatchObject({ name: 'svg', attributes: { width: '1920', height: '1080' } });
    });

    it(
      rateLimit ? 'says where the caller stands' : 'has no rate headers, as asking would cost a read',
      async () => {
        const { headers } = await ending(refusal, rateLimit).ask({ query });
        expect(rateOf(headers)).toHaveLength(rateLimit ? 5 : 0);
        if (rateLimit) expect(headers['X-RateLimit-Remaining']).toBe(String(rateLimit.remaining));
      },
    );
  },
);

describe('a used-up window', () => {
  it.each([
    [{ code: 'rate_limited', rateLimit: hour } as const],
    [{ code: 'quota_exceeded', rateLimit: month } as const],
  ])('names the same moment in Retry-After and in X-RateLimit-Reset: %j', async (refusal) => {
    const { headers } = await ending(refusal, refusal.rateLimit).ask({ query });
    const retryMs = startMs + Number(headers['Retry-After']) * 1_000;
    expect(retryMs).toBe(Date.parse(headers['X-RateLimit-Reset'] ?? ''));
    expect(headers['RateLimit']).toContain(`;t=${headers['Retry-After']}`);
  });

  it('applies to the eleventh anonymous request of an hour, and ends with the hour', async () => {
    const { ask, clock } = createImageService();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await ask({ query, requestId: `request-${i}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(302), 429, 429]);
    const { headers, json } = await ask({ query, requestId: 'late' });
    expect(headers).toMatchObject({ 'Retry-After': '1504', 'X-RateLimit-Remaining': '0' });
    expect(json['code']).toBe('rate_limited');
    await clock.advance(1_504_000);
    expect((await ask({ query, requestId: 'next' })).status).toBe(302);
  });
});

it('every code of the table is reached by a test of this file', () => {
  const reached = new Set<ProblemCode>([
    ...refusals.map(([{ code }]) => code),
    'invalid_parameter',
    'conflicting_parameters',
    'invalid_api_key',
    'method_not_allowed',
    // Of batches alone: test/e2e/batch.test.ts, test/pages and published-callers.test.ts.
    'credential_not_allowed',
    'unsupported_media_type',
    'content_too_large',
    'duplicate_image',
    // To the owner of an account: test/functions/api/keys.test.ts.
    'last_owner',
    'too_many_keys',
  ]);
  expect(Object.keys(problems).toSorted()).toEqual([...reached].toSorted());
});

describe('the limit of callers without a key', () => {
  const serviceWithLimit = (max: number) =>
    createImageService(undefined, undefined, {
      ANONYMOUS_LIMIT: { max, hint: 'To change it: npm start' },
    });

  it('may be replaced, and says then how it is changed', async () => {
    const { ask } = serviceWithLimit(12);
    for (let left = 11; left >= 0; left--)
      expect((await ask({ query, requestId: `r${left}` })).headers['X-RateLimit-Remaining']).toBe(`${left}`);
    const { status, json } = await ask({ query, requestId: 'r' });
    expect(status).toBe(429);
    expect(json['detail']).toBe(
      'The limit of 12 requests per hour has been reached. It resets in 25 minutes, 13:00 UTC. To change it: npm start',
    );
  });

  it('is replaced for their requests alone', async () => {
    let given: readonly Limit[] = [];
    const serve = async (_: unknown, context: RequestContext): Promise<Outcome> => {
      given = [...context.requestLimits, ...context.workLimits];
      return { outcome: 'refused', refusal: { code: 'no_image_found' } };
    };
    const { ask } = createImageService(serve, undefined, { ANONYMOUS_LIMIT: { max: 12 } });
    await ask({ query });
    expect(given.map(({ max }) => max)).toEqual([12, workPerHour.anonymous, workPerHour.allAnonymous]);
  });

  it('may be none: then nothing is counted', async () => {
    const { ask, counters } = serviceWithLimit(unlimitedRequests);
    for (let index = 0; index < 20; index++)
      expect((await ask({ query, requestId: `r${index}` })).status).toBe(302);
    expect(counters.calls).toEqual([]);
  });

  it('does not change that of keys', async () => {
    const { headers } = await serviceWithLimit(12).ask({ query, context: liveContext });
    expect(headers['X-RateLimit-Limit']).toBe(`${defaultPlans.free.monthlyRequests}`);
  });
});
