/** The keys command from the outside: its output and its exit codes. */

import { defaultPlans } from '../../../lambda/contract/plans';
import { hashApiKey } from '../../../lambda/credentials/api-key';
import { createApiKeys } from '../../../lambda/credentials/dynamodb/api-keys';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { allowanceOf } from '../../../lambda/quota/quota';
import { accountId } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import type { Ended } from '../run-tool';
import { type LocalStage, startLocalStage } from './local-stage';
import { runKeys } from './run-keys';

jest.setTimeout(60_000);

interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
  readonly plan: 'free';
}

describe('npm run keys', () => {
  let stage: LocalStage;
  const ended: Ended[] = [];
  const run = async (...args: string[]) => {
    const end = await stage.run(...args);
    ended.push(end);
    return end;
  };
  const create = async (...args: string[]) => (await run('create', '--json', ...args)).json<Issued>();
  const recordOf = async (key: string) => {
    const keys = createApiKeys(stage.engine.client, stage.engine.tableNames.apiKeys);
    return keys.find(hashApiKey(key));
  };

  beforeAll(async () => {
    stage = await startLocalStage();
  });
  afterAll(async () => {
    await stage.stop();
    // Whatever was done above, no key was written where logs are made of.
    expect(ended.map(({ stderr }) => stderr).join('')).not.toMatch(/pk_(live|test)_\w{10}/);
  });

  it('creates a live key of a new account and prints one JSON object', async () => {
    const end = await run('create', '--plan', 'pro', '--name', 'my key', '--json');
    expect(end.exitCode).toBe(0);
    expect(end.stdout.trimEnd().split('\n')).toHaveLength(1);
    const issued = end.json<Issued>();
    expect(issued).toEqual({
      key: expect.stringMatching(/^pk_live_\w{38}$/),
      keyId: expect.stringMatching(/^key_/),
      mode: 'live',
      account: expect.stringMatching(/^acc_/),
      plan: 'pro',
      name: 'my key',
      createdAt: expect.any(String),
    });
    expect(await recordOf(issued.key)).toMatchObject({ keyId: issued.keyId, plan: 'pro', mode: 'live' });
    expect(end.stderr).toContain('cannot be shown again');
  });

  it('shows people a new key with a warning, and never again', async () => {
    const { stdout } = await run('create', '--name', 'for people');
    const [key = ''] = /pk_live_\w+/.exec(stdout) ?? [];
    const [keyId = ''] = /key_\w+/.exec(stdout) ?? [];
    expect(await recordOf(key)).toMatchObject({ plan: 'free', name: 'for people' });
    const shown = await run('show', keyId);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('for people');
    expect(shown.stdout).not.toContain(key.slice(0, 20));
    expect((await run('show', keyId, '--json')).stdout).not.toContain('hash');
  });

  it('adds a test key to an account, on that account’s plan', async () => {
    const first = await create('--plan', 'business');
    const second = await create('--account', first.account, '--test');
    expect(second).toMatchObject({ account: first.account, plan: 'business', mode: 'test' });
    expect(second.key).toMatch(/^pk_test_/);
    const listed = (await run('list', '--account', first.account, '--json')).json<Issued[]>();
    expect(listed.map(({ keyId }) => keyId)).toEqual([first.keyId, second.keyId]);
    const contradicting = await run('create', '--account', first.account, '--plan', 'free');
    expect([contradicting.exitCode, contradicting.stdout]).toEqual([2, '']);
  });

  it('rotates with an overlap: a new key, and an end for the old one', async () => {
    const old = await create();
    const beforeMs = Date.now();
    const rotated = (await run('rotate', old.keyId, '--overlap', '2h', '--json')).json<
      Issued & { readonly replaces: { readonly keyId: string; readonly expiresAt: string } }
    >();
    expect(rotated.key).not.toBe(old.key);
    expect(rotated).toMatchObject({ account: old.account, replaces: { keyId: old.keyId } });
    const endsInMs = Date.parse(rotated.replaces.expiresAt) - beforeMs;
    expect(endsInMs).toBeGreaterThanOrEqual(7_200_000);
    expect(endsInMs).toBeLessThan(7_260_000);
    expect((await recordOf(old.key))?.expiresAt).toBe(rotated.replaces.expiresAt);
    expect((await run('show', old.keyId, '--json')).json()).toMatchObject({ state: 'expiring' });
  });

  it('revokes only with confirmation', async () => {
    const { key, keyId } = await create();
    const unsure = await run('revoke', keyId);
    expect([unsure.exitCode, unsure.stdout]).toEqual([4, '']);
    expect(unsure.stderr).toContain('--yes');
    expect((await recordOf(key))?.revokedAt).toBeUndefined();
    const sure = await run('revoke', keyId, '--yes', '--json');
    expect(sure.exitCode).toBe(0);
    expect(sure.json()).toMatchObject({ keyId, state: 'revoked', revokedAt: expect.any(String) });
    expect((await recordOf(key))?.revokedAt).toBeDefined();
    expect((await run('rotate', keyId)).exitCode).toBe(1);
  });

  it('asks for confirmation before a rotation without an overlap, which ends the old key', async () => {
    const { key, keyId } = await create();
    const unsure = await run('rotate', keyId, '--overlap', '0');
    expect([unsure.exitCode, unsure.stdout]).toEqual([4, '']);
    expect(unsure.stderr).toContain('within a minute');
    expect((await recordOf(key))?.expiresAt).toBeUndefined();
    const sure = await run('rotate', keyId, '--overlap', '0', '--yes');
    expect(sure.exitCode).toBe(0);
    expect(sure.stdout).toMatch(/Which ends +\S+Z, everywhere within a minute\n/);
    expect((await run('show', keyId, '--json')).json()).toMatchObject({ state: 'expired' });
    expect(Date.parse((await recordOf(key))?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('names an account, and shows the name wherever the account is shown', async () => {
    const first = await create('--account-name', ' Acme ', '--name', 'shop');
    expect(first).toMatchObject({ accountName: 'Acme', name: 'shop' });
    const { account } = first;
    expect(await create('--account', account)).toMatchObject({ accountName: 'Acme' });
    const contradicting = await run('create', '--account', account, '--account-name', 'Other');
    expect([contradicting.exitCode, contradicting.stderr]).toEqual([
      2,
      expect.stringContaining('keys set-name'),
    ]);
    const end = await run('set-name', account, 'Zoë & Co', '--json');
    expect(end.json()).toEqual({ account, accountName: 'Zoë & Co', keys: 2 });
    expect((await recordOf(first.key))?.accountName).toBe('Zoë & Co');
    expect((await run('set-name', account, 'Zoë & Co')).stdout).toContain('within a minute');
    for (const command of [
      ['list', '--account', account],
      ['show', first.keyId],
      ['usage', account],
    ])
      expect((await run(...command)).stdout).toContain('Zoë & Co');
    for (const command of [
      ['show', first.keyId],
      ['usage', account],
    ])
      expect((await run(...command, '--json')).json()).toMatchObject({ accountName: 'Zoë & Co' });
    expect((await run('usage', (await create()).account, '--json')).json()).not.toHaveProperty('accountName');
  });

  it('sets the plan of all keys of an account', async () => {
    const first = await create();
    const second = await create('--account', first.account);
    const end = await run('set-plan', first.account, 'enterprise', '--json');
    expect(end.json()).toEqual({ account: first.account, plan: 'enterprise', keys: 2 });
    expect((await run('set-plan', first.account, 'enterprise')).stdout).toContain('within a minute');
    for (const { key } of [first, second]) expect((await recordOf(key))?.plan).toBe('enterprise');
  });

  it('reads an account’s usage back, right to the unit', async () => {
    const { account, plan, keyId } = await create();
    const counters = createQuotaCounters(
      stage.engine.client,
      stage.engine.tableNames.quotaCounters,
      createRecordedTelemetry(),
    );
    const caller = { kind: 'live', account: accountId(account), plan, keyId } as const;
    for (let i = 0; i < 3; i++)
      await counters.consume(allowanceOf(caller, '', defaultPlans, Date.now()), `${i}`);
    const end = await run('usage', account, '--json');
    expect(end.json()).toMatchObject({ account, mode: 'live', used: 3, limit: 1_000, remaining: 997 });
    expect((await run('usage', account)).stdout).toMatch(/Used +3\n/);
    expect((await run('usage', account, '--test', '--json')).json()).toMatchObject({ mode: 'test', used: 0 });
  });

  it('lists all keys as a table', async () => {
    const { keyId } = await create('--name', 'listed');
    const { stdout } = await run('list');
    expect(stdout.split('\n')[0]).toMatch(
      /^KEY ID +ACCOUNT +ACCOUNT NAME +PLAN +MODE +STATE +CREATED +NAME$/,
    );
    expect(stdout).toMatch(new RegExp(`${keyId} .* listed`));
  });

  it.each([
    ['an unknown key', ['show', 'key_nowhere'], 3, 'key_nowhere'],
    ['an unknown account', ['usage', 'acc_nowhere'], 3, 'acc_nowhere'],
    ['an unknown account for a plan', ['set-plan', 'acc_nowhere', 'pro'], 3, 'acc_nowhere'],
    ['an unknown account for a name', ['set-name', 'acc_nowhere', 'Acme'], 3, 'acc_nowhere'],
    ['an empty name', ['set-name', 'acc_nowhere', ' '], 2, '1 to 100 characters'],
    ['a name with a line break', ['create', '--account-name', 'a\nb'], 2, '--account-name'],
    ['an unknown account for a key', ['create', '--account', 'acc_nowhere'], 3, 'acc_nowhere'],
    ['an unknown plan', ['create', '--plan', 'gold'], 2, 'free, pro, business, enterprise'],
    ['an unknown command', ['delete'], 2, 'create, list'],
    ['an unknown option', ['list', '--everything'], 2, '--everything'],
    ['a missing argument', ['revoke'], 2, 'KEY_ID'],
    ['a time without a unit', ['rotate', 'key_1', '--overlap', '24'], 2, '24h'],
    ['a key in place of its id', ['revoke', `pk_live_${'a'.repeat(38)}`], 2, 'not a key id'],
    ['a key in place of a command', [`pk_live_${'a'.repeat(38)}`], 2, 'create, list'],
    ['a key in place of an account', ['usage', `pk_live_${'a'.repeat(38)}`], 3, 'no account'],
    ['a key too many', ['show', 'key_1', `pk_live_${'a'.repeat(38)}`], 2, 'many arguments'],
    ['an option that is nearly right', ['list', '--acount', 'acc_1'], 2, '--account'],
    ['a region without a stack', ['list', '--region', 'eu-west-1'], 2, '--local'],
  ])('ends in one line about %s', async (_, args, exitCode, words) => {
    const end = await run(...args);
    expect(end.exitCode).toBe(exitCode);
    expect(end.stderr).toContain(words);
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(end.stdout).toBe('');
  });

  it('finds the service that runs by its note, and skips notes of processes that have ended', async () => {
    stage.note('1.json', { url: 'http://127.0.0.1:1', pid: 2 ** 30 });
    stage.note('2.json', 'being written');
    const none = await runKeys(['list'], { cwd: stage.folder });
    expect([none.exitCode, none.stdout]).toEqual([5, '']);
    expect(none.stderr).toContain('npm start');
    stage.note('3.json', { url: stage.url, pid: process.pid });
    expect((await runKeys(['list', '--json'], { cwd: stage.folder })).exitCode).toBe(0);
    stage.note('4.json', { url: 'http://127.0.0.1:4', pid: process.pid });
    const several = await runKeys(['list'], { cwd: stage.folder });
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain('--local');
  });

  it('reports that no service answers at the URL', async () => {
    const end = await runKeys(['list', '--local', 'http://127.0.0.1:9'], { cwd: stage.folder });
    expect(end.exitCode).toBe(5);
    expect(end.stderr).toContain('Is it running?');
  });

  it.each([[[]], [['help']], [['help', 'rotate']], [['create', '--help']]])(
    'explains itself: %j',
    async (args) => {
      const end = await runKeys(args, { cwd: stage.folder });
      expect([end.exitCode, end.stderr]).toEqual([0, '']);
      expect(end.stdout).toContain('Examples');
      expect(Math.max(...end.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    },
  );
});
