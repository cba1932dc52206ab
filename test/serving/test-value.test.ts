/** Test values of `query`: each answers as its real case does, and charges nothing. */

import { defaultPlans, unlimitedRequests } from '../../lambda/contract/plans';
import { testSlowMs, testValues } from '../../lambda/contract/test-values';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { AiDecision } from '../../lambda/generation/decide-ai-request';
import { listWorkLimits } from '../../lambda/quota/caller-limits';
import type { Limit } from '../../lambda/quota/limit';
import { takeUnits } from '../../lambda/quota/take';
import { makeTestRefusal } from '../../lambda/serving/test-value';
import { makeAccountId, makeContext, servedImage } from '../fakes/values';
import { createImageService, imageTag, listRateHeaders, startMs } from '../functions/api/image-service';
import { liveContext } from '../functions/api/proxy-event';

const testKey = { ...liveContext, caller: 'test' };
const testCaller: KeyedCaller = { kind: 'test', account: makeAccountId('acc_1'), plan: 'free', keyId: 'k' };
const [workOfTests] = listWorkLimits(testCaller, '', startMs) as [Limit];
const ask = async (value: string, context: Readonly<Record<string, string>> = testKey, headers = {}) => {
  const service = createImageService();
  const asking = service.ask({ query: { query: [`test:${value}`] }, context, headers });
  return { service, ...(await service.clock.settle(asking)) };
};

describe('test values', () => {
  test.each([
    ['none', 404, 'no_image_found'],
    ['quota', 429, 'quota_exceeded'],
    ['rate', 429, 'rate_limited'],
    ['generating', 503, 'generation_in_progress'],
    ['refused', 422, 'content_refused'],
    ['error', 500, 'internal_error'],
  ])(
    '%s is answered as the refusal, with its document, its card and the rate limit status',
    async (value, status, code) => {
      const answer = await ask(value);
      expect(answer).toMatchObject({ status, json: { status, code } });
      expect(listRateHeaders(answer.headers)).toHaveLength(5);
      const card = await ask(value, testKey, imageTag);
      expect(card.status).toBe(status);
      expect(card.headers).toMatchObject({
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'X-Image-Fallback': code,
      });
    },
  );

  test('a test value says when to retry: after the month, after the hour, in a few seconds', async () => {
    const [quota, rate, generating] = await Promise.all([ask('quota'), ask('rate'), ask('generating')]);
    expect(quota.headers).toMatchObject({
      'X-RateLimit-Limit': String(defaultPlans.free.monthlyRequests),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '2026-12-01T00:00:00Z',
    });
    expect(rate.headers).toMatchObject({ 'X-RateLimit-Remaining': '0', 'Retry-After': '1504' });
    expect(generating.headers['Retry-After']).toBe('5');
  });

  test.each([
    ['loose', { 'X-Image-Fit': 'loose' }, 0],
    ['slow', { 'X-Image-Source': 'stock_a' }, testSlowMs],
    ['gone', { 'X-Image-Fallback': 'gone' }, 0],
  ])('%s is answered with an image', async (value, headers, tookMs) => {
    const { service, ...answer } = await ask(value);
    expect(answer).toMatchObject({ status: 302, headers: { Location: servedImage.location, ...headers } });
    expect(service.clock.nowMs() - startMs).toBe(tookMs);
  });

  test('loose adds no fit to an AI image', async () => {
    const image = { ...servedImage, source: 'ai' } as const;
    const service = createImageService({
      decideAndReserve: async () => ({ kind: 'await' }) as AiDecision,
      obtainAiImage: async () => ({ outcome: 'served', image, cache: 'HIT' }),
    });
    const query = { query: ['test:loose'], provider: ['ai'] };
    const { status, headers } = await service.ask({ query, context: testKey });
    expect([status, headers['X-Image-Fit']]).toEqual([302, undefined]);
  });

  test.each([
    ['gone', 1],
    ['slow', 1],
    ['loose', 0],
  ])('%s takes %i units of the work of its account', async (value, units) => {
    const { service } = await ask(value);
    expect(await service.counters.readUsedUnits(workOfTests)).toBe(units);
  });

  test.each(['gone', 'slow'])('%s is refused at once when the work of the hour is used up', async (value) => {
    const service = createImageService();
    for (let i = 0; i < workOfTests.max; i++) await takeUnits(service.counters.services, [workOfTests], 'r');
    const answer = await service.ask({ query: { query: [`test:${value}`] }, context: testKey });
    expect(answer).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  });

  test('the metric of refusals counts no test value', async () => {
    const { service } = await ask('error');
    expect(service.lines.join('')).not.toContain('"refusals"');
    const missed = await service.ask({ query: { query: ['lake'], width: ['-1'] } });
    expect([missed.status, service.lines.join('')]).toEqual([400, expect.stringContaining('"refusals"')]);
  });

  test.each(testValues)('the test value %s costs nothing', async (value) => {
    const { service } = await ask(value);
    const { headers } = await service.ask({ query: { query: ['lake'] }, context: testKey });
    expect(headers['X-RateLimit-Remaining']).toBe('99');
  });

  test.each([
    ['quota', 'quota_exceeded', '2026-12-01T00:00:00Z'],
    ['rate', 'rate_limited', '2026-11-21T13:00:00Z'],
  ])('%s names the same limit to a live key, at a slot of the sandbox', async (value, code, reset) => {
    const query = { query: [`test:${value}`], provider: ['stock_c'] };
    const answer = await createImageService().ask({ query, context: liveContext });
    expect(answer).toMatchObject({ status: 429, json: { code }, headers: { 'X-RateLimit-Reset': reset } });
  });

  test('rate names the hour of test keys where the address has no limit', async () => {
    const unlimited = { ...workOfTests, max: unlimitedRequests };
    const context = makeContext(testCaller, startMs, { requestLimits: [unlimited] });
    const { services } = createImageService();
    expect(makeTestRefusal(services, 'rate', context)).toMatchObject({
      code: 'rate_limited',
      rateLimit: { limit: 100, remaining: 0, window: unlimited.window },
    });
  });
});
