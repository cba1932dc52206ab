/** The service in a real browser: images of the right size, a card for every error, never a broken image. */

import type { Page } from 'playwright-core';
import { openToAll } from '../../lambda/contract/headers';
import { errorCard } from '../../lambda/http/error-card';
import { problems } from '../../lambda/problems/problem';
import { reloadScript } from '../../lambda/problems/reload-script';
import { fixtureOf } from '../fakes/fixture';
import { listenOnLoopback } from '../fakes/loopback';
import { describeInBrowser, keepScreenshot, openStage } from './chromium';

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly status: number;
}

describeInBrowser('in Chromium', () => {
  const stage = fixtureOf(openStage);
  let page: Page;
  beforeEach(async () => {
    page = await stage.browser.newPage();
  });
  afterEach(() => page.close());

  /** A page of another origin with one image tag, once the browser has shown it or failed. */
  async function show(path: string): Promise<Shown> {
    const answered = page.waitForResponse((response) => response.url() === stage.service.url + path);
    await page.setContent(
      `<!doctype html><body style="margin:0"><img alt="" src="${stage.service.url}${path.replaceAll('&', '&amp;')}">`,
    );
    const size = await page.evaluate<Pick<Shown, 'width' | 'height'>>(`new Promise((resolve) => {
      const [img] = document.images;
      const done = () => resolve({ width: img.naturalWidth, height: img.naturalHeight });
      if (img.complete) done();
      else img.onload = img.onerror = done;
    })`);
    return { ...size, status: (await answered).status() };
  }

  test('a script of another origin may follow the redirect with its key in a header', async () => {
    const followed = await page.evaluate(
      async ([url, key]) => {
        const response = await fetch(url, { headers: { 'X-API-Key': key } });
        return { status: response.status, type: response.headers.get('content-type') };
      },
      [`${stage.service.url}/api/image/320x200-harbour`, stage.service.keys.pro.live] as const,
    );
    expect(followed).toEqual({ status: 200, type: expect.stringMatching(/^image\//) });
  });

  const used = async (plan: 'free', spent: number): Promise<string> =>
    (await stage.accounts.open(plan, spent)).key;
  type Row = readonly [code: string, status: number, path: () => Promise<string>];
  test.each<Row>([
    ['invalid_parameter', 400, async () => '/api/image/640x360-sea?variation=0'],
    ['invalid_api_key', 401, async () => '/api/image/640x360-sea?api_key=pk_live_nonsense'],
    ['quota_exceeded', 429, async () => `/api/image/640x360-sea?api_key=${await used('free', 1_000)}`],
    [
      'content_refused',
      422,
      async () => `/api/image/640x360-forbidden?provider=ai&api_key=${await used('free', 0)}`,
    ],
  ] as const)('%s is a readable card with its status, not a broken image', async (code, status, path) => {
    const shown = await show(await path());
    expect(shown).toEqual({ width: 640, height: 360, status });
    await keepScreenshot(page, `card-${code}`);
  });

  test('the reload script asks every five seconds, and loads the image once it is made', async () => {
    const code = 'generation_in_progress';
    const card = errorCard({ ...problems[code], code, detail: 'Wait.', widthPx: 300, heightPx: 200 });
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>';
    let isReady = false;
    const asked: string[] = [];
    const server = await listenOnLoopback(({ method = '', url = '' }, response) => {
      if (url !== '/') asked.push(`${method} ${url}`);
      const [status, body] = isReady ? [200, image] : [503, card];
      const headers = { ...openToAll, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' };
      response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
    });
    const path = '/api/image/300x200-lake?provider=ai';
    await page.clock.install();
    await page.setContent(`<img src="${server.address}${path}"><script>${reloadScript}</script>`);
    const width = () => page.evaluate<number>('document.querySelector("img").naturalWidth');
    await page.waitForFunction('document.querySelector("img").naturalWidth === 300');
    // Each step ends when the service has answered one more request, which is behind those of the script.
    const pass = async () => {
      await page.clock.fastForward(5_000);
      await page.evaluate(`fetch(${JSON.stringify(`${server.address}/`)})`);
      return width();
    };
    for (let i = 0; i < 3; i++) expect(await pass()).toBe(300);
    isReady = true;
    let steps = 0;
    while ((await pass()) !== 640) expect(++steps).toBeLessThan(20);
    expect(new Set(asked)).toEqual(new Set([`GET ${path}`, `HEAD ${path}`]));
    const before = asked.length;
    for (let i = 0; i < 3; i++) await pass();
    expect(asked).toHaveLength(before);
    await server.stop();
  });
});
