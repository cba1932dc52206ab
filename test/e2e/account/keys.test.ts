/** The keys of an account in a real browser and over HTTP: made and shown once, used, renamed, replaced and revoked. */

import { describeInBrowser } from '../chromium';
import { openWatched, type WatchedPage } from '../playground/browsing';
import { openStage, type Stage } from '../playground/start-page';

describeInBrowser('the keys of an account', () => {
  let stage: Stage;
  let watched: WatchedPage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    watched = await openWatched(stage.context);
    watched.page.on('dialog', (dialog) => dialog.accept(dialog.type() === 'prompt' ? 'renamed' : undefined));
  });
  afterEach(() => watched?.page.close());

  const openKeys = async (key: string) => {
    const { page } = watched;
    await page.goto(`${stage.service.url}/account`);
    await page.locator('main input[type=password]').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('#keys summary').click();
  };
  const statusWith = async (key: string) =>
    (await fetch(`${stage.service.url}/api/usage`, { headers: { 'X-API-Key': key } })).status;
  const row = (name: string) => watched.page.locator('#keys tbody tr', { hasText: name });

  test('are made, used, renamed, replaced and revoked by its owner, each secret being shown once', async () => {
    const { page } = watched;
    await openKeys(stage.service.keys.pro.live);
    await page.locator('#key-name').fill('web shop');
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect(secret).toMatch(/^pk_live_\w{38}$/);
    expect(await page.locator('#made').textContent()).toContain('shown this once only');
    expect(await statusWith(secret)).toBe(200);
    await row('web shop').getByRole('button', { name: 'Rename' }).click();
    await row('renamed').waitFor();
    expect(await page.locator('#secret').count()).toBe(0);
    await row('renamed').getByRole('button', { name: 'Rotate' }).click();
    await row('ends').waitFor();
    const next = (await page.locator('#secret').textContent()) ?? '';
    expect([await statusWith(secret), await statusWith(next)]).toEqual([200, 200]);
    await row('renamed').last().getByRole('button', { name: 'Revoke' }).click();
    await row('revoked').waitFor();
    await openKeys(stage.service.keys.pro.live);
    await row('revoked').waitFor();
    for (const shown of [secret, next]) expect(await page.content()).not.toContain(shown);
    expect(watched.asked.filter((url) => url.includes(secret))).toEqual([]);
    expect(await watched.complaints()).toEqual([]);
  });

  test('are not shown to a member, who is told why', async () => {
    const { page } = watched;
    const made = await fetch(`${stage.service.url}/api/keys`, {
      method: 'POST',
      headers: { 'X-API-Key': stage.service.keys.free.live, 'Content-Type': 'application/json' },
      body: '{"name":"member"}',
    });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { secret } = (await made.json()) as { readonly secret: string };
    await openKeys(secret);
    await page.locator('#keys-state:not(:empty)').waitFor();
    expect(await page.locator('#keys-state').textContent()).toContain('owner key');
    expect(await page.locator('#keys tbody tr').count()).toBe(0);
  });

  test('name the day on which each was last used, on plans that count by key', async () => {
    const { url, keys } = stage.service;
    const headers = { 'X-API-Key': keys.business.live };
    await fetch(`${url}/api/image?query=lake`, { headers, redirect: 'manual' });
    const answer = await fetch(`${url}/api/keys`, { headers });
    const { keys: listed, ...refusal } = (await answer.json()) as {
      readonly keys: readonly { readonly lastUsedOn: string | null; readonly prefix: string }[];
    };
    expect(refusal).toEqual({});
    // Others of the account may have been used as well: tests share the service.
    const used = listed.find(({ prefix }) => keys.business.live.startsWith(prefix));
    expect(used?.lastUsedOn).toBe(new Date().toISOString().slice(0, 10));
  });
});
