/** The guide for programs, followed literally: from its text alone a page of ten images is written, and all of them load. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from './chromium';
import { type SharedService, sharedService } from './shared-service';

/** The first call of the guide: URL, headers and body as they are written. */
function callIn(guide: string) {
  const [, url = '', flags = '', body = ''] = /^ {4}curl -s (\S+) ([^']*)'(\{[^']*\})'$/m.exec(guide) ?? [];
  const headers = [...flags.matchAll(/-H "([\w-]+): ([^"]+)"/g)];
  return {
    url,
    headers: headers.map(([, name = '', value = '']) => [name, value] as const),
    body: JSON.parse(body) as { images: Record<string, unknown>[] },
  };
}

describeInBrowser('llms.txt', () => {
  let service: SharedService;
  let browser: Browser;
  let site: Server;
  let page = '';
  beforeAll(async () => {
    service = await sharedService();
    browser = await launchChromium();
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test('a page that follows llms.txt shows ten of ten images', async () => {
    const guide = await (await fetch(`${service.url}/llms.txt`)).text();
    // Which way to take stands on the first screen.
    const screen = guide.split('\n').slice(0, 30).join('\n');
    expect(screen).toMatch(/site key/);
    expect(screen).toMatch(/Never put an API key \(pk_live_…, pk_test_…\) into a page/);
    const { url, headers, body } = callIn(screen);
    const [example = {}] = body.images;
    const queries = ['lake', 'forest', 'city', 'bread', 'fox', 'harbour', 'desk', 'garden', 'snow', 'bridge'];
    const images = queries.map((query) => ({ ...example, slot: query, query, width: 300, height: 200 }));
    const sent = headers.map(([name, value]) => [
      name,
      value.replace('$IMAGE_REDIRECT_KEY', service.keys.pro.live),
    ]);
    const response = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(sent),
      body: JSON.stringify({ ...body, images }),
    });
    const found = (await response.json()) as { images: Record<string, { html: string }> };
    page = `<!doctype html><title>Ten images</title>${Object.values(found.images)
      .map(({ html }) => html)
      .join('\n')}`;
    expect(page).not.toContain('pk_');

    const tab = await browser.newPage();
    const statuses: number[] = [];
    tab.on('response', (each) => {
      if (each.url().startsWith(`${service.url}/api/`)) statuses.push(each.status());
    });
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const shown = await tab.evaluate<{ naturalWidth: number; alt: string }[]>(`(async () => {
      const all = [...document.images];
      for (const image of all) image.loading = 'eager';
      await Promise.all(all.map((image) => image.decode().catch(() => undefined)));
      return all.map(({ naturalWidth, alt }) => ({ naturalWidth, alt }));
    })()`);
    await tab.close();
    for (const { alt } of shown) expect(alt).toMatch(/^Drawing/);
    expect(shown.every(({ naturalWidth }) => naturalWidth > 0)).toBe(true);
    // Each is the image itself and no error card.
    expect(statuses).toEqual(queries.map(() => 302));
  });
});
