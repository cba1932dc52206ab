/** The responses of `/api/usage` and `/api/account` to each kind of caller. */

import { monthWindow } from '../../../lambda/base/window';
import { createHandler } from '../../../lambda/functions/usage/handler';
import { problems } from '../../../lambda/problems/problem';
import { createLedger } from '../../../lambda/quota/ledger';
import type { ReportAccount } from '../../../lambda/quota/usage/report-account';
import type { ReportUsage } from '../../../lambda/quota/usage/report-usage';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { type EventOptions, restEvent } from '../../fakes/rest-event';
import { createVirtualClock } from '../../fakes/virtual-clock';

const clock = createVirtualClock();
const keyed = { caller: 'live', account: 'acc_1', plan: 'pro', keyId: 'key_1' };
const window = monthWindow(clock.nowMs());

const ledger = createLedger({
  counters: createFakeQuotaCounters(),
  clock,
  telemetry: createRecordedTelemetry(),
});

const reportAccount: ReportAccount = async ({ account, plan, kind }) => ({
  account,
  plan,
  mode: kind,
  thresholds: [],
  credentials: [],
});

const shownImages = {
  of: async (_: string, { page, after }: { readonly page?: string; readonly after?: string } = {}) => {
    if (page === 'wrong') throw new RangeError('another page');
    if (after === 'wrong') throw new RangeError('no cursor');
    if (after === 'lost') throw new Error('no table');
    return { images: [] };
  },
};

const ask = (options: EventOptions, report?: ReportUsage) =>
  handlerOf(report)(restEvent({ path: '/api/usage', ...options }));

function handlerOf(report?: ReportUsage) {
  const telemetry = createRecordedTelemetry();
  const reportUsage: ReportUsage =
    report ?? (async () => ({ rateLimit: { limit: 50_000, remaining: 49_990, window }, used: 10 }));
  return createHandler({
    reportUsage,
    reportAccount,
    reportGone: async () => [{ page: 'home', picks: ['aa'] }],
    pickedImages: { about: async () => ({ isGone: true }) },
    thumbnailOf: async () => null,
    shownImages,
    ledger,
    clock,
    telemetry,
  });
}

describe('the usage route', () => {
  it('answers an account 30 times a minute, and others meanwhile', async () => {
    const context = { ...keyed, account: 'acc_busy' };
    const reports = ['/api/usage', '/api/account', '/api/credits'].map((path) => ({ path, context }));
    for (let i = 0; i < 10; i++)
      for (const report of reports) expect((await ask(report)).statusCode).toBe(200);
    for (const report of reports) {
      const { statusCode, headers, body } = await ask(report);
      expect([statusCode, JSON.parse(body).code]).toEqual([429, 'rate_limited']);
      expect(Number(headers?.['Retry-After'])).toBeLessThanOrEqual(60);
    }
    expect((await ask({ context: keyed })).statusCode).toBe(200);
  });

  it('returns the totals of a keyed caller in body and headers', async () => {
    const { statusCode, headers, body } = await ask({ context: keyed });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      account: 'acc_1',
      plan: 'pro',
      mode: 'live',
      window: { kind: 'month', start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' },
      limit: 50_000,
      used: 10,
      remaining: 49_990,
      reset: '2026-12-01T00:00:00Z',
      gone: [{ page: 'home', picks: ['aa'] }],
    });
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': '50000',
      'X-RateLimit-Remaining': '49990',
      'X-RateLimit-Reset': '2026-12-01T00:00:00Z',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
    });
  });

  it('names the account where it has a name', async () => {
    const { body } = await ask({ context: { ...keyed, accountName: 'Zoë & Co' } });
    expect(JSON.parse(body)).toMatchObject({ account: 'acc_1', accountName: 'Zoë & Co', plan: 'pro' });
  });

  it('returns what the account holds, kept by no cache', async () => {
    const { statusCode, headers, body } = await ask({ path: '/api/account', context: keyed });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ account: 'acc_1', plan: 'pro', mode: 'live' });
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', Vary: 'Authorization, X-API-Key' });
  });

  it.each([
    ['a caller without a key', { context: { caller: 'anonymous' } }, 'authentication_required'],
    ['a refused key', { context: { refusal: 'invalid_api_key' } }, 'invalid_api_key'],
    ['an outage of the authorizer', { context: { refusal: 'outage' } }, 'service_unavailable'],
    ['another method', { method: 'POST', context: keyed }, 'method_not_allowed'],
  ] as const)('refuses %s', async (_, options, code) => {
    const { statusCode, headers, body } = await ask(options);
    expect(statusCode).toBe(problems[code].status);
    expect(headers?.['Content-Type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ code, type: `https://img.example/#${code}` });
  });

  it.each([
    ['cursor', 'wrong', 400],
    ['cursor', 'lost', 500],
    ['page', 'wrong', 400],
  ])('answers a list of credits from a %s that is %s with %d', async (name, value, status) => {
    const event = restEvent({ path: '/api/credits', context: keyed });
    const answer = await handlerOf()({ ...event, multiValueQueryStringParameters: { [name]: [value] } });
    expect(answer.statusCode).toBe(status);
  });

  it.each(['page', 'cursor'])('names %s in a list of credits, where it is given twice', async (name) => {
    const event = restEvent({ path: '/api/credits', context: keyed });
    const query = { other: ['a', 'b'], [name]: ['a', 'b'] };
    const { statusCode, body } = await handlerOf()({ ...event, multiValueQueryStringParameters: query });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).parameters).toEqual([{ parameter: name, bounds: 'must be given only once' }]);
  });
});
