/** Tests `keys` from the outside: its output, its exit codes and what it stores. */

import '../patience';
import { userInfo } from 'node:os';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createToolServices, listItems } from '../../../lambda/aws/dynamodb';
import { defaultPlans } from '../../../lambda/contract/plans';
import { hashApiKey } from '../../../lambda/credentials/api-key';
import { findKey } from '../../../lambda/credentials/key-store';
import { writeSignerSecret } from '../../../lambda/credentials/signer';
import { listRequestLimits, makeGenerationDayLimit } from '../../../lambda/quota/caller-limits';
import { takeUnits } from '../../../lambda/quota/take';
import { recordUsage } from '../../../lambda/quota/usage/usage';
import { createSigner } from '../../../packages/client/src/client';
import { master } from '../../../packages/client/test/vectors';
import { createVirtualClock } from '../../fakes/clock';
import { startFixture } from '../../fakes/fixture';
import { createServicesOn } from '../../fakes/services';
import { makeAccountId } from '../../fakes/values';
import { startLocalFixture } from '../local-fixture';
import { type Ended, expectRefusal, runTool } from '../run-tool';

type Printed = Readonly<Record<string, string>>;
interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
  readonly plan: 'free';
}

const fixture = startFixture(startLocalFixture);
/** An account on plan pro that is called Acme. */
let account: string;
const runs: Ended[] = [];
const run = async (...args: string[]) => {
  const end = await fixture.run('keys', ...args);
  runs.push(end);
  return end;
};
const create = async (...args: string[]) => (await run('create', '--json', ...args)).json<Issued>();
const makeServices = () => ({
  ...createToolServices(fixture.engine.database),
  tables: fixture.engine.tableNames,
});
const findRecord = (key: string) => findKey(makeServices(), hashApiKey(key));

beforeAll(async () => {
  ({ account } = await create('--plan', 'pro', '--account-name', 'Acme'));
});

