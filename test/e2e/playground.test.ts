/** The start page in a real browser: it shows what it promises, its snippets work, and it keeps a key to itself. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { ask, pictureBehind } from './ask';
import { openWatched, type WatchedPage } from './browsing';
import { chromiumPath, launchChromium } from './chromium';
import { tooFaint } from './contrast';
import { type LocalAccounts, localAccounts } from './local-account';
import { type RunningService, startService } from './local-service';

const artefacts = join(__dirname, '../../artefacts');
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** The fields of the form that are chosen from a list. */
const selects = ['size', 'provider', 'style', 'visibility'];

jest.setTimeout(60_000);

describeInBrowser('the start page', () => {
  let service: RunningService;
  let accounts: LocalAccounts;
  let browser: Browser;
  /** One for all tests: the live pictures of the page then come from the browser's cache and use up no quota. */
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(artefacts, { recursive: true });
    service = await startService(['--memory'], { GENERATOR: '{"kind":"sandbox","refuse":["forbidden"]}' });
    accounts = await localAccounts(service.url);
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  });
  afterAll(async () => {
    await browser?.close();
    accounts?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    watched = await openWatched(context);
    page = watched.page;
    await page.goto(`${service.url}/`);
  });
  afterEach(() => page.close());

  const textOf = async (selector: string) => (await page.locator(selector).textContent()) ?? '';
  const screenshot = (name: string, fullPage = false) =>
    page.screenshot({ path: join(artefacts, `playground-${name}.png`), fullPage });

  /** Scrolls every live picture into view and waits until it is drawn. */
  async function showLivePictures(): Promise<void> {
    await page.evaluate(`(async () => {
      for (const image of document.querySelectorAll('img[data-live]')) {
        image.scrollIntoView({ behavior: 'instant', block: 'center' });
        while (image.src.startsWith('data:')) await new Promise(requestAnimationFrame);
        await image.decode();
      }
    })()`);
  }

  /** Fills the form; a field that is not named stays as it is. */
  async function fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const field = page.locator(`#try [name="${name}"]`);
      if (selects.includes(name)) await field.selectOption(value);
      else await field.fill(value);
    }
  }

  interface Shown {
    readonly state: string;
    readonly width: number;
    readonly height: number;
  }

  /** Waits for the answer to a try, and for its picture if there is one. */
  async function answer(): Promise<Shown> {
    await page.locator('#go:not([disabled])').waitFor();
    const { width, height } = await page.evaluate<Omit<Shown, 'state'>>(`(async () => {
      const image = document.querySelector('#canvas img');
      if (image) await image.decode();
      return { width: image?.naturalWidth ?? 0, height: image?.naturalHeight ?? 0 };
    })()`);
    return { state: await textOf('#state'), width, height };
  }

  async function tryOut(values: Readonly<Record<string, string>>): Promise<Shown> {
    await fill(values);
    await page.locator('#go').click();
    return answer();
  }

  test('loads and draws its pictures without a complaint, a violation or a request to anybody else', async () => {
    await showLivePictures();
    const sizes = await page.evaluate<number[][]>(
      `[...document.querySelectorAll('img[data-live]')].map((img) => [img.naturalWidth, img.naturalHeight])`,
    );
    expect(sizes).toEqual([
      [1200, 800],
      [800, 500],
      [800, 500],
    ]);
    for (const caption of await page.locator('figure.shot figcaption').allTextContents())
      expect(caption).not.toBe('');
    expect(await watched.complaints()).toEqual([]);
    expect(watched.asked.filter((address) => !address.startsWith(`${service.url}/`))).toEqual([]);
    await page.evaluate('scrollTo(0, 0)');
    await screenshot('light', true);
  });

  test('shows a picture of the size that was asked for, with its credit, headers, address and snippets', async () => {
    const shown = await tryOut({ query: 'old harbour', width: '640', height: '400', seed: 'two words' });
    expect(shown).toEqual({
      state: 'Found: 640 × 400 pixels from stock_a.',
      width: 640,
      height: 400,
    });
    const address = `${service.url}/api/image/640x400-old-harbour?seed=two+words`;
    expect(await textOf('#address')).toBe(address);
    for (const name of ['html', 'markdown', 'curl', 'fetch']) {
      expect(await textOf(`#snippet-${name}`)).toContain(address);
    }
    expect(await textOf('#credit')).not.toBe('');
    expect(await textOf('#facts')).toMatch(/Location.*X-Cache(HIT|MISS).*X-RateLimit-Limit10/);
    expect(await page.locator('#try [name="size"]').inputValue()).toBe('');
    expect(await watched.complaints()).toEqual([]);
    await page.evaluate('document.getElementById("try-it").scrollIntoView({ behavior: "instant" })');
    await screenshot('stock');
  });

  /** What people paste, once the placeholder was replaced by a key as the page tells them. */
  const snippetsWith = async (key: string) => {
    const [html, markdown, curl, script] = await Promise.all(
      ['html', 'markdown', 'curl', 'fetch'].map(async (name) =>
        (await textOf(`#snippet-${name}`)).replaceAll('YOUR_API_KEY', key),
      ),
    );
    return { html, markdown, curl, script } as Record<'html' | 'markdown' | 'curl' | 'script', string>;
  };

  test.each([
    ['without a key', { query: 'sea', width: '320', height: '200' }, false],
    ['for an AI picture', { query: 'café "by" night', width: '320', height: '200', provider: 'ai' }, true],
  ] as const)('prints snippets that work when pasted: %s', async (_, values, needsKey) => {
    const key = needsKey ? (await accounts.open('free', 0)).key : '';
    await fill(values);
    const { html, markdown, curl, script } = await snippetsWith(key);
    const size = { width: 320, height: 200 };

    const inMarkdown = /^!\[.*\]\((\S+)\)$/.exec(markdown)?.[1] ?? '';
    const redirect = await ask('', { path: inMarkdown });
    expect(redirect.status).toBe(302);
    expect(await pictureBehind(redirect)).toMatchObject(size);

    const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
    try {
      const ended = spawnSync('sh', ['-c', curl], { cwd: folder, encoding: 'utf8' });
      expect([ended.status, ended.stderr.match(/curl: .*/)?.[0]]).toEqual([0, undefined]);
      const { info } = await sharp(readFileSync(join(folder, 'picture.jpg')))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject(size);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }

    const record = await page.evaluate<{ url: string; attribution: { creditLine: string } }>(
      `(async () => { ${script}\nreturn { url, attribution }; })()`,
    );
    expect(record.attribution.creditLine).not.toBe('');
    expect((await fetch(record.url)).status).toBe(200);

    const elsewhere = await openWatched(context);
    await elsewhere.page.setContent(`<!doctype html><body>${html}`);
    const drawn = await elsewhere.page.evaluate(`(async () => {
      const [image] = document.images;
      await image.decode();
      return { width: image.naturalWidth, height: image.naturalHeight, alt: image.alt, shown: image.width };
    })()`);
    expect(drawn).toEqual({ ...size, alt: values.query, shown: 320 });
    expect(elsewhere.asked[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/image/);
    await elsewhere.page.close();
  });

  test('draws an AI picture for a key that was typed in, and the key goes out in a header and nowhere else', async () => {
    const { key } = await accounts.open('free', 0);
    const values = { query: 'lighthouse', width: '480', height: '320', provider: 'ai', style: 'minimal' };
    const shown = await tryOut({ ...values, key });
    expect(shown).toEqual({ state: 'Found: 480 × 320 pixels from ai.', width: 480, height: 320 });
    expect(await textOf('#facts')).toContain('X-RateLimit-Remaining999');
    for (const snippet of ['html', 'markdown', 'curl', 'fetch'])
      expect(await textOf(`#snippet-${snippet}`)).toContain('YOUR_API_KEY');
    expect(await page.locator('#key-note').isVisible()).toBe(true);

    expect(await page.content()).not.toContain(key);
    expect(page.url()).not.toContain(key);
    expect(watched.asked.filter((address) => address.includes(key))).toEqual([]);
    const stores = '[document.cookie, localStorage.length, sessionStorage.length, history.state]';
    expect(await page.evaluate(stores)).toEqual(['', 0, 0, null]);
    expect(await watched.complaints()).toEqual([]);
    await screenshot('ai');
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
  ])('tells of %s with its status, its code and a sentence', async (code, status, values, spent) => {
    const key = spent === undefined ? {} : { key: (await accounts.open('free', spent)).key };
    const { state } = await tryOut({ query: 'sea', ...values, ...key });
    expect(state).toMatch(new RegExp(`^${status} · [A-Z][\\w' -]+$`));
    expect((await textOf('#canvas')).length).toBeGreaterThan(20);
    expect(await textOf('#facts')).toContain(`Code${code}`);
    const explained = await page.locator(`#facts a[href="#${code}"]`).getAttribute('href');
    expect(await page.locator(`tr${explained}`).textContent()).toContain(code);
    await page.evaluate('document.getElementById("try-it").scrollIntoView({ behavior: "instant" })');
    await screenshot(`error-${code}`);
  });

  test('asks nobody for what the form knows to be wrong', async () => {
    for (const values of [{ width: '99' }, { width: '640', height: '4001' }, { height: '400', query: '' }]) {
      await fill(values);
      await page.locator('#go').click();
      expect(await page.evaluate('document.getElementById("try").checkValidity()')).toBe(false);
    }
    await fill({ query: 'sea', provider: 'ai', variation: '1', alt: '1' });
    await page.locator('#go').click();
    expect(await page.evaluate('document.getElementById("try").elements.alt.validationMessage')).toMatch(
      /not both/,
    );
    // The first of the live pictures is asked for by the page itself.
    const tries = watched.asked.filter((address) =>
      /\/api\/image(?!\/1200x800-mountain-lake\?)/.test(address),
    );
    expect(tries).toEqual([]);
    expect(await textOf('#state')).toBe('Nothing was asked yet.');
  });

  test('can be used with the keyboard alone: the form is reached in its order, and Enter shows the picture', async () => {
    const focused = () =>
      page.evaluate<{ name: string; ring: string }>(`(() => {
        const { activeElement } = document;
        return { name: activeElement.name || activeElement.textContent.trim(), ring: getComputedStyle(activeElement).outlineStyle };
      })()`);
    const passed: string[] = [];
    for (let i = 0; i < 40 && passed.at(-1) !== 'Show the picture'; i++) {
      await page.keyboard.press('Tab');
      const { name, ring } = await focused();
      expect([name, ring]).not.toEqual([name, 'none']);
      passed.push(name);
    }
    expect(passed[0]).toBe('Skip to the content');
    const fields = ['query', 'size', 'width', 'height', 'provider', 'seed', 'key', 'Show the picture'];
    expect(passed.slice(passed.indexOf('query'))).toEqual(fields);

    const { key } = await accounts.open('free', 0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    expect(await answer()).toMatchObject({ width: 1200, height: 800 });
  });

  test('copies a snippet at the press of a button', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await page.locator('[data-copy="snippet-markdown"]').click();
    await page.locator('#said:not(:empty)').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await textOf('#snippet-markdown'));
  });

  test.each([1280, 390])('fits a window of %i pixels, in the light and in the dark', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    const { key } = await accounts.open('free', 0);
    await tryOut({ query: 'mountain lake', key });
    // Below the form on a phone, where one would not look for it.
    await page.evaluate(`(async () => {
      const isInSight = () => document.getElementById('canvas').getBoundingClientRect().bottom <= innerHeight + 1;
      while (!isInSight()) await new Promise(requestAnimationFrame);
    })()`);
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await showLivePictures();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate<string[]>(tooFaint)).toEqual([]);
      await page.evaluate('scrollTo(0, 0)');
      await screenshot(`${width}-${colorScheme}`, true);
    }
  });

  // The last one, as it uses up what the others need.
  test('tells a visitor whose hour is used up so, and shows cards in place of its pictures', async () => {
    let status = 302;
    for (let i = 0; i < 11 && status === 302; i++)
      status = (await ask(service.url, { path: `/api/image/100x100-sea?_=${i}` })).status;
    const fresh = await openWatched(await browser.newContext());
    page = fresh.page;
    await page.goto(`${service.url}/`);
    await showLivePictures();
    const [width] = await page.evaluate<number[]>('[document.querySelector("img[data-live]").naturalWidth]');
    expect(width).toBe(1200);
    const { state } = await tryOut({ query: 'sea' });
    expect(state).toMatch(/^429 · /);
    expect(await textOf('#facts')).toMatch(/Coderate_limited.*Retry-After\d+/);
    await screenshot('error-rate_limited');
  });
});
