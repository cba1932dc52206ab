/** The start page in a real browser: it shows images, explains errors, and sends a key as a header only. */

import type { ImageRecord } from '../../packages/client/src/service';
import { describeStartPage } from './playground/start-page';

jest.setTimeout(60_000);

/** An expression for the page: its examples, as they are shown. */
const examples = `[...document.querySelectorAll('figure.shot img')].map((img) => ({
  ratio: Math.round(100 * img.naturalWidth / img.naturalHeight) / 100,
  loaded: new URL(img.currentSrc).pathname,
}))`;

describeStartPage('the start page', (at) => {
  test('shows its examples without an error, a policy violation, a request to the API or to another host', async () => {
    await at.start.showExamples();
    const shown = await at.start.page.evaluate<{ ratio: number; loaded: string }[]>(examples);
    expect(shown.map(({ ratio }) => ratio)).toEqual([1.5, 1.6, 1.6]);
    for (const { loaded } of shown) expect(loaded).toMatch(/^\/cdn\/public\/examples\/[0-9a-f]{16}\//);
    expect(at.start.asked.filter((url) => url.includes('/api/'))).toEqual([]);
    expect(await at.start.complaints()).toEqual([]);
    expect(at.start.asked.filter((url) => !url.startsWith(`${at.stage.service.url}/`))).toEqual([]);
    await at.start.keep('light', 'page');
  });

  test('shows the colour of an image without a placeholder until it is loaded', async () => {
    const { page } = at.start;
    await page.route('**/api/image/**', async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), placeholder: null, color: '#123456' };
      await route.fulfill({ response, json });
    });
    const { key } = await at.stage.accounts.open('free', 0);
    await at.start.tryOut({ query: 'plain harbour', width: '300', height: '200', key });
    const shown = page.locator('#canvas img');
    expect(await shown.evaluate(({ style }) => style.backgroundColor)).toBe('rgb(18, 52, 86)');
  });

  test('shows the six best images by one batch for a caller with a key, and copies the tag of the one that is clicked', async () => {
    const isPost = (method: string) => at.start.page.waitForRequest((request) => request.method() === method);
    const { key } = await at.stage.accounts.open('free', 0);
    await at.start.tryOut({ query: 'old harbour', width: '300', height: '200', key });
    const before = at.start.asked.length;
    const posted = isPost('POST');
    await at.start.page.locator('#show-six').click();
    expect((await posted).url()).toBe(`${at.stage.service.url}/api/images`);
    await at.start.page.locator('#six li:nth-child(6) img').waitFor();
    const asked = () => at.start.asked.slice(before).filter((url) => url.includes('/api/'));
    expect(asked()).toEqual([`${at.stage.service.url}/api/images`]);
    const images = await at.start.page.evaluate<string[]>(
      `Promise.all([...document.querySelectorAll('#six img')].map((image) => image.decode().then(() => image.currentSrc)))`,
    );
    expect(new Set(images).size).toBe(6);
    const origin = new URL(at.stage.service.url).origin;
    await at.stage.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await at.start.page.locator('#six li:nth-child(3) button').click();
    await at.start.page.locator('#said', { hasText: 'Copied' }).waitFor();
    const tag = await at.start.page.evaluate<string>('navigator.clipboard.readText()');
    expect(tag).toBe(await at.start.textOf('#picked'));
    const [, src = ''] =
      /^<img src="([^"]+)" width="300" height="200" alt="[^"]+" loading="lazy">$/.exec(tag) ?? [];
    expect(src).toMatch(/\/api\/image\/300x200-old-harbour\?pick=[0-9a-f]{20}$/);
    const third = await fetch(`${at.stage.service.url}/api/image/300x200-old-harbour?seed=3&format=json`, {
      headers: { 'X-API-Key': key },
    });
    expect(src).toContain(((await third.json()) as ImageRecord).pick);
    await at.start.keep('seeds');
    expect(await at.start.page.content()).not.toContain(key);
    expect(await at.start.complaints()).toEqual([]);
  });

  test('shows an image of the size that was asked for, with its credit, headers, URL and snippets', async () => {
    const shown = await at.start.tryOut({
      query: 'old harbour',
      width: '640',
      height: '400',
      seed: 'two words',
    });
    expect(shown).toEqual({
      state: 'Found: 640 × 400 pixels from stock_a.',
      width: 640,
      height: 400,
    });
    const url = `${at.stage.service.url}/api/image/640x400-old-harbour?seed=two+words`;
    expect(await at.start.textOf('#url')).toBe(url);
    for (const name of ['html', 'markdown', 'curl', 'fetch']) {
      expect(await at.start.textOf(`#snippet-${name}`)).toContain(url);
    }
    expect(await at.start.textOf('#credit')).not.toBe('');
    expect(await at.start.textOf('#facts')).toMatch(/Location.*X-Cache(HIT|MISS).*X-RateLimit-Limit\d+/);
    expect(await at.start.page.locator('#try [name="size"]').inputValue()).toBe('');
    expect(await at.start.complaints()).toEqual([]);
    await at.start.keep('stock');
    const refused = await at.start.tryOut({ key: 'pk_live_mistyped' });
    expect(refused).toMatchObject({ state: expect.stringContaining('401'), width: 0 });
    expect(await at.start.textOf('#credit')).toBe('');
    expect(await at.start.textOf('#facts')).not.toContain('Location');
  });

  test('writes every option of its form into the URL, and none that has its default', async () => {
    const stock = { seed: '3', avoid: 'people,text', color: 'blue', license: 'public-domain', crop: 'top' };
    await at.start.fill({ query: 'sea', ...stock, onmiss: 'ai' });
    const asked = new URL(await at.start.textOf('#url'));
    expect(Object.fromEntries(asked.searchParams)).toEqual({ ...stock, onmiss: 'ai' });
    expect(await at.start.textOf('#snippet-html')).toContain('YOUR_API_KEY');
    expect(await at.start.textOf('#snippet-site-html')).toContain('stock images only');
    await at.start.fill({ provider: 'ai', style: 'photo', visibility: 'public', variation: '2' });
    const drawn = new URL(await at.start.textOf('#url'));
    expect(Object.fromEntries(drawn.searchParams)).toEqual({
      provider: 'ai',
      visibility: 'public',
      variation: '2',
    });
  });

  test('draws an AI image for a key that was typed in, and the key goes out in a header and nowhere else', async () => {
    const { key } = await at.stage.accounts.open('free', 0);
    const values = { query: 'lighthouse', width: '480', height: '320', provider: 'ai', style: 'minimal' };
    const shown = await at.start.tryOut({ ...values, key });
    expect(shown).toEqual({ state: 'Found: 480 × 320 pixels from ai.', width: 480, height: 320 });
    expect(await at.start.textOf('#facts')).toContain('X-RateLimit-Remaining999');
    for (const snippet of ['html', 'markdown', 'curl', 'fetch'])
      expect(await at.start.textOf(`#snippet-${snippet}`)).toContain('YOUR_API_KEY');
    expect(await at.start.page.locator('#key-note').isVisible()).toBe(true);

    expect(await at.start.page.content()).not.toContain(key);
    expect(at.start.page.url()).not.toContain(key);
    expect(at.start.asked.filter((url) => url.includes(key))).toEqual([]);
    const stores = '[document.cookie, localStorage.length, sessionStorage.length, history.state]';
    expect(await at.start.page.evaluate(stores)).toEqual(['', 0, 0, null]);
    expect(await at.start.complaints()).toEqual([]);
    await at.start.keep('ai');
  });

  type Row = readonly [
    code: string,
    status: number,
    values: Readonly<Record<string, string>>,
    spent: number | undefined,
  ];
  test.each<Row>([
    ['authentication_required', 401, { provider: 'ai' }, undefined],
    ['invalid_api_key', 401, { key: 'pk_live_nonsense' }, undefined],
    ['content_refused', 422, { query: 'forbidden', provider: 'ai' }, 0],
    ['quota_exceeded', 429, {}, 1_000],
  ])('shows %s with its status, its code and a sentence', async (code, status, values, spent) => {
    const key = spent === undefined ? {} : { key: (await at.stage.accounts.open('free', spent)).key };
    const { state } = await at.start.tryOut({ query: 'sea', ...values, ...key });
    expect(state).toMatch(new RegExp(`^${status} · [A-Z][\\w' -]+$`));
    expect((await at.start.textOf('#canvas')).length).toBeGreaterThan(20);
    expect(await at.start.textOf('#facts')).toContain(`Code${code}`);
    const explained = await at.start.page.locator(`#facts a[href="#${code}"]`).getAttribute('href');
    expect(await at.start.page.locator(`tr${explained}`).textContent()).toContain(code);
    await at.start.keep(`error-${code}`);
  });

  test('sends no request for what the form knows to be invalid', async () => {
    for (const values of [{ width: '99' }, { width: '640', height: '4001' }, { height: '400', query: '' }]) {
      await at.start.fill(values);
      await at.start.page.locator('#go').click();
      expect(await at.start.page.evaluate('document.getElementById("try").checkValidity()')).toBe(false);
    }
    await at.start.fill({ query: 'sea', provider: 'ai', variation: '1', alt: '1' });
    await at.start.page.locator('#go').click();
    expect(
      await at.start.page.evaluate('document.getElementById("try").elements.alt.validationMessage'),
    ).toMatch(/not both/);
    // The page itself requests the live images.
    const ofThePage = /\/api\/image\/\d+x\d+-(mountain-lake|city-at-night)\?/;
    const tries = at.start.asked.filter((url) => url.includes('/api/image') && !ofThePage.test(url));
    expect(tries).toEqual([]);
    expect(await at.start.textOf('#state')).toBe('No request has been sent yet.');
  });
});