test('create --json prints the live key and the signer of a new account', async () => {
  const end = await run('create', '--plan', 'pro', '--name', 'my key', '--json');
  expect([end.exitCode, end.stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
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
  expect(await findRecord(issued.key)).toMatchObject({ keyId: issued.keyId, plan: 'pro', mode: 'live' });
  expect(end.stderr).toContain('cannot be shown again');
});

test('create shows a key once with a warning', async () => {
  expect((await run('site', 'list')).stdout).toBe('There are no site keys yet.\n');
  const { stdout, stderr } = await run('create', '--name', 'for people', '--max-per-month', '5000');
  const [key = ''] = /pk_live_\w+/.exec(stdout) ?? [];
  const [keyId = ''] = /key_\w+/.exec(stdout) ?? [];
  expect(stdout).toMatch(
    /^Key +pk_live_\w+\nKey id +key_\w+\n[\s\S]*\nName +for people\n[\s\S]*\nSigner id +sg_live_\w{12}\n$/,
  );
  expect(stderr).toContain('stays secret');
  expect(await findRecord(key)).toMatchObject({ plan: 'free', name: 'for people' });
  const { stdout: keyText } = await run('show', keyId);
  expect(keyText).toMatch(/\nMax per month +5000\n[\s\S]*\nState +active\n/);
  expect(keyText).not.toContain(key.slice(0, 20));
  expect((await run('show', keyId, '--json')).stdout).not.toContain('hash');
});

test('create --account gives a key the plan and name of the account', async () => {
  const secondKey = await create('--account', account, '--test');
  expect(secondKey).toMatchObject({ account, plan: 'pro', mode: 'test', accountName: 'Acme' });
  expect(secondKey.key).toMatch(/^pk_test_/);
});

test('list sorts keys by account, and those of an account by age', async () => {
  await create();
  const { keyId } = await create('--account', account);
  const accounts = (await run('list', '--json')).json<Issued[]>().map((key) => key.account);
  expect(accounts).toEqual([...accounts].sort());
  const accountKeys = (await run('list', '--account', account, '--json')).json<Issued[]>();
  expect(accountKeys.at(-1)?.keyId).toBe(keyId);
});

test('set-plan and set-name change all credentials of an account', async () => {
  const firstKey = await create('--account-name', ' Acme ', '--name', 'shop');
  expect(firstKey).toMatchObject({ accountName: 'Acme', name: 'shop' });
  const { account, keyId } = firstKey;
  const secondKey = await create('--account', account);
  const naming = await run('set-name', account, 'Zoë & Co', '--json');
  expect(naming.json()).toEqual({ account, accountName: 'Zoë & Co', keys: 2 });
  const move = await run('set-plan', account, 'enterprise');
  expect(move.stdout).toMatch(/Plan +enterprise\nKeys +2\n/);
  expect(move.stderr).toContain('within a minute');
  for (const { key } of [firstKey, secondKey])
    expect(await findRecord(key)).toMatchObject({ plan: 'enterprise', accountName: 'Zoë & Co' });
  for (const command of [
    ['list', '--account', account],
    ['signer', 'list', '--account', account],
    ['show', keyId],
    ['usage', account],
  ])
    expect((await run(...command)).stdout).toMatch(/Zoë & Co[\s\S]*enterprise|enterprise[\s\S]*Zoë & Co/);
  expect((await run('usage', (await create()).account, '--json')).json()).not.toHaveProperty('accountName');
});

test('usage shows the exact number of requests and AI images', async () => {
  const { account, plan, keyId } = await create();
  const services = createServicesOn(fixture.engine);
  const caller = { kind: 'live', account: makeAccountId(account), plan, keyId } as const;
  for (let i = 0; i < 3; i++)
    await takeUnits(services, listRequestLimits(caller, '', defaultPlans, Date.now()), `${i}`);
  await takeUnits(services, [makeGenerationDayLimit(100, Date.now())], 'image');
  const end = await run('usage', account, '--json');
  expect(end.json()).toMatchObject({
    ...{ account, mode: 'live', used: 3, limit: 1_000, remaining: 997 },
    ...{ generations: { limit: 25, used: 0 }, day: { limit: 100, used: 1 } },
  });
  const { stdout } = await run('usage', account);
  expect(stdout).toMatch(/\nPlan +free\n[\s\S]*\nUsed +3\nRemaining +997\nReset +\d{4}-\d\d-01T00:00:00Z\n/);
  expect(stdout).toMatch(
    /\nGenerations +limit 25, used 0, remaining 25, [\s\S]*\nAll generations today +limit 100, used 1\n$/,
  );
  expect(stdout).toMatch(/\nWindow +kind month, start \d{4}-\d\d-01T00:00:00Z/);
  expect((await run('usage', account, '--test', '--json')).json()).toMatchObject({ mode: 'test', used: 0 });
});

test('set-plan keeps what an account has used of its month', async () => {
  const { account, keyId } = await create();
  const services = createServicesOn(fixture.engine);
  for (const [plan, newPlan] of [
    ['free', 'enterprise'],
    ['enterprise', 'business'],
  ] as const) {
    const caller = { kind: 'live', account: makeAccountId(account), plan, keyId } as const;
    await takeUnits(services, listRequestLimits(caller, '', defaultPlans, Date.now()), 'a');
    await run('set-plan', account, newPlan);
    await run('set-plan', account, newPlan);
  }
  expect((await run('usage', account, '--json')).json()).toMatchObject({ plan: 'business', used: 2 });
});

test('usage of a plan with analytics has tables by day, key, refusal, month', async () => {
  const { account, keyId } = await create('--plan', 'business', '--name', 'shop');
  const day = new Date().toISOString().slice(0, 10);
  const hits = Array(3).fill({ source: 'stock_a', cache: 'HIT' });
  const refusals = Array(2).fill({ refused: 'not_found' });
  const outcomes = [...hits, { source: 'stock_a', cache: 'MISS' } as const, ...refusals];
  const caller = { kind: 'live', account: makeAccountId(account), plan: 'business', keyId } as const;
  const services = createServicesOn(fixture.engine, { clock: createVirtualClock() });
  await recordUsage(services, defaultPlans, caller, { requestId: 'r', startedMs: Date.now() }, outcomes);
  const { stdout } = await run('usage', account);
  const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/).join('|'));
  expect(lines).toEqual(
    expect.arrayContaining([
      ...['Plan|business', 'DAY|CHARGED|FROM CACHE|NEW|FREE', `${day}|4|3|1|0`],
      ...['KEY ID|CHARGED|FREE|NAME', `${keyId}|4|0|shop`, 'REFUSED|REQUESTS', 'not_found|2'],
      ...['MONTH|CHARGED|FROM CACHE|NEW|FREE', `${day.slice(0, 7)}|4|3|1|0`],
    ]),
  );
});

