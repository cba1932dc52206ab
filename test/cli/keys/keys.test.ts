/** The keys command from the outside: its output and its exit codes. */

import { userInfo } from 'node:os';
import { untimed } from '../../../lambda/aws/dynamodb';
import { defaultPlans } from '../../../lambda/contract/plans';
import { hashApiKey } from '../../../lambda/credentials/api-key';
import { findKey } from '../../../lambda/credentials/key-store';
import { requestLimitsOf } from '../../../lambda/quota/caller-limits';
import { take } from '../../../lambda/quota/take';
import { addUsage } from '../../../lambda/quota/usage/usage';
import { accountId } from '../../fakes/branded';
import { servicesOn } from '../../fakes/services';
import { type LocalFixture, startLocalFixture } from '../local-fixture';
import { type Ended, expectRefusal, runTool } from '../run-tool';

interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
  readonly plan: 'free';
}

describe('npm run keys', () => {
  let fixture: LocalFixture;
  const ended: Ended[] = [];
  const run = async (...args: string[]) => {
    const end = await fixture.run('keys', ...args);
    ended.push(end);
    return end;
  };
  const create = async (...args: string[]) => (await run('create', '--json', ...args)).json<Issued>();
  const recordOf = async (key: string) => {
    const { database, tableNames } = fixture.engine;
    return findKey({ ...untimed(database), tables: tableNames }, hashApiKey(key));
  };

  beforeAll(async () => {
    fixture = await startLocalFixture();
  });
  afterAll(async () => {
    await fixture.stop();
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
      role: 'owner',
      prefix: issued.key.slice(0, 12),
      name: 'my key',
      createdAt: expect.any(String),
      createdBy: `local user ${userInfo().username}`,
      signerId: expect.stringMatching(/^sg_live_/),
    });
    expect(await recordOf(issued.key)).toMatchObject({ keyId: issued.keyId, plan: 'pro', mode: 'live' });
    expect(end.stderr).toContain('cannot be shown again');
  });

  it('shows people a new key with a warning, and never again', async () => {
    const { stdout } = await run('create', '--name', 'for people');
    const [key = ''] = /pk_live_\w+/.exec(stdout) ?? [];
    const [keyId = ''] = /key_\w+/.exec(stdout) ?? [];
    expect(stdout).toMatch(/\nSigner id +sg_live_\w{12}\n$/);
    expect(await recordOf(key)).toMatchObject({ plan: 'free', name: 'for people' });
    const shown = await run('show', keyId);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('for people');
    expect(shown.stdout).not.toContain(key.slice(0, 20));
    expect((await run('show', keyId, '--json')).stdout).not.toContain('hash');
  });

  it('adds a test key to an account, on that account’s plan', async () => {
    const first = await create('--plan', 'business');
    const between = await create();
    const second = await create('--account', first.account, '--test');
    expect(second).toMatchObject({ account: first.account, plan: 'business', mode: 'test' });
    const accounts = (await run('list', '--json')).json<Issued[]>().map(({ account }) => account);
    expect(accounts).toContain(between.account);
    expect(accounts).toEqual([...accounts].sort());
    expect(second.key).toMatch(/^pk_test_/);
    const listed = (await run('list', '--account', first.account, '--json')).json<Issued[]>();
    expect(listed.map(({ keyId }) => keyId)).toEqual([first.keyId, second.keyId]);
    for (const own of [
      ['--plan', 'business'],
      ['--account-name', 'Acme'],
    ])
      expectRefusal(await run('create', '--account', first.account, ...own), 2, "used with option '--");
  });

  it('names an account, and shows the name wherever the account is shown', async () => {
    const first = await create('--account-name', ' Acme ', '--name', 'shop');
    expect(first).toMatchObject({ accountName: 'Acme', name: 'shop' });
    const { account } = first;
    expect(await create('--account', account)).toMatchObject({ accountName: 'Acme' });
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
    expect((await run('set-plan', first.account, 'pro')).stdout).toContain('is on plan pro, with its 1 key.');
    const second = await create('--account', first.account);
    const end = await run('set-plan', first.account, 'enterprise', '--json');
    expect(end.json()).toEqual({ account: first.account, plan: 'enterprise', keys: 2 });
    expect((await run('set-plan', first.account, 'enterprise')).stdout).toContain('within a minute');
    for (const { key } of [first, second]) expect((await recordOf(key))?.plan).toBe('enterprise');
  });

  it('reads an account’s usage back, right to the unit', async () => {
    const { account, plan, keyId } = await create();
    const services = servicesOn(fixture.engine);
    const caller = { kind: 'live', account: accountId(account), plan, keyId } as const;
    for (let i = 0; i < 3; i++)
      await take(services, requestLimitsOf(caller, '', defaultPlans, Date.now()), `${i}`);
    const end = await run('usage', account, '--json');
    expect(end.json()).toMatchObject({ account, mode: 'live', used: 3, limit: 1_000, remaining: 997 });
    const lines = (await run('usage', account)).stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['Account', account],
      ['Plan', 'free'],
      ['Mode', 'live'],
      ['Used', '3'],
      ['Limit', '1,000'],
      ['Remaining', '997'],
      ['Resets', expect.stringMatching(/^\d{4}-\d\d-01T00:00:00Z$/)],
      ['AI images', '0 of 25 this month'],
      ['AI images, all accounts', '0 of 100 today'],
      [''],
    ]);
    expect((await run('usage', account, '--test', '--json')).json()).toMatchObject({ mode: 'test', used: 0 });
  });

  it('shows people where its requests came from, by day, key, refusal and month', async () => {
    const { account, keyId } = await create('--plan', 'business', '--name', 'shop');
    const day = new Date().toISOString().slice(0, 10);
    const services = { ...untimed(fixture.engine.database), tables: fixture.engine.tableNames };
    const counts = [
      { source: 'stock_a', cache: 'HIT', requests: 3 },
      { source: 'stock_a', cache: 'MISS', requests: 1 },
      { refused: 'not_found', requests: 2 },
    ] as const;
    await addUsage(services, { account: accountId(account), keyId, day, counts });
    const lines = (await run('usage', account)).stdout
      .split('\n')
      .map((line) => line.split(/ {2,}/).join('|'));
    expect(lines).toEqual(
      expect.arrayContaining([
        'Plan|business',
        'AI images, all accounts|0 of 100 today',
        'DAY|CHARGED|FROM CACHE|NEW|FREE',
        `${day}|4|3|1|0`,
        'KEY ID|CHARGED|FREE|NAME',
        `${keyId}|4|0|shop`,
        'REFUSED|REQUESTS',
        'not_found|2',
        'MONTH|CHARGED|FROM CACHE|NEW|FREE',
        `${day.slice(0, 7)}|4|3|1|0`,
      ]),
    );
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
    ['an unknown command', ['delete'], 2, "Unknown command 'delete'. The commands are: create, list"],
    ['an unknown option', ['list', '--everything'], 2, '--everything'],
    ['a missing argument', ['revoke'], 2, 'KEY_ID'],
    ['a time without a unit', ['rotate', 'key_1', '--overlap', '24'], 2, '24h'],
    ['a key in place of its id', ['revoke', `pk_live_${'a'.repeat(38)}`], 2, 'not its id'],
    ['a key in place of a command', [`pk_live_${'a'.repeat(38)}`], 2, 'create, list'],
    ['a key in place of an account', ['usage', `pk_live_${'a'.repeat(38)}`], 3, 'no account'],
    ['a secret in place of an account', ['usage', `sgs_live_${'a'.repeat(49)}`], 3, 'no account sgs_live_…'],
    ['a key too many', ['show', 'key_1', `pk_live_${'a'.repeat(38)}`], 2, 'many arguments'],
    ['an option that is nearly right', ['list', '--acount', 'acc_1'], 2, '--account'],
    ['a region without a stack', ['list', '--region', 'eu-west-1'], 2, '--local'],
  ])('ends in one line about %s', async (_, args, exitCode, words) => {
    expectRefusal(await run(...args), exitCode, words);
  });

  it.each([
    ['y\n', 0],
    ['Yes \n', 0],
    ['\n', 4],
    ['n\n', 4],
    ['yesterday\n', 4],
    ['', 4],
  ])('asks in a terminal before what cannot be undone: %j ends with %d', async (typed, exitCode) => {
    const { key, keyId } = await create();
    const options = { cwd: fixture.folder, typed };
    const end = await runTool(['keys', 'revoke', keyId, '--local', fixture.url], options);
    expect(end.exitCode).toBe(exitCode);
    expect(end.stderr).toMatch(/revoked for good.* Go on\? \[y\/N\]/);
    expect(end.stderr.includes('Nothing was changed.')).toBe(exitCode !== 0);
    expect((await recordOf(key))?.revokedAt === undefined).toBe(exitCode !== 0);
  });

  it('reports that no service answers at the URL', async () => {
    const end = await runTool(['keys', 'list', '--local', 'http://127.0.0.1:9'], { cwd: fixture.folder });
    expectRefusal(end, 5, 'npm start');
  });

  it.each([
    [[]],
    [['help']],
    [['help', 'rotate']],
    [['create', '--help']],
    [['--help', 'site']],
    [['show', 'key_1', '--help']],
  ])('explains itself: %j', async (args) => {
    const end = await runTool(['keys', ...args], { cwd: fixture.folder });
    expect([end.exitCode, end.stderr]).toEqual([0, '']);
    expect(end.stdout).toContain('Examples');
    expect(Math.max(...end.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});
