/** The responses of `/api/usage` to each kind of caller. */

import { computeHourWindow, formatIsoSeconds } from '../../../lambda/base/window';
import { defaultPlans } from '../../../lambda/contract/plans';
import { createApiHandler } from '../../../lambda/functions/api/handler';
import { problems } from '../../../lambda/problems/problem';
import {
  getQuotaLimit,
  listRequestLimits,
  makeGenerationMonthLimit,
} from '../../../lambda/quota/caller-limits';
import type { Limit } from '../../../lambda/quota/limit';
import { takeUnits } from '../../../lambda/quota/take';
import { createVirtualClock } from '../../fakes/clock';
import { createScriptedServices } from '../../fakes/image-services';
import { createFakeLimits } from '../../fakes/limits';
import { type EventOptions, makeRestEvent } from '../../fakes/rest-event';
import { makeAccountId } from '../../fakes/values';

const clock = createVirtualClock();
const keyed = { caller: 'live', account: 'acc_1', plan: 'pro', keyId: 'key_1' };
const caller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'key_1' } as const;
const limits = createFakeLimits(clock);

const { services, listUsage } = createScriptedServices({}, { clock, limits });
const handler = createApiHandler(services);
const ask = (options: EventOptions) => handler(makeRestEvent({ path: '/api/usage', ...options }));

describe('GET /api/usage', () => {
  test('the usage route refuses the 31st request of an account within a minute', async () => {
    const context = { ...keyed, account: 'acc_busy' };
    for (let i = 0; i < 30; i++) expect((await ask({ context })).statusCode).toBe(200);
    const { statusCode, headers, body } = await ask({ context });
    expect([statusCode, JSON.parse(body).code]).toEqual([429, 'rate_limited']);
    expect(Number(headers?.['Retry-After'])).toBeLessThanOrEqual(60);
    // What asks for usage is none.
    expect(listUsage()).toEqual([]);
    expect((await ask({ context: keyed })).statusCode).toBe(200);
  });

  test('the usage route returns the totals of a keyed caller in body and headers', async () => {
    const spendUnits = (count: number, limit: Limit) =>
      Promise.all(Array.from({ length: count }, (_, i) => takeUnits(services, [limit], `r${i}`)));
    await spendUnits(10, getQuotaLimit(listRequestLimits(caller, '', defaultPlans, clock.nowMs())));
    await spendUnits(7, makeGenerationMonthLimit(caller, defaultPlans, clock.nowMs()));
    const { statusCode, headers, body } = await ask({ context: keyed });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      account: 'acc_1',
      plan: 'pro',
      mode: 'live',
      window: { kind: 'month', start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' },
      limit: 50_000,
      used: 10,
      remaining: 49_990,
      reset: '2026-12-01T00:00:00Z',
      generations: { limit: 500, used: 7, remaining: 493, reset: '2026-12-01T00:00:00Z' },
    });
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': '50000',
      'X-RateLimit-Remaining': '49990',
      'X-RateLimit-Reset': '2026-12-01T00:00:00Z',
      'Cache-Control': 'no-store',
      Vary: 'Authorization, X-API-Key',
      'Access-Control-Allow-Origin': '*',
    });
  });

  test('the usage route shows a test key only its hour', async () => {
    const { body } = await ask({ context: { ...keyed, plan: 'business', caller: 'test' } });
    const { kind, label: _, startMs, endsMs } = computeHourWindow(clock.nowMs());
    const window = { kind, start: formatIsoSeconds(startMs), end: formatIsoSeconds(endsMs) };
    const { breakdown, history, ...totals } = JSON.parse(body);
    expect(totals).toMatchObject({ mode: 'test', window, limit: 100, used: 0 });
    expect([breakdown, history]).toEqual([undefined, undefined]);
  });

  test('the usage route names the account where it has a name', async () => {
    const { body } = await ask({ context: { ...keyed, accountName: 'Zoë & Co' } });
    expect(JSON.parse(body)).toMatchObject({ account: 'acc_1', accountName: 'Zoë & Co', plan: 'pro' });
  });

  test.each([
    ['a caller without a key', { context: { caller: 'anonymous' } }, 'authentication_required'],
    ['a refused key', { context: { refusal: 'invalid_api_key' } }, 'invalid_api_key'],
    ['an outage of the authorizer', { context: { refusal: 'service_unavailable' } }, 'service_unavailable'],
    ['another method', { method: 'POST', context: keyed }, 'method_not_allowed'],
  ] as const)('the usage route refuses %s', async (_, options, code) => {
    const { statusCode, headers, body } = await ask(options);
    expect(statusCode).toBe(problems[code].status);
    expect(headers?.['Content-Type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ code, type: `https://img.example/#${code}` });
  });
});
