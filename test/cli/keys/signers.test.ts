/** The commands for signers and site keys from the outside: their output, what they store and their exit codes. */

import { ScanCommand } from '../../../lambda/aws/dynamodb/commands';
import { itemsOf } from '../../../lambda/aws/dynamodb/items-of';
import { type SignerId, signerSecretOf } from '../../../lambda/credentials/signer';
import { createSigner } from '../../../packages/client/src/client';
import { master } from '../../../packages/client/test/vectors';
import type { Ended } from '../run-tool';
import { type LocalStage, startLocalStage } from './local-stage';

jest.setTimeout(120_000);

interface Signer {
  readonly signerId: string;
  readonly secret: string;
  readonly replaces?: { readonly signerId: string; readonly expiresAt: string };
}

describe('npm run keys', () => {
  let stage: LocalStage;
  let account: string;
  const ended: Ended[] = [];
  const run = async (...args: string[]) => {
    const end = await stage.run(...args);
    ended.push(end);
    return end;
  };
  const signer = async (...args: string[]) =>
    (await run('signer', 'create', '--account', account, '--json', ...args)).json<Signer>();

  beforeAll(async () => {
    stage = await startLocalStage();
    const created = await run('create', '--plan', 'pro', '--account-name', 'Acme', '--json');
    ({ account } = created.json<{ account: string }>());
  });
  afterAll(async () => {
    const items: unknown[] = [];
    const scan = { TableName: stage.engine.tableNames.apiKeys };
    const all = itemsOf(
      stage.engine.client,
      (ExclusiveStartKey) => new ScanCommand({ ...scan, ExclusiveStartKey }),
    );
    for await (const item of all) items.push(item);
    await stage.stop();
    const kept = `${JSON.stringify(items)}${ended.map(({ stderr }) => stderr).join('')}`;
    expect(kept).toContain('S#sg_live_');
    // Neither a secret nor its bytes are in the table or where logs are made of.
    expect(kept).not.toMatch(/sgs_|(pk|site)_(live|test)_\w{10}/);
    for (const [id] of kept.matchAll(/sg_(live|test)_\w{12}/g))
      expect(kept).not.toContain(signerSecretOf(master, id as SignerId).slice(9, 52));
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
      expect(stdout).toMatch(/Signer id +sg_test_\w{12}\nSecret +sgs_test_\S{49}\n/);
    });

    it('list shows signers only, and keys list none of them', async () => {
      const { signerId } = await signer();
      const listed = (await run('signer', 'list', '--account', account, '--json')).json<
        { keyId: string }[]
      >();
      expect(listed.map(({ keyId }) => keyId)).toContain(signerId);
      expect(listed.every(({ keyId }) => keyId.startsWith('sg_'))).toBe(true);
      expect((await run('signer', 'list')).stdout).toMatch(/^SIGNER ID +ACCOUNT +ACCOUNT NAME [\s\S]* Acme /);
      expect((await run('list')).stdout).not.toContain('sg_');
    });

    it('rotate makes a successor and says when the old one ends', async () => {
      const { signerId } = await signer('--name', 'blog');
      const next = (await run('signer', 'rotate', signerId, '--overlap', '7d', '--json')).json<Signer>();
      expect(next).toMatchObject({ name: 'blog', replaces: { signerId } });
      const inDays = (Date.parse(next.replaces?.expiresAt ?? '') - Date.now()) / 86_400_000;
      expect(Math.round(inDays)).toBe(7);
      expect((await run('signer', 'rotate', signerId, '--overlap', '0')).exitCode).toBe(4);
    });

    it('revoke needs a confirmation, and ends one for good', async () => {
      const { signerId } = await signer();
      expect((await run('signer', 'revoke', signerId)).exitCode).toBe(4);
      const revoked = (await run('signer', 'revoke', signerId, '--yes', '--json')).json<object>();
      expect(revoked).toMatchObject({ keyId: signerId, state: 'revoked' });
      expect(await run('signer', 'rotate', signerId)).toMatchObject({ exitCode: 1 });
    });

    it.each<[string[], number, string]>([
      [['signer', 'create'], 2, '--account'],
      [['signer', 'create', '--account', 'acc_none'], 3, 'acc_none'],
      [['signer', 'revoke', 'sg_live_000000000000', '--yes'], 3, 'sg_live_000000000000'],
      [['signer', 'revoke', `sgs_live_${'a'.repeat(49)}`, '--yes'], 2, 'not its id'],
      [['signer', 'dance'], 2, 'The commands are: create, list, rotate, revoke'],
      [['signer', 'rotate', 'sg_live_000000000000', '--overlap', 'soon'], 2, '--overlap'],
    ])('%j ends with %d', async (args, exitCode, text) => {
      const end = await run(...args);
      expect(end.exitCode).toBe(exitCode);
      expect(end.stderr).toContain(text);
      expect(end.stderr).not.toContain('a'.repeat(49));
    });

    it('is no key, so that the commands for keys do not end it', async () => {
      const { signerId } = await signer();
      expect((await run('revoke', signerId, '--yes')).exitCode).toBe(3);
      expect((await run('site', 'revoke', signerId, '--yes')).exitCode).toBe(3);
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
        createdAt: expect.any(String),
      });
      expect((await run('site', 'list')).stdout).toContain('https://example.com https://*.example.com');
    });

    it.each<[string[], string]>([
      [['--origin', 'https://example.com'], '--max-per-month'],
      [['--max-per-month', '5'], '--origin'],
      [['--origin', 'http://example.com', '--max-per-month', '5'], 'https://example.com'],
      [['--origin', 'http://localhost:*', '--max-per-month', '5'], '--test'],
      [['--origin', 'https://example.com', '--max-per-month', '0'], 'from 1 to'],
      [['--origin', 'https://example.com', '--max-per-month', '2147483647'], 'from 1 to'],
      [['--origin', 'https://example.com', '--max-per-month', 'many'], 'whole number'],
    ])('create %j is wrong usage', async (args, text) => {
      const end = await create(...args);
      expect(end.exitCode).toBe(2);
      expect(end.stderr).toContain(text);
    });

    it('rotate makes a successor with the same origins and cap, and says when the old one ends', async () => {
      const args = ['--origin', 'https://example.com', '--max-per-month', '5'];
      const { siteKeyId: id = '' } = (await create(...args)).json<Record<string, string>>();
      const next = (await run('site', 'rotate', id, '--overlap', '7d', '--json')).json<{
        readonly replaces: { readonly expiresAt: string };
      }>();
      expect(next).toMatchObject({
        siteKey: expect.stringMatching(/^site_live_\w{38}$/),
        siteKeyId: expect.not.stringContaining(id),
        origins: ['https://example.com'],
        maxPerMonth: 5,
        replaces: { siteKeyId: id },
      });
      expect(Math.round((Date.parse(next.replaces.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
      expect((await run('site', 'rotate', id, '--overlap', '0')).exitCode).toBe(4);
      expect(await run('site', 'rotate', 'sg_live_000000000000')).toMatchObject({ exitCode: 3 });
    });

    it('revoke ends one, named by its id', async () => {
      const args = ['--test', '--origin', 'http://localhost:*', '--max-per-month', '5'];
      const { siteKey, siteKeyId } = (await create(...args)).json<Record<string, string>>();
      expect((await run('site', 'revoke', siteKey ?? '', '--yes')).exitCode).toBe(2);
      expect((await run('site', 'revoke', siteKeyId ?? '', '--yes', '--json')).json()).toMatchObject({
        state: 'revoked',
      });
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
});
