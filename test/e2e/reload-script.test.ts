/** The script for an image that is still being made, in a page of another origin: it shows the image once it is there. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { openToAll } from '../../lambda/contract/headers';
import { errorCard } from '../../lambda/http/error-card';
import { problems } from '../../lambda/problems/problem';
import { reloadScript } from '../../lambda/problems/reload-script';
import { describeInBrowser, launchChromium } from './chromium';

const code = 'generation_in_progress';
const card = errorCard({ ...problems[code], code, detail: 'Wait.', widthPx: 300, heightPx: 200 });
const image = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>';

describeInBrowser('the script', () => {
  let isReady = false;
  const asked: string[] = [];
  const service: Server = createServer(({ method = '', url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const [status, body] = isReady ? [200, image] : [503, card];
    const headers = { ...openToAll, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' };
    response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
  });
  let browser: Browser;
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    service.close();
  });

  it('asks every five seconds, and loads the image once it is there', async () => {
    const { port } = service.address() as AddressInfo;
    const src = `http://127.0.0.1:${port}/api/image/300x200-lake?provider=ai`;
    const page = await browser.newPage();
    await page.clock.install();
    await page.setContent(`<img src="${src}"><script>${reloadScript}</script>`);
    const width = () => page.evaluate<number>('document.querySelector("img").naturalWidth');
    await page.waitForFunction('document.querySelector("img").naturalWidth === 300');
    // Each step ends when the service has answered one more request, which is behind those of the script.
    const pass = async () => {
      await page.clock.fastForward(5_000);
      await page.evaluate(`fetch(${JSON.stringify(`${new URL(src).origin}/`)})`);
      return width();
    };
    for (let i = 0; i < 3; i++) expect(await pass()).toBe(300);
    isReady = true;
    let steps = 0;
    while ((await pass()) !== 640) expect(++steps).toBeLessThan(20);
    const path = '/api/image/300x200-lake?provider=ai';
    const ofImage = () => asked.filter((each) => each !== 'GET /');
    expect(new Set(ofImage())).toEqual(new Set([`GET ${path}`, `HEAD ${path}`]));
    const before = ofImage().length;
    for (let i = 0; i < 3; i++) await pass();
    expect(ofImage()).toHaveLength(before);
  });
});
