/** The commands for the three kinds of credentials from the outside: their output, what they store and their exit codes. */

import { userInfo } from 'node:os';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { itemsOf, untimed } from '../../../lambda/aws/dynamodb';
import { type SignerId, signerSecretOf } from '../../../lambda/credentials/signer';
import { createSigner } from '../../../packages/client/src/client';
import { master } from '../../../packages/client/test/vectors';
import { type LocalFixture, startLocalFixture } from '../local-fixture';
import type { Ended } from '../run-tool';

interface Signer {
  readonly signerId: string;
  readonly secret: string;
}

const origin = ['--origin', 'https://example.com', '--max-per-month', '5'];
const kinds = [
  {
    kind: 'Key',
    commands: [],
    options: [],
    idName: 'keyId',
    secretName: 'key',
    title: 'KEY ID',
    overlapHours: 24,
  },
  {
    kind: 'Signer',
    commands: ['signer'],
    options: [],
    idName: 'signerId',
    secretName: 'secret',
    title: 'SIGNER ID',
    overlapHours: 30 * 24,
  },
  {
    kind: 'Site key',
    commands: ['site'],
    options: origin,
    idName: 'siteKeyId',
    secretName: 'siteKey',
    title: 'SITE KEY ID',
    overlapHours: 30 * 24,
  },
];

/** Expects a moment so many hours after the rotation, which began at `fromMs` and took less than a minute. */
function expectEnd(moment: string | undefined, fromMs: number, hours: number): void {
  const overlapMs = Date.parse(moment ?? '') - fromMs;
  expect(overlapMs).toBeGreaterThanOrEqual(hours * 3_600_000);
  expect(overlapMs).toBeLessThan(hours * 3_600_000 + 60_000);
}

