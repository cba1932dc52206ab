/** An account's usage, exact to the unit, as the account and its operator read it. */

import type { PlanName } from '../../lambda/contract/plans';
import { lastMonths } from '../../lambda/quota/usage/report-usage';
import { type Operation, startOperation, withinOneHour } from './keys/operation';

jest.setTimeout(180_000);

let operation: Operation;
beforeAll(async () => {
  operation = await startOperation();
});
afterAll(() => operation?.close());

const keys: Operation['keys'] = (...args) => operation.keys(...args);
const create = (plan: PlanName, name: string) => keys('create', '--plan', plan, '--name', name);
const get: Operation['get'] = (key, path) => operation.get(key, path);
const usageOf: Operation['usageOf'] = (key) => operation.usageOf(key);

/** Five that are charged, and four that are not. */
async function useIt(key: string): Promise<void> {
  const charged = [
    '/api/image/320x200-usage-of-an-account',
    '/api/image/320x200-usage-of-an-account',
    '/api/image?query=usage+of+an+account&width=320&height=200&provider=stock_b',
    '/api/image/320x200-usage-of-an-account?provider=ai',
    '/api/image/320x200-usage-of-an-account?provider=ai',
  ];
  for (const path of charged) expect((await get(key, path)).status).toBe(302);
  const free: readonly (readonly [path: string, status: number])[] = [
    ['/api/image/320x200-usage-of-an-account?provider=ai&variation=1', 302],
    ['/api/image/99x99-too-small', 400],
    ['/api/image/nothing', 400],
    ['/api/usage', 200],
  ];
  for (const [path, status] of free) expect([path, (await get(key, path)).status]).toEqual([path, status]);
}

describe('usage', () => {
  test('of a business account is by day, source, cache and key, and over 13 months', () =>
    withinOneHour(async () => {
      const month = new Date().toISOString().slice(0, 7);
      const { key, keyId, account } = await create('business', 'web site');
      const other = await keys('create', '--account', account, '--name', 'app');
      expect((await get(other.key, '/api/image/320x200-usage-of-an-account')).status).toBe(302);
      await useIt(key);
      const usage = await usageOf(key);
      expect(usage).toMatchObject({ plan: 'business', limit: 500_000, used: 6, remaining: 499_994 });
      const byKey = [
        { keyId, name: 'web site', requests: 5, free: 1 },
        { keyId: other.keyId, name: 'app', requests: 1, free: 0 },
      ];
      // What was used is what days, sources and keys have paid; the free variation stands apart.
      const sums = {
        requests: 6,
        free: 1,
        bySource: { stock_a: 3, stock_b: 1, ai: 2 },
        byCache: { HIT: expect.any(Number), MISS: expect.any(Number) },
      };
      const day = { date: expect.stringMatching(`^${month}-\\d\\d$`), ...sums };
      expect(usage).toMatchObject({ breakdown: { month, ...sums, byDay: [day], byKey } });
      const history = usage['history'] as readonly { readonly month: string; readonly requests: number }[];
      expect(history.map((each) => each.month)).toEqual(lastMonths(Date.now(), 13));
      expect(history.map(({ requests }) => requests)).toEqual([...Array(12).fill(0), 6]);
      expect(history.at(-1)).toMatchObject({ byKey });
      expect(await keys<object>('usage', account)).toEqual(usage);
    }));

  test('of a test key is its hour alone, and the quota stays whole', () =>
    withinOneHour(async () => {
      const live = await create('business', 'live');
      const { key } = await keys('create', '--account', live.account, '--test', '--name', 'staging');
      for (let i = 0; i < 3; i++) expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
      expect(await usageOf(key)).toMatchObject({ mode: 'test', limit: 100, used: 3, remaining: 97 });
      expect(await usageOf(live.key)).toMatchObject({ mode: 'live', used: 0 });
    }));
});