const siteOptions = ['--origin', 'https://example.com', '--max-per-month', '5'];
const kinds = [
  { kind: 'Key', commands: [], options: [], id: 'keyId', secret: 'key', overlapHours: 24 },
  { kind: 'Signer', commands: ['signer'], options: [], id: 'signerId', secret: 'secret', overlapHours: 720 },
  {
    kind: 'Site key',
    commands: ['site'],
    options: siteOptions,
    id: 'siteKeyId',
    secret: 'siteKey',
    overlapHours: 720,
  },
];

/** Expects a moment so many hours after the rotation, which began at `fromMs` and took less than a minute. */
function expectEnd(moment: string | undefined, fromMs: number, hours: number): void {
  const overlapMs = Date.parse(moment ?? '') - fromMs;
  expect(overlapMs).toBeGreaterThanOrEqual(hours * 3_600_000);
  expect(overlapMs).toBeLessThan(hours * 3_600_000 + 60_000);
}

test('delete-account removes one account after a confirmation', async () => {
  const issued = await create('--name', 'gone');
  const refusal = await run('delete-account', issued.account);
  expect([refusal.exitCode, refusal.stdout]).toEqual([4, '']);
  expect(refusal.stderr).toContain(`Account ${issued.account}, its credentials`);
  expect(await findRecord(issued.key)).toBeDefined();
  const removal = await run('delete-account', issued.account, '--yes', '--json');
  expect(removal.json()).toEqual({ account: issued.account, credentials: 2, usage: 0, images: 0, files: 0 });
  expect(await findRecord(issued.key)).toBeUndefined();
  expectRefusal(await run('usage', issued.account), 3, issued.account);
  // Parts of the keys of all accounts' items are no accounts.
  for (const id of ['', 'live', 'private'])
    expectRefusal(await run('delete-account', id, '--yes'), 3, 'There is no account');
  expect((await run('usage', account)).exitCode).toBe(0);
});

describe.each(kinds)(
  'keys for the kind $kind',
  ({ kind, commands, options, id: idName, secret, overlapHours }) => {
    const runKind = (...args: string[]) => run(...commands, ...args);
    const issue = async () =>
      (await runKind('create', '--account', account, '--name', 'blog', ...options, '--json')).json<Printed>();
    const readStates = async (id: string) => (await runKind('show', id, '--json')).json<Printed>();

    test('only the commands of its kind list and revoke a credential', async () => {
      const { [idName]: id = '' } = await issue();
      const { stdout } = await runKind('list');
      expect(stdout).toMatch(new RegExp(`^${kind} ID +ACCOUNT +MODE +STATE +PLAN +NAME +ACCOUNT NAME`, 'i'));
      expect(stdout).toMatch(new RegExp(`${id} +${account} +live +active +pro +blog +Acme`));
      for (const otherKind of kinds.filter((sort) => sort.kind !== kind)) {
        expect((await run(...otherKind.commands, 'list')).stdout).not.toContain(id);
        expect((await run(...otherKind.commands, 'revoke', id, '--yes')).exitCode).toBe(3);
      }
      expect(await readStates(id)).toMatchObject({ state: 'active' });
    });

    test('rotate makes a successor while the old credential expires', async () => {
      const { [idName]: id = '', [secret]: oldSecret = '', ...oldFields } = await issue();
      const beforeMs = Date.now();
      const { replaces, ...successor } = (await runKind('rotate', id, '--overlap', '90s', '--json')).json<
        Printed & { readonly replaces: Printed }
      >();
      expect(successor).toEqual({
        ...oldFields,
        ...(oldFields['prefix'] && { prefix: expect.not.stringContaining(oldFields['prefix']) }),
        [idName]: expect.not.stringContaining(id),
        [secret]: expect.not.stringContaining(oldSecret),
        createdAt: expect.any(String),
      });
      expect(replaces).toEqual({ [idName]: id, expiresAt: expect.any(String) });
      expectEnd(replaces['expiresAt'], beforeMs, 0.025);
      expect(await readStates(id)).toMatchObject({ state: 'expiring', expiresAt: replaces['expiresAt'] });
      const { stdout } = await runKind('rotate', successor[idName] ?? '');
      expectEnd(/\nReplaces +.*, expires at (\S+Z)\n/.exec(stdout)?.[1], beforeMs, overlapHours);
    });

    test('revoke and rotate --overlap 0 end a credential after a confirmation', async () => {
      for (const [end, state] of [
        [['rotate', '--overlap', '0'], 'expired'],
        [['revoke'], 'revoked'],
      ] as const) {
        const { [idName]: id = '' } = await issue();
        const refusal = await runKind(...end, id);
        expect([refusal.exitCode, refusal.stdout]).toEqual([4, '']);
        expect(refusal.stderr).toContain(`${kind} ${id} ("blog", account ${account})`);
        expect(refusal.stderr).toMatch(/within a minute.*--yes/);
        expect(await readStates(id)).toMatchObject({ state: 'active' });
        expect((await runKind(...end, id, '--yes')).exitCode).toBe(0);
        expect(await readStates(id)).toMatchObject({ state });
        expectRefusal(await runKind('rotate', id), 1, ` is ${state}. Create another`);
        // Once more needs no confirmation, as it changes nothing.
        if (state === 'revoked')
          expect((await runKind('revoke', id, '--json')).json()).toEqual(await readStates(id));
      }
    });
  },
);