describe('npm run keys', () => {
  let fixture: LocalFixture;
  let account: string;
  const ended: Ended[] = [];
  const run = async (...args: string[]) => {
    const end = await fixture.run('keys', ...args);
    ended.push(end);
    return end;
  };
  const signer = async (...args: string[]) =>
    (await run('signer', 'create', '--account', account, '--json', ...args)).json<Signer>();

  beforeAll(async () => {
    fixture = await startLocalFixture();
    const created = await run('create', '--plan', 'pro', '--account-name', 'Acme', '--json');
    ({ account } = created.json<{ account: string }>());
  });
  afterAll(() => fixture.stop());

  it('says so where there are no site keys', async () => {
    expect((await run('site', 'list')).stdout).toBe('There are no site keys yet.\n');
  });

  describe.each(kinds)('$kind', ({ kind, commands, options, idName, secretName, title, overlapHours }) => {
    const own = (...args: string[]) => run(...commands, ...args);
    const create = async () =>
      (await own('create', '--account', account, '--name', 'blog', ...options, '--json')).json<
        Readonly<Record<string, string>>
      >();
    const stateOf = async (id: string) => {
      const listed = (await own('list', '--account', account, '--json')).json<
        { readonly keyId: string; readonly state: string; readonly expiresAt?: string }[]
      >();
      return listed.find(({ keyId }) => keyId === id);
    };

    it('list shows its own kind only', async () => {
      const { [idName]: id = '' } = await create();
      const { stdout } = await own('list');
      expect(stdout.split('\n')[0]).toMatch(
        new RegExp(`^${title} +ACCOUNT +MODE +STATE +NAME \\(ACCOUNT, PLAN\\)$`),
      );
      expect(stdout).toMatch(new RegExp(`${id} +${account} +live +active +blog \\(Acme,`));
      for (const other of kinds.filter((each) => each.idName !== idName))
        expect((await run(...other.commands, 'list')).stdout).not.toContain(id);
    });

    it('rotate makes a successor and says when the old one ends', async () => {
      const { [idName]: id = '', [secretName]: secret, ...rest } = await create();
      const beforeMs = Date.now();
      const { replaces, ...next } = (await own('rotate', id, '--overlap', '2h', '--json')).json<
        Readonly<Record<string, string>> & { readonly replaces: Readonly<Record<string, string>> }
      >();
      expect(next).toEqual({
        ...rest,
        ...(rest['prefix'] && { prefix: expect.not.stringContaining(rest['prefix']) }),
        [idName]: expect.not.stringContaining(id),
        [secretName]: expect.not.stringContaining(`${secret}`),
        createdAt: expect.any(String),
      });
      expect(replaces).toEqual({ [idName]: id, expiresAt: expect.any(String) });
      expectEnd(replaces['expiresAt'], beforeMs, 2);
      expect(await stateOf(id)).toMatchObject({ state: 'expiring', expiresAt: replaces['expiresAt'] });
    });

    it('rotate lets the old one work as long as its help says', async () => {
      const { [idName]: id = '' } = await create();
      const beforeMs = Date.now();
      const { stdout } = await own('rotate', id);
      expectEnd(/\nWhich ends +(\S+Z)\n/.exec(stdout)?.[1], beforeMs, overlapHours);
    });

    it('rotate without an overlap ends the old one, and asks for confirmation', async () => {
      const { [idName]: id = '' } = await create();
      const unsure = await own('rotate', id, '--overlap', '0');
      expect([unsure.exitCode, unsure.stdout]).toEqual([4, '']);
      expect(unsure.stderr).toContain('within a minute');
      expect(await stateOf(id)).toMatchObject({ state: 'active' });
      const sure = await own('rotate', id, '--overlap', '0', '--yes');
      expect(sure.exitCode).toBe(0);
      expect(sure.stdout).toMatch(
        new RegExp(`\nReplaces +${id}\nWhich ends +\\S+Z, everywhere within a minute\n`),
      );
      expect(await stateOf(id)).toMatchObject({ state: 'expired' });
      const over = await own('rotate', id);
      expect([over.exitCode, over.stderr]).toEqual([
        1,
        expect.stringMatching(/ is expired\. Create another/),
      ]);
    });

    it('revoke ends one for good, with confirmation only', async () => {
      const { [idName]: id = '' } = await create();
      const unsure = await own('revoke', id);
      expect([unsure.exitCode, unsure.stdout]).toEqual([4, '']);
      expect(unsure.stderr).toContain('--yes');
      expect(unsure.stderr).toContain(`${kind} ${id} ("blog", account ${account})`);
      expect(await stateOf(id)).toMatchObject({ state: 'active' });
      const sure = await own('revoke', id, '--yes', '--json');
      expect(sure.json()).toMatchObject({ keyId: id, state: 'revoked', revokedAt: expect.any(String) });
      expect((await own('rotate', id)).exitCode).toBe(1);
      // Once more needs no confirmation, as it changes nothing.
      expect((await own('revoke', id, '--json')).json()).toEqual(sure.json());
    });

    it('is no other kind, so that the commands for those do not end it', async () => {
      const { [idName]: id = '' } = await create();
      for (const other of kinds.filter((each) => each.idName !== idName))
        expect((await run(...other.commands, 'revoke', id, '--yes')).exitCode).toBe(3);
      expect(await stateOf(id)).toMatchObject({ state: 'active' });
    });
  });

  describe('signer', () => {
    it('create shows a secret once, with which the client signs', async () => {
      const end = await run('signer', 'create', '--account', account, '--name', 'web shop', '--json');
      expect([end.exitCode, end.stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
      const { signerId, secret, ...rest } = end.json<Signer>();
      expect(rest).toMatchObject({
        account,
        accountName: 'Acme',
        plan: 'pro',
        mode: 'live',
        name: 'web shop',
      });
      expect(secret).toBe(signerSecretOf(master, signerId as SignerId));
      const signed = await createSigner({ id: signerId, secret }).sign(
        'https://x.example/api/image?query=lake',
      );
      expect(signed).toContain(`signer=${signerId}&signature=`);
      expect(end.stderr).toContain('never in a page');
      expect((await run('signer', 'list', '--json')).stdout).not.toContain(secret);
    });

    it('create --test makes a test signer; people get lines', async () => {
      const { stdout } = await run('signer', 'create', '--account', account, '--test');
      expect(stdout).toMatch(/Secret +sgs_test_\S{49}\nSigner id +sg_test_\w{12}\n/);
    });

    it.each<[string[], number, string]>([
      [['signer', 'create'], 2, 'not specified. See "npm run image-redirect -- keys signer create --help".'],
      [['signer', 'create', '--account', 'acc_none'], 3, 'acc_none'],
      [['signer', 'revoke', 'sg_live_000000000000', '--yes'], 3, 'sg_live_000000000000'],
      [['signer', 'revoke', `sgs_live_${'a'.repeat(49)}`, '--yes'], 2, 'not its id'],
      [['site', 'revoke', `site_live_${'a'.repeat(49)}`, '--yes'], 2, 'not its id'],
      [['signer', 'dance'], 2, 'The commands are: create, list, show, rotate, revoke'],
      [['signer', 'rotate', 'sg_live_000000000000', '--overlap', 'soon'], 2, '--overlap'],
    ])('%j ends with %d', async (args, exitCode, text) => {
      const end = await run(...args);
      expect(end.exitCode).toBe(exitCode);
      expect(end.stderr).toContain(text);
      expect(end.stderr).not.toContain('a'.repeat(49));
    });
  });

  describe('site', () => {
    const create = (...args: string[]) => run('site', 'create', '--account', account, '--json', ...args);

    it('create makes a key of its origins with a cap of its own', async () => {
      const origins = ['--origin', 'https://Example.com', '--origin', 'https://*.example.com'];
      const end = await create(...origins, '--max-per-month', '500', '--name', 'blog');
      expect(end.json()).toEqual({
        siteKey: expect.stringMatching(/^site_live_\w{38}$/),
        siteKeyId: expect.stringMatching(/^site_[0-9a-f]{18}$/),
        mode: 'live',
        account,
        accountName: 'Acme',
        plan: 'pro',
        name: 'blog',
        origins: ['https://example.com', 'https://*.example.com'],
        maxPerMonth: 500,
        prefix: expect.stringMatching(/^site_live_\w{4}$/),
        createdAt: expect.any(String),
        createdBy: `local user ${userInfo().username}`,
      });
      expect((await run('site', 'list')).stdout).toContain('https://example.com,');
    });

    it.each([
      [20, 0],
      [21, 2],
    ])('create takes up to 20 origins, and each once: %i end with %d', async (count, exitCode) => {
      const origins = Array.from({ length: count - 1 }, (_, i) => `https://a${i}.example.com`);
      const given = [...origins, 'https://a0.example.com'].flatMap((each) => ['--origin', each]);
      const end = await create(...given, '--max-per-month', '5');
      expect([end.exitCode, end.stderr.includes('at most 20 times')]).toEqual([exitCode, exitCode === 2]);
      if (exitCode === 0) expect(end.json()).toMatchObject({ origins });
    });

    it.each<[string[], string]>([
      [['--origin', 'https://example.com'], '--max-per-month'],
      [['--max-per-month', '5'], '--origin'],
      [
        ['--origin', 'http://example.com', '--max-per-month', '5'],
        'is not allowed. It takes an origin such as',
      ],
      [['--origin', 'http://localhost:*', '--max-per-month', '5'], 'for test keys http://localhost:*'],
      [['--origin', 'https://example.com', '--max-per-month', '0'], 'from 1 to'],
      [['--origin', 'https://example.com', '--max-per-month', '2147483647'], 'from 1 to'],
      [['--origin', 'https://example.com', '--max-per-month', 'many'], 'whole number'],
    ])('create %j is wrong usage', async (args, text) => {
      const end = await create(...args);
      expect(end.exitCode).toBe(2);
      expect(end.stderr).toContain(text);
    });
  });

  it('create --max-per-month bounds one API key, and show says so', async () => {
    const { keyId } = (await run('create', '--account', account, '--max-per-month', '5000', '--json')).json<{
      keyId: string;
    }>();
    expect((await run('show', keyId)).stdout).toMatch(/At most +5,000 per month/);
    expect((await run('create', '--account', account)).stderr).toContain('stays secret');
  });

  it('set-plan reaches signers and site keys of the account', async () => {
    const { signerId } = await signer();
    await run('set-plan', account, 'business');
    const listed = (await run('signer', 'list', '--json')).json<{ keyId: string; plan: string }[]>();
    expect(listed.find(({ keyId }) => keyId === signerId)?.plan).toBe('business');
  });

  it('keeps no secret in the table, and shows none on stderr', async () => {
    const items: unknown[] = [];
    const scan = new ScanCommand({ TableName: fixture.engine.tableNames.apiKeys });
    for await (const item of itemsOf(untimed(fixture.engine.database), scan)) items.push(item);
    const kept = `${JSON.stringify(items)}${ended.map(({ stderr }) => stderr).join('')}`;
    expect(kept).toContain('S#sg_live_');
    // Neither a secret nor its bytes are in the table or where logs are made of.
    expect(kept).not.toMatch(/sgs_|(pk|site)_(live|test)_\w{10}/);
    for (const [id] of kept.matchAll(/sg_(live|test)_\w{12}/g))
      expect(kept).not.toContain(signerSecretOf(master, id as SignerId).slice(9, 52));
  });
});
