/** The service in a real browser: images of the right size, a card for every error, never a broken image. */

import type { Page } from 'playwright-core';
import { corsHeaders } from '../../lambda/contract/headers';
import { drawErrorCard } from '../../lambda/http/error-card';
import { problems } from '../../lambda/problems/problem';
import { reloadScript } from '../../lambda/problems/reload-script';
import { startFixture } from '../fakes/fixture';
import { listenOnLoopback } from '../fakes/loopback';
import { describeInBrowser, openStage } from './chromium';

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly status: number;
}

describeInBrowser('in Chromium', () => {
  const stage = startFixture(openStage);
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

  test.each([
    [401, '?api_key=pk_live_nonsense'],
    [422, '?provider=ai'],
  ])('a refusal with %i is a readable card, not a broken image', async (status, search) => {
    const key = status === 422 ? `&api_key=${stage.service.keys.pro.live}` : '';
    const shownImage = await show(`/api/image/640x360-forbidden${search}${key}`);
    expect(shownImage).toEqual({ width: 640, height: 360, status });
  });

  describe('the reload script', () => {
    const path = '/api/image/300x200-lake?provider=ai';
    const code = 'generation_in_progress';
    const card = drawErrorCard({ ...problems[code], code, detail: 'Wait.', widthPx: 300, heightPx: 200 });
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>';

    /** Opens a page with an image and the script; `retryAfterS` is 0 once the image is made. */
    async function openPage(state: { retryAfterS: number }) {
      const requests: string[] = [];
      const server = await listenOnLoopback(({ method = '', url = '' }, response) => {
        requests.push(`${method} ${url}`);
        const headers = { ...corsHeaders, 'Content-Type': 'image/svg+xml' };
        const cached = { ...headers, 'Cache-Control': 'private, max-age=60', Vary: 'Accept, Authorization' };
        if (url === '/page')
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<img src="${path}">`);
        else if (url === '/made.svg') response.writeHead(200, cached).end(image);
        else if (url !== path) response.writeHead(204, headers).end();
        else if (state.retryAfterS === 0) response.writeHead(302, { ...cached, Location: '/made.svg' }).end();
        else {
          const waiting = { 'Cache-Control': 'no-store', 'Retry-After': String(state.retryAfterS) };
          response.writeHead(503, { ...headers, ...waiting }).end(method === 'HEAD' ? undefined : card);
        }
      });
      await page.clock.install();
      // Chromium keeps no cache for a page without an address.
      await page.goto(`${server.address}/page`);
      const firstWidth = state.retryAfterS === 0 ? 640 : 300;
      await page.waitForFunction(`document.querySelector("img").naturalWidth === ${firstWidth}`);
      await page.evaluate(reloadScript);
      /** Lets five seconds pass; the extra request is answered after those of the script. */
      const passFiveSeconds = async () => {
        await page.evaluate(`fetch(${JSON.stringify(`${server.address}/`)})`);
        await page.clock.fastForward(5_000);
        await page.evaluate(`fetch(${JSON.stringify(`${server.address}/`)})`);
        return page.evaluate<number>('document.querySelector("img").naturalWidth');
      };
      const listImageRequests = () => requests.filter((request) => /image|made/.test(request));
      return { server, passFiveSeconds, listImageRequests };
    }

    test('an image in the making is loaded once it is made', async () => {
      const state = { retryAfterS: 5 };
      const { server, passFiveSeconds, listImageRequests } = await openPage(state);
      for (let i = 0; i < 3; i++) expect(await passFiveSeconds()).toBe(300);
      state.retryAfterS = 0;
      let steps = 0;
      while ((await passFiveSeconds()) !== 640) expect(++steps).toBeLessThan(20);
      const { length } = listImageRequests();
      for (let i = 0; i < 3; i++) await passFiveSeconds();
      expect(listImageRequests()).toHaveLength(length);
      await server.stop();
    });

    test.each([
      [
        'an image that loaded well is asked for once more',
        0,
        [`GET ${path}`, 'GET /made.svg', `HEAD ${path}`],
      ],
      ['an image that is paused for an hour is asked for once more', 3_600, [`GET ${path}`, `HEAD ${path}`]],
    ])('%s', async (_, retryAfterS, requests) => {
      const { server, passFiveSeconds, listImageRequests } = await openPage({ retryAfterS });
      for (let i = 0; i < 3; i++) await passFiveSeconds();
      expect(listImageRequests()).toEqual(requests);
      await server.stop();
    });
  });
});