test('the secret that signer create prints signs URLs in the client', async () => {
  const end = await run('signer', 'create', '--account', account, '--name', 'web shop', '--json');
  const { signerId = '', secret = '', ...fields } = end.json<Printed>();
  expect(fields).toMatchObject({ account, accountName: 'Acme', plan: 'pro', mode: 'live', name: 'web shop' });
  expect(secret).toBe(writeSignerSecret(master, signerId));
  const signedUrl = await createSigner({ id: signerId, secret }).sign('https://x.example/api/image?query=a');
  expect(signedUrl).toContain(`signer=${signerId}&signature=`);
  expect(end.stderr).toContain('never in a page');
  expect((await run('signer', 'list', '--json')).stdout).not.toContain(secret);
  const { stdout } = await run('signer', 'create', '--account', account, '--test');
  expect(stdout).toMatch(/^Secret +sgs_test_\S{49}\nSigner id +sg_test_\w{12}\n/);
});

test('site create takes a cap and up to 20 different origins', async () => {
  const runSite = (...args: string[]) => run('site', 'create', '--account', account, '--json', ...args);
  const twoOrigins = ['--origin', 'https://Example.com', '--origin', 'https://*.example.com'];
  const end = await runSite(...twoOrigins, '--max-per-month', '500', '--name', 'blog');
  expect(end.json()).toEqual({
    siteKey: expect.stringMatching(/^site_live_\w{38}$/),
    siteKeyId: expect.stringMatching(/^site_[0-9a-f]{18}$/),
    ...{ mode: 'live', account, accountName: 'Acme', plan: 'pro', name: 'blog', maxPerMonth: 500 },
    origins: ['https://example.com', 'https://*.example.com'],
    prefix: expect.stringMatching(/^site_live_\w{4}$/),
    createdAt: expect.any(String),
    createdBy: `local user ${userInfo().username}`,
  });
  expect((await run('site', 'list')).stdout).toContain(' https://example.com, https://*.example.com\n');
  const origins = Array.from({ length: 20 }, (_, i) => `https://a${i}.example.com`);
  const mostOrigins = [...origins, 'https://a0.example.com'].flatMap((origin) => ['--origin', origin]);
  expect((await runSite(...mostOrigins, '--max-per-month', '5')).json()).toMatchObject({ origins });
  expectRefusal(await runSite(...mostOrigins, ...siteOptions), 2, 'at most 20 of them');
});

