/** A key from its creation to its end, and an account's usage right to the unit, as an operator and a caller see them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PlanName, unlimitedRequests } from '../../lambda/domain/quota/plan';
import { lastMonths } from '../../lambda/domain/quota/usage';
import { runTool } from '../bin/run-tool';
import { type Answer, ask, header, pictureBehind } from './ask';
import { type RunningService, startService } from './local-service';

jest.setTimeout(180_000);

let service: RunningService;
/** Empty, as a shell may stand anywhere. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'usage-'));
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
}

/** What the tool prints for a command. */
async function keys<Printed = Issued>(...args: readonly string[]): Promise<Printed> {
  const ended = await runTool('keys.ts', [...args, '--local', service.url, '--json'], { cwd: folder });
  if (ended.exitCode !== 0) throw new Error(`${args[0]} ended with ${ended.exitCode}: ${ended.stderr}`);
  return ended.json() as Printed;
}
const create = (plan: PlanName, name: string) => keys('create', '--plan', plan, '--name', name);

const get = (key: string, path: string): Promise<Answer> =>
  ask(service.url, { path, headers: { 'X-API-Key': key } });

async function usageOf(key: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await get(key, '/api/usage');
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body);
}

/** Asks again and again until the key is refused; how long it took, in milliseconds, or the deadline. */
async function refusedAfterMs(key: string, deadlineMs: number): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    const { status, body } = await get(key, '/api/usage');
    if (status === 401) {
      expect(JSON.parse(body)).toMatchObject({ code: 'invalid_api_key' });
      return elapsedMs;
    }
    expect(status).toBe(200);
    if (elapsedMs > deadlineMs) return elapsedMs;
    await pause(250);
  }
}

/** Counters begin anew with an hour or a month, so what one turned in the middle of is done again. */
async function withinOneHour(work: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  const began = hour();
  try {
    await work();
  } catch (error) {
    if (hour() === began) throw error;
    await work();
  }
}

