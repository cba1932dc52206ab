/** The start page in a real browser: it shows images, explains errors, and sends a key as a header only. */

import { ask } from './ask';
import { describeInBrowser } from './chromium';
import { openStage, openStartPage, type Stage, type StartPage } from './playground/start-page';

jest.setTimeout(60_000);

describeInBrowser('the start page', () => {
  let stage: Stage;
  let start: StartPage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    start = await openStartPage(stage, stage.context);
  });
  afterEach(() => start?.page.close());

  test('loads and draws its images without an error, a policy violation or a request to another host', async () => {
    await start.showLiveImages();
    const sizes = await start.page.evaluate<number[][]>(
      `[...document.querySelectorAll('img[data-live]')].map((img) => [img.naturalWidth, img.naturalHeight])`,
    );
    expect(sizes).toEqual([
      [1200, 800],
      [800, 500],
      [800, 500],
    ]);
    for (const caption of await start.page.locator('figure.shot figcaption').allTextContents())
      expect(caption).not.toBe('');
    expect(await start.complaints()).toEqual([]);
    expect(start.asked.filter((url) => !url.startsWith(`${stage.service.url}/`))).toEqual([]);
    await start.keep('light', 'page');
  });

  test('shows an image of the size that was asked for, with its credit, headers, URL and snippets', async () => {
    const shown = await start.tryOut({
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
    const url = `${stage.service.url}/api/image/640x400-old-harbour?seed=two+words`;
    expect(await start.textOf('#url')).toBe(url);
    for (const name of ['html', 'markdown', 'curl', 'fetch']) {
      expect(await start.textOf(`#snippet-${name}`)).toContain(url);
    }
    expect(await start.textOf('#credit')).not.toBe('');
    expect(await start.textOf('#facts')).toMatch(/Location.*X-Cache(HIT|MISS).*X-RateLimit-Limit10/);
    expect(await start.page.locator('#try [name="size"]').inputValue()).toBe('');
    expect(await start.complaints()).toEqual([]);
    await start.keep('stock');
  });

  test('draws an AI image for a key that was typed in, and the key goes out in a header and nowhere else', async () => {
    const { key } = await stage.accounts.open('free', 0);
    const values = { query: 'lighthouse', width: '480', height: '320', provider: 'ai', style: 'minimal' };
    const shown = await start.tryOut({ ...values, key });
    expect(shown).toEqual({ state: 'Found: 480 × 320 pixels from ai.', width: 480, height: 320 });
    expect(await start.textOf('#facts')).toContain('X-RateLimit-Remaining999');
    for (const snippet of ['html', 'markdown', 'curl', 'fetch'])
      expect(await start.textOf(`#snippet-${snippet}`)).toContain('YOUR_API_KEY');
    expect(await start.page.locator('#key-note').isVisible()).toBe(true);

    expect(await start.page.content()).not.toContain(key);
    expect(start.page.url()).not.toContain(key);
    expect(start.asked.filter((url) => url.includes(key))).toEqual([]);
    const stores = '[document.cookie, localStorage.length, sessionStorage.length, history.state]';
    expect(await start.page.evaluate(stores)).toEqual(['', 0, 0, null]);
    expect(await start.complaints()).toEqual([]);
    await start.keep('ai');
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
    const key = spent === undefined ? {} : { key: (await stage.accounts.open('free', spent)).key };
    const { state } = await start.tryOut({ query: 'sea', ...values, ...key });
    expect(state).toMatch(new RegExp(`^${status} · [A-Z][\\w' -]+$`));
    expect((await start.textOf('#canvas')).length).toBeGreaterThan(20);
    expect(await start.textOf('#facts')).toContain(`Code${code}`);
    const explained = await start.page.locator(`#facts a[href="#${code}"]`).getAttribute('href');
    expect(await start.page.locator(`tr${explained}`).textContent()).toContain(code);
    await start.keep(`error-${code}`);
  });

  test('sends no request for what the form knows to be invalid', async () => {
    for (const values of [{ width: '99' }, { width: '640', height: '4001' }, { height: '400', query: '' }]) {
      await start.fill(values);
      await start.page.locator('#go').click();
      expect(await start.page.evaluate('document.getElementById("try").checkValidity()')).toBe(false);
    }
    await start.fill({ query: 'sea', provider: 'ai', variation: '1', alt: '1' });
    await start.page.locator('#go').click();
    expect(
      await start.page.evaluate('document.getElementById("try").elements.alt.validationMessage'),
    ).toMatch(/not both/);
    // The page itself requests the live images.
    const live = /\/api\/image\/(1200x800-mountain-lake|800x500-city-at-night)\?/;
    const tries = start.asked.filter((url) => url.includes('/api/image') && !live.test(url));
    expect(tries).toEqual([]);
    expect(await start.textOf('#state')).toBe('No request has been sent yet.');
  });

  // Runs last, because it uses up the hourly limit that the other tests share.
  test('shows a visitor over the hourly limit the reason, and error cards in place of the images', async () => {
    let status = 302;
    for (let i = 0; i < 11 && status === 302; i++)
      status = (await ask(stage.service.url, { path: `/api/image/100x100-sea?_=${i}` })).status;
    await start.page.close();
    start = await openStartPage(stage, await stage.browser.newContext());
    await start.showLiveImages();
    const [width] = await start.page.evaluate<number[]>(
      '[document.querySelector("img[data-live]").naturalWidth]',
    );
    expect(width).toBe(1200);
    const { state } = await start.tryOut({ query: 'sea' });
    expect(state).toMatch(/^429 · /);
    expect(await start.textOf('#facts')).toMatch(/Coderate_limited.*Retry-After\d+/);
    await start.keep('error-rate_limited');
  });
});
