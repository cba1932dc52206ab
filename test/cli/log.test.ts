/** The log of changes, as commands write and read it: what was done to keys and accounts, by whom, and no secret. */

import { userInfo } from 'node:os';
import type { LogEntry } from '../../lambda/base/change-log';
import { type LocalFixture, startLocalFixture } from './local-fixture';

jest.setTimeout(60_000);

let fixture: LocalFixture;
const run = async <T>(...args: string[]) => (await fixture.run(...args, '--yes', '--json')).json<T>();
const log = async (since = '1h') => (await run<{ entries: LogEntry[] }>('log', '--since', since)).entries;

beforeAll(async () => {
  fixture = await startLocalFixture();
});
afterAll(() => fixture.stop());

it('has every change of keys, signers, site keys and accounts, oldest first, with who and when, and no secret', async () => {
  type Made = Record<'account' | 'key' | 'keyId' | 'signerId' | 'secret' | 'siteKey' | 'siteKeyId', string>;
  const begunMs = Date.now();
  const key = await run<Made>('keys', 'create', '--plan', 'pro');
  const of = ['--account', key.account];
  const signer = await run<Made>('keys', 'signer', 'create', ...of);
  const bound = ['--origin', 'https://example.com', '--max-per-month', '10'];
  const site = await run<Made>('keys', 'site', 'create', ...of, ...bound);
  const rotated = [
    await run<Made>('keys', 'rotate', key.keyId),
    await run<Made>('keys', 'signer', 'rotate', signer.signerId),
    await run<Made>('keys', 'site', 'rotate', site.siteKeyId),
  ];
  await run('keys', 'revoke', key.keyId);
  await run('keys', 'set-plan', key.account, 'business');
  await run('keys', 'set-name', key.account, 'Acme');
  await run('keys', 'list');
  const entries = await log();
  const { account } = key;
  expect(entries).toMatchObject([
    { action: 'key.created', id: key.keyId, account, mode: 'live' },
    { action: 'signer.created', id: key.signerId, account },
    { action: 'signer.created', id: signer.signerId, account },
    { action: 'site_key.created', id: site.siteKeyId, account },
    { action: 'key.rotated', id: key.keyId, successor: rotated[0]?.keyId },
    { action: 'signer.rotated', id: signer.signerId, successor: rotated[1]?.signerId },
    { action: 'site_key.rotated', id: site.siteKeyId, successor: rotated[2]?.siteKeyId },
    { action: 'key.revoked', id: key.keyId, account },
    { action: 'plan.changed', account, plan: 'business' },
    { action: 'account.named', account, accountName: 'Acme' },
  ]);
  for (const { at, principal } of entries) {
    expect(principal).toBe(`local user ${userInfo().username}`);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(begunMs);
  }
  const text = JSON.stringify(entries);
  for (const made of [key, signer, site, ...rotated])
    for (const secret of [made.key, made.secret, made.siteKey].filter(Boolean))
      expect(text).not.toContain(secret);
  const { stdout } = await fixture.run('log', '--since', '1h');
  expect(stdout).toMatch(/^AT +BY +ACTION +ID +ACCOUNT +DETAILS$/m);
  expect(stdout).toMatch(
    new RegExp(
      `^${entries[0]?.at} +local user \\S+ +key\\.created +${key.keyId} +${account} +mode live`,
      'm',
    ),
  );
  expect(stdout).toMatch(new RegExp(`plan\\.changed +${account} +plan business$`, 'm'));
});

it('is read from a moment on', async () => {
  const entries = await log();
  expect(await log(entries[3]?.at)).toEqual(entries.filter(({ at }) => at >= (entries[3]?.at ?? '')));
  expect(await log('2999-01-01')).toEqual([]);
  expect(await log('0')).toEqual([]);
  expect((await fixture.run('log', '--since', '2999-01-01')).stdout).toBe('Nothing was changed.\n');
  expect(await log('2020-02-29T12:00:00Z')).toEqual(entries);
});

it.each(['', 'yesterday', '5', '1w', '2026-13-01', '2026-02-30', '2026-02-31T25:00Z'])(
  'refuses --since %j with 2',
  async (since) => {
    expect(await fixture.run('log', '--since', since)).toMatchObject({ exitCode: 2, stdout: '' });
  },
);

it('refuses to be read from nowhere with 2', async () => {
  expect((await fixture.run('log')).exitCode).toBe(2);
});