/** Creates a key, uses it, rotates it, and sees the end of the overlap. */
async function rotation(): Promise<void> {
  const first = await create('free', 'my key');
  expect(first.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  const answer = await get(first.key, '/api/image/320x200-sea');
  expect([answer.status, header(answer, 'x-ratelimit-remaining')]).toEqual([302, '999']);
  expect(await pictureBehind(answer)).toMatchObject({ width: 320, height: 200 });

  const overlapMs = 20_000;
  const rotatedMs = Date.now();
  const second = await keys<Issued & { readonly replaces: { readonly expiresAt: string } }>(
    'rotate',
    first.keyId,
    '--overlap',
    `${overlapMs / 1_000}s`,
  );
  expect(second.key).not.toBe(first.key);
  const endsMs = Date.parse(second.replaces.expiresAt);
  expect(endsMs).toBeGreaterThanOrEqual(rotatedMs + overlapMs);

  for (const { key } of [first, second]) {
    expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
    expect(Date.now()).toBeLessThan(endsMs);
  }
  // Both spend what is the account's.
  expect(await usageOf(second.key)).toMatchObject({ account: first.account, used: 3, remaining: 997 });

  // The function may know the key as it was before, for at most half of the minute.
  expect(await refusedAfterMs(first.key, 60_000)).toBeLessThan(60_000);
  expect(Date.now()).toBeGreaterThanOrEqual(endsMs);
  expect((await get(second.key, '/api/image/320x200-sea')).status).toBe(302);
  expect(await usageOf(second.key)).toMatchObject({ used: 4 });
}

/** Revokes a key in the middle of its use. */
async function revocation(): Promise<void> {
  const { key, keyId } = await create('pro', 'leaked');
  expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
  const { state } = await keys<Readonly<Record<string, string>>>('revoke', keyId, '--yes');
  expect(state).toBe('revoked');
  expect(await refusedAfterMs(key, 60_000)).toBeLessThan(60_000);
  const card = await ask(service.url, {
    path: '/api/image/320x200-sea',
    headers: { 'X-API-Key': key, 'Sec-Fetch-Dest': 'image' },
  });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([401, 'invalid_api_key']);
}

describe('the life of a key', () => {
  // Together, because both wait until the service looks at a key again.
  test('a rotated key works until its overlap ends, its successor on; a revoked one is refused within 60 seconds', async () => {
    await Promise.all([withinOneHour(rotation), withinOneHour(revocation)]);
  });

  test('revoked or rotated without an overlap before anybody used it, it never works', async () => {
    const revoked = await create('free', 'never used');
    await keys('revoke', revoked.keyId, '--yes');
    expect((await get(revoked.key, '/api/usage')).status).toBe(401);
    const rotated = await create('free', 'never used either');
    await keys('rotate', rotated.keyId, '--overlap', '0', '--yes');
    expect((await get(rotated.key, '/api/usage')).status).toBe(401);
  });
});

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
  const limits = { free: 1_000, pro: 50_000, business: 500_000, enterprise: unlimitedRequests } as const;
  const totals = (plan: PlanName) => ({
    plan,
    mode: 'live',
    limit: limits[plan],
    used: 5,
    remaining: limits[plan] === unlimitedRequests ? unlimitedRequests : limits[plan] - 5,
  });

  test('free: the totals, and nothing else', () =>
    withinOneHour(async () => {
      const { key, account } = await create('free', 'free');
      await useIt(key);
      const usage = await usageOf(key);
      expect(usage).toMatchObject({ account, ...totals('free') });
      expect(usage).not.toHaveProperty('breakdown');
      expect(usage).not.toHaveProperty('history');
      expect(await keys<object>('usage', account)).toEqual(usage);
    }));

  /** The variation is answered without a charge, so it is one more than what was used. */
  const answered = {
    requests: 6,
    bySource: { stock_a: 2, stock_b: 1, ai: 3 },
    byCache: { HIT: expect.any(Number), MISS: expect.any(Number) },
  };

  test('pro: by day, source and cache too', () =>
    withinOneHour(async () => {
      const month = new Date().toISOString().slice(0, 7);
      const { key, account } = await create('pro', 'pro');
      await useIt(key);
      const usage = await usageOf(key);
      const day = { date: expect.stringMatching(`^${month}-\\d\\d$`), ...answered };
      expect(usage).toMatchObject({
        account,
        ...totals('pro'),
        breakdown: { month, ...answered, byDay: [day] },
      });
      expect(usage['breakdown']).not.toHaveProperty('byKey');
      expect(usage).not.toHaveProperty('history');
      const { byCache } = usage['breakdown'] as { readonly byCache: Readonly<Record<string, number>> };
      expect((byCache['HIT'] ?? 0) + (byCache['MISS'] ?? 0)).toBe(6);
      expect(await keys<object>('usage', account)).toEqual(usage);
    }));

  test.each(['business', 'enterprise'] as const)('%s: by key and over 13 months too', (plan: PlanName) =>
    withinOneHour(async () => {
      const month = new Date().toISOString().slice(0, 7);
      const { key, keyId, account } = await create(plan, 'web site');
      const other = await keys('create', '--account', account, '--name', 'app');
      await useIt(key);
      expect((await get(other.key, '/api/image/320x200-usage-of-an-account')).status).toBe(302);
      const usage = await usageOf(key);
      const { used, remaining } = totals(plan);
      const isUnlimited = remaining === unlimitedRequests;
      expect(usage).toMatchObject({ used: used + 1, remaining: isUnlimited ? remaining : remaining - 1 });
      const byKey = [
        { keyId, name: 'web site', requests: 6 },
        { keyId: other.keyId, name: 'app', requests: 1 },
      ];
      const sums = { ...answered, requests: 7, bySource: { ...answered.bySource, stock_a: 3 } };
      expect(usage).toMatchObject({ breakdown: { month, ...sums, byKey } });
      const history = usage['history'] as readonly { readonly month: string; readonly requests: number }[];
      expect(history.map((each) => each.month)).toEqual(lastMonths(Date.now(), 13));
      expect(history.map(({ requests }) => requests)).toEqual([...Array(12).fill(0), 7]);
      expect(history.at(-1)).toMatchObject({ byKey });
      expect(await keys<object>('usage', account)).toEqual(usage);
    }),
  );

  test('of a test key is its hour alone, and the quota stays whole', () =>
    withinOneHour(async () => {
      const live = await create('business', 'live');
      const { key } = await keys('create', '--account', live.account, '--test', '--name', 'staging');
      for (let i = 0; i < 3; i++) expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
      expect(await usageOf(key)).toMatchObject({ mode: 'test', limit: 100, used: 3, remaining: 97 });
      expect(await usageOf(live.key)).toMatchObject({ mode: 'live', used: 0 });
    }));
});