test.each<[string, string[], number, string]>([
  ['an unknown key', ['show', 'key_nowhere'], 3, 'key_nowhere'],
  ['a long name', ['set-name', 'acc_nowhere', 'x'.repeat(101)], 2, '1 to 100 characters'],
  ['a name with a line break', ['create', '--account-name', 'a\nb'], 2, '--account-name'],
  ['an unknown account for a signer', ['signer', 'create', '--account', 'acc_none'], 3, 'acc_none'],
  ['no account for a signer', ['signer', 'create'], 2, '--account'],
  ['an unknown signer', ['signer', 'revoke', 'sg_live_000000000000', '--yes'], 3, 'sg_live_000000000000'],
  ['an unknown plan', ['create', '--plan', 'gold'], 2, 'free, pro, business, enterprise'],
  ['a plan beside an account', ['create', '--account', 'acc_1', '--plan', 'free'], 2, "with option '--plan"],
  ['two accounts', ['create', '--account', 'acc_1', '--account-name', 'a'], 2, "with option '--account-name"],
  ['a test key as the owner', ['create', '--test', '--role', 'owner'], 2, 'A test key owns no account'],
  ['an unknown command', ['delete'], 2, "Unknown command 'delete'"],
  ['an unknown command of a group', ['signer', 'dance'], 2, "Unknown command 'dance'"],
  ['an unknown option', ['list', '--everything'], 2, '--everything'],
  ['a missing argument', ['revoke'], 2, 'KEY_ID'],
  ['a time without a unit', ['rotate', 'key_1', '--overlap', '24'], 2, '24h'],
  ['a time that is too long', ['rotate', 'key_1', '--overlap', '366d'], 2, 'at most 365d'],
  ['a key in place of its id', ['revoke', `pk_live_${'a'.repeat(38)}`], 3, 'no key pk_live_[redacted]'],
  ['a key in place of a command', [`pk_live_${'a'.repeat(38)}`], 2, 'Unknown command'],
  [
    'a secret in place of an account',
    ['usage', `sgs_live_${'a'.repeat(49)}`],
    3,
    'no account sgs_live_[redacted]',
  ],
  [
    'no cap for a site key',
    ['site', 'create', '--account', 'acc_1', '--origin', 'https://a.example'],
    2,
    '--max-per-month',
  ],
  [
    'no origin for a site key',
    ['site', 'create', '--account', 'acc_1', '--max-per-month', '5'],
    2,
    '--origin',
  ],
  ...[
    ['http://example.com', '5', '--origin takes an origin such as'],
    ['http://localhost:*', '5', 'for test keys http://localhost:*'],
    ['https://example.com', '0', 'from 1 to'],
    ['https://example.com', '2147483647', 'from 1 to'],
  ].map(([origin = '', cap = '', says = '']): [string, string[], number, string] => [
    `${origin} with the cap ${cap}`,
    ['site', 'create', '--account', 'acc_1', '--origin', origin, '--max-per-month', cap],
    2,
    says,
  ]),
])('keys refuses %s in one line', async (_, args, exitCode, words) => {
  const end = await run(...args);
  expectRefusal(end, exitCode, words);
  expect(end.stderr).not.toContain('a'.repeat(38));
});

test.each([
  ['y\n', 0],
  ['Yes \n', 0],
  ['\n', 4],
  ['yesterday\n', 4],
  ['', 4],
])('revoke asks in the terminal: the answer %j leads to exit code %d', async (typed, exitCode) => {
  const { key, keyId } = await create();
  const options = { cwd: fixture.folder, typed };
  const end = await runTool(['keys', 'revoke', keyId, '--local', fixture.url], options);
  expect(end.exitCode).toBe(exitCode);
  expect(end.stderr).toMatch(/revoked for good.* Go on\? \[y\/N\]/);
  expect(end.stderr.includes('Nothing was changed.')).toBe(exitCode !== 0);
  expect((await findRecord(key))?.revokedAt === undefined).toBe(exitCode !== 0);
});

test.each(['--help', 'help rotate', 'create key_1 --help'])(
  'keys %s prints examples in lines of at most 100 characters',
  async (args) => {
    const end = await runTool(['keys', ...args.split(' ')], { cwd: fixture.folder });
    expect([end.exitCode, end.stderr]).toEqual([0, '']);
    expect(end.stdout).toContain('Examples');
    expect(Math.max(...end.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  },
);

test('no command writes a secret into the table or to stderr', async () => {
  const items: unknown[] = [];
  const scan = new ScanCommand({ TableName: fixture.engine.tableNames.apiKeys });
  for await (const item of listItems(makeServices(), scan)) items.push(item);
  const writtenText = `${JSON.stringify(items)}${runs.map(({ stderr }) => stderr).join('')}`;
  expect(writtenText).toContain('S#sg_live_');
  // Neither a secret nor its bytes.
  expect(writtenText).not.toMatch(/sgs_(live|test)_\w|(pk|site)_(live|test)_\w{10}/);
  for (const [id] of writtenText.matchAll(/sg_(live|test)_\w{12}/g))
    expect(writtenText).not.toContain(writeSignerSecret(master, id).slice(9, 52));
});
