/** The playground in a real browser: it shows images while the form changes, writes code and explains errors. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageRecord } from '../../packages/client/src/service';
import { createDeferred } from '../fakes/clock';
import { makeTestFolder } from '../fakes/fixture';
import { ask, loadImage } from './ask';
import { openWatched } from './chromium';
import { describeStartPage } from './start-page';

const codeTabs = ['HTML', 'Markdown', 'React', 'curl', 'Python'];

describeStartPage('on the start page', (startPage, stage) => {
  const folder = makeTestFolder();
  const getPage = () => startPage.page;
  const readKey = async (spent = 0) => (await stage.accounts.open('free', spent)).key;

  test('the first image and the gallery are shown without a request to the API', async () => {
    await getPage().evaluate(`(async () => {
      for (const image of document.querySelectorAll('#canvas img, #gallery img')) {
        image.scrollIntoView({ behavior: 'instant', block: 'center' });
        await image.decode();
      }
    })()`);
    const shownPaths = await getPage().evaluate<string[]>(
      `[...document.querySelectorAll('#canvas img, #gallery img')].map((image) => new URL(image.currentSrc).pathname)`,
    );
    expect(new Set(shownPaths).size).toBe(25);
    for (const path of shownPaths) expect(path).toMatch(/^\/cdn\/public\/examples\/[\w-]+\.webp$/);
    expect(startPage.requestedUrls.filter((url) => url.includes('/api/'))).toEqual([]);
    expect(startPage.requestedUrls.filter((url) => !url.startsWith(`${stage.service.url}/`))).toEqual([]);
    expect(await startPage.complaints()).toEqual([]);
  });

  test('a click on an image of the gallery copies a tag that shows an image', async () => {
    await getPage().locator('#gallery button').nth(3).click();
    const tag = await startPage.readCopiedText();
    const [, src = '', words = ''] =
      /^<img src="([^"]+)" width="1200" height="800" alt="([^"]+)" loading="lazy">$/.exec(tag) ?? [];
    expect(src).toBe(`${stage.service.url}/api/image/1200x800-${words.replaceAll(' ', '-')}`);
    expect((await fetch(src)).ok).toBe(true);
  });

  test('a late response to earlier words is not shown', async () => {
    const first = createDeferred<void>();
    const paths: string[] = [];
    await getPage().route('**/api/image/**', async (route) => {
      paths.push(new URL(route.request().url()).pathname);
      if (paths.length === 1) await first.promise;
      await route.continue().catch(() => undefined);
    });
    const query = getPage().locator('#try [name=query]');
    const awaitRequest = (words: string) => getPage().waitForRequest(`**/1200x800-${words}*`);
    const boat = awaitRequest('mountain-lake-boat');
    await query.press('End');
    await query.pressSequentially(' boat');
    await boat;
    const harbour = awaitRequest('old-harbour');
    await query.fill('old harbour');
    await harbour;
    await getPage().locator('#canvas img[alt="old harbour"]').waitFor();
    // Its response would replace the image for the new words.
    expect((await boat).failure()).not.toBeNull();
    first.resolve(undefined);
    expect(paths).toEqual(['/api/image/1200x800-mountain-lake-boat', '/api/image/1200x800-old-harbour']);
    expect(await startPage.readVisibleText('#url')).toBe('/api/image/1200x800-old-harbour');
  });

  test('a click on a chip shows an image of its words', async () => {
    await getPage().getByRole('button', { name: 'coffee', exact: true }).first().click();
    expect(await startPage.answer()).toMatchObject({ width: 1200, height: 800 });
    expect(await startPage.readCode('HTML')).toContain('/api/image/1200x800-coffee"');
  });

  test('the playground shows an image of the requested size with credit, URL and code', async () => {
    const values = { query: 'old harbour', width: '640', height: '400', seed: 'two words' };
    const { state, ...size } = await startPage.tryOut(values);
    expect(size).toEqual({ width: 640, height: 400 });
    expect(state).toMatch(/^Found: 640 × 400 pixels from stock_a, fit \w+, cache (HIT|MISS)\./);
    const path = '/api/image/640x400-old-harbour?seed=two+words';
    expect(await startPage.readVisibleText('#url')).toBe(path);
    for (const name of codeTabs) expect(await startPage.readCode(name)).toContain(path);
    expect(await startPage.readVisibleText('#credit')).not.toBe('');
    expect(await getPage().locator('#try [name="size"]').inputValue()).toBe('');
    const refused = await startPage.tryOut({ key: 'pk_live_mistyped' });
    expect(refused).toMatchObject({ state: expect.stringContaining('401'), width: 0 });
    expect(await startPage.readVisibleText('#credit')).toBe('');
    expect(await startPage.complaints()).toEqual([expect.stringContaining('401')]);
  });

  test('an image without a placeholder shows its colour until it is loaded', async () => {
    await getPage().route('**/api/image/**', async (route) => {
      const response = await route.fetch();
      const { attribution, ...others } = await response.json();
      const unsafe = { ...attribution, landingUrl: 'javascript:alert(1)' };
      const json = { ...others, attribution: unsafe, placeholder: null, color: '#123456' };
      await route.fulfill({ response, json });
    });
    await startPage.tryOut({
      query: 'plain harbour',
      width: '300',
      height: '200',
      key: await readKey(),
    });
    const image = getPage().locator('#canvas img');
    expect(await image.evaluate(({ style }) => style.backgroundColor)).toBe('rgb(18, 52, 86)');
    // Only an address of the web becomes a link.
    expect(await startPage.readVisibleText('#credit')).not.toBe('');
    expect(await getPage().locator('#credit a').count()).toBe(0);
  });

  test('with a key, the playground writes the signed tag of the record', async () => {
    const apiKey = await readKey();
    await startPage.tryOut({ query: 'old harbour', width: '300', height: '200', key: apiKey });
    const html = await startPage.readCode('HTML');
    expect(html).toMatch(/signer=sg_live_\w+&#38;signature=/);
    for (const name of codeTabs) expect(await startPage.readCode(name)).not.toContain(apiKey);
    await getPage().locator('#show-seeds').click();
    await getPage().locator('#six li:nth-child(6) img').waitFor();
    const images = await getPage().evaluate<string[]>(
      `Promise.all([...document.querySelectorAll('#six img')].map((image) => image.decode().then(() => image.currentSrc)))`,
    );
    expect(new Set(images).size).toBe(6);
    await getPage().locator('#six li:nth-child(3) button').click();
    const tag = await startPage.readCopiedText();
    expect(tag).toMatch(/^<img src="[^"]+&#38;signature=/);
    const third = await fetch(`${stage.service.url}/api/image/300x200-old-harbour?seed=3&format=json`, {
      headers: { 'X-API-Key': apiKey },
    });
    expect(tag).toContain(`pick=${((await third.json()) as ImageRecord).pick}`);
    expect(await startPage.complaints()).toEqual([]);
  });

  test('the URL has the options of the form that differ from their defaults', async () => {
    const stock = { seed: '3', avoid: 'people,text', color: 'blue', license: 'public-domain', crop: 'top' };
    const readParameters = async () =>
      new URL(await startPage.readVisibleText('#url'), stage.service.url).searchParams;
    await startPage.fill({ query: 'sea', ...stock, onmiss: 'ai' });
    expect(Object.fromEntries(await readParameters())).toEqual({ ...stock, onmiss: 'ai' });
    expect(await startPage.readCode('HTML')).toMatch(/^<!-- /);
    expect(await startPage.readCode('curl')).toContain('YOUR_API_KEY');
    await startPage.fill({ provider: 'ai', style: 'photo', visibility: 'public', variation: '2' });
    expect(Object.fromEntries(await readParameters())).toEqual({
      provider: 'ai',
      visibility: 'public',
      variation: '2',
    });
  });

  test('the playground sends a typed key only in a header', async () => {
    const apiKey = await readKey();
    const values = { query: 'lighthouse', width: '480', height: '320', provider: 'ai', style: 'minimal' };
    const { state, ...size } = await startPage.tryOut({ ...values, key: apiKey });
    expect(size).toEqual({ width: 480, height: 320 });
    expect(state).toMatch(/from ai, cache MISS\. 999 of 1000 requests left\.$/);
    expect(await getPage().content()).not.toContain(apiKey);
    expect(getPage().url()).not.toContain(apiKey);
    expect(startPage.requestedUrls.filter((url) => url.includes(apiKey))).toEqual([]);
    const stores = '[document.cookie, localStorage.length, sessionStorage.length, history.state]';
    expect(await getPage().evaluate(stores)).toEqual(['', 0, 0, null]);
    expect(await startPage.complaints()).toEqual([]);
  });

  test('a click on the demo key of a local service signs the code with its account', async () => {
    await getPage().locator('#demo-key').click();
    expect(await startPage.answer()).toMatchObject({ width: 1200 });
    expect(await getPage().locator('#try [name=key]').inputValue()).toBe(stage.service.keys.pro.test);
    expect(await startPage.readCode('HTML')).toContain('signer=sg_test_');
  });

  test.each([
    ['invalid_api_key', 401, { key: 'pk_live_nonsense' }, undefined],
    ['quota_exceeded', 429, {}, 1_000],
  ])('the error %s is shown with its status and a link to its row', async (code, status, values, spent) => {
    const keyField = spent === undefined ? {} : { key: await readKey(spent) };
    const { state } = await startPage.tryOut({ query: 'sea', ...values, ...keyField });
    expect(state).toMatch(new RegExp(`^${status} · [A-Z][\\w' -]+\\.`));
    if (status === 429) expect(state).toContain(' 0 of 1000 requests left.');
    expect((await startPage.readVisibleText('#canvas')).length).toBeGreaterThan(20);
    await getPage().locator(`#canvas a[href="#${code}"]`).click();
    await getPage().locator(`tr:has(#${code})`).waitFor();
    expect(await getPage().locator('#try').isVisible()).toBe(false);
  });

  test('the form sends no request while a field is invalid', async () => {
    // The form is invalid after each field, because a busy machine may send a request between two fields.
    for (const values of [{ width: '99' }, { height: '4001', width: '640' }, { query: '', height: '400' }]) {
      await startPage.fill(values);
      await getPage().locator('#go').click();
      expect(await getPage().evaluate('document.getElementById("try").checkValidity()')).toBe(false);
    }
    expect(startPage.requestedUrls.filter((url) => url.includes('/api/image'))).toEqual([]);
    expect(await startPage.readVisibleText('#state')).toBe('');
  });

  test.each([
    ['without a key', { query: 'sea', width: '320', height: '200' }],
    ['for an AI image', { query: 'café "by" night', width: '320', height: '200', provider: 'ai' }],
  ])('pasted code %s shows the image', async (_, values) => {
    const apiKey = 'provider' in values ? await readKey() : '';
    await startPage.tryOut({ ...values, key: apiKey });
    const readPasted = async (tab: string) =>
      (await startPage.readCode(tab)).replaceAll('YOUR_API_KEY', apiKey);
    const size = { width: 320, height: 200 };

    const markdownUrl = /^!\[.*\]\((\S+)\)$/.exec(await readPasted('Markdown'))?.[1] ?? '';
    const redirect = await ask('', { path: markdownUrl });
    expect(redirect.status).toBe(302);

    const ended = spawnSync('sh', ['-c', await readPasted('curl')], { cwd: folder, encoding: 'utf8' });
    expect([ended.status, ended.stderr.match(/curl: .*/)?.[0]]).toEqual([0, undefined]);
    expect(await sharp(readFileSync(join(folder, 'image.jpg'))).metadata()).toMatchObject(size);

    const { stdout } = spawnSync('python3', ['-c', await readPasted('Python')], { encoding: 'utf8' });
    const [, url = '', credit] = /^(http\S+) (\S.*)$/m.exec(stdout) ?? [];
    expect(credit).toBeDefined();
    const pythonImage = await loadImage({ ...redirect, headers: new Headers({ location: url }) });
    expect(pythonImage).toMatchObject(size);

    const elsewhere = await openWatched(stage.context);
    await elsewhere.page.setContent(`<!doctype html><body>${await readPasted('HTML')}`);
    const drawn = await elsewhere.page.evaluate(`(async () => {
      const [image] = document.images;
      await image.decode();
      return { alt: image.alt !== '', width: image.width, height: image.height };
    })()`);
    expect(drawn).toEqual({ alt: true, ...size });
    expect(elsewhere.requestedUrls[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/image/);
    await elsewhere.page.close();
  });
});
