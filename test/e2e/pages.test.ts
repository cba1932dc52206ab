/** Pages in and out over HTTP: filled, paid like a batch, refused in words, and shown without a shift in a browser. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { FilledPage } from '../../packages/client/src/pages/fill';
import { sixtyPlaces } from '../../packages/client/test/pages/sixty-places';
import { postJson, usedBy } from './ask';
import { describeInBrowser, keepScreenshot, launchChromium } from './chromium';
import { type SharedService, sharedService } from './shared-service';

const fixture = (name: string) => readFileSync(join(__dirname, '../fixtures/pages', name), 'utf8');

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

function post(body: string, headers: Readonly<Record<string, string>> = html, key = service.keys.pro.live) {
  return fetch(`${service.url}/api/pages`, {
    method: 'POST',
    headers: { ...(key && { Authorization: `Bearer ${key}` }), ...headers },
    body,
  });
}

const used = () => usedBy(service.url, service.keys.pro.live);

it('answers a page with its images, charges each, and charges nothing for a page that is filled', async () => {
  const before = await used();
  const response = await post(fixture('v0.html'));
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const filled = await response.text();
  expect(filled).not.toContain('placeholder.svg');
  expect((await used()) - before).toBe(4);
  expect(await (await post(filled)).text()).toBe(filled);
  expect((await used()) - before).toBe(4);
});

it('reports as JSON, 24 images at a time until nothing is left', async () => {
  let page: string = sixtyPlaces;
  const left: number[] = [];
  const picks: (string | null)[] = [];
  for (let call = 0; call < 3; call += 1) {
    const response = await post(JSON.stringify({ html: page }), json);
    expect(response.status).toBe(200);
    const filled = (await response.json()) as FilledPage;
    page = filled.html;
    left.push(filled.left);
    picks.push(...filled.report.flatMap(({ outcome, pick }) => (outcome === 'filled' ? [pick] : [])));
  }
  expect(left).toEqual([36, 12, 0]);
  expect(new Set(picks).size).toBe(60);
});

describeInBrowser('in a browser', () => {
  let browser: Browser;
  let site: Server;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launchChromium();
    site = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(pages.get(request.url ?? ''));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  /** Keeps the sum of all layout shifts. */
  const watchShifts = `globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { globalThis.shift += value; }))
      .observe({ type: 'layout-shift', buffered: true });`;
  const loadAll = `Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => undefined);
  }))`;

  // More visitors of one address than one without a key has requests in an hour.
  it.each([
    ['v0.html', 11],
    ['lovable.html', 1],
    ['tailwind.html', 1],
  ])(
    'shows every image of %s to %i visitors of one address, without a shift and without a further charge',
    async (name, visitors) => {
      const answer = await post(fixture(name));
      expect(answer.status).toBe(200);
      pages.set(`/${name}`, await answer.text());
      const paid = await used();
      for (let visitor = 0; visitor < visitors; visitor += 1) {
        const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
        const page = await context.newPage();
        const refused: string[] = [];
        page.on('response', (answer) => {
          if (answer.status() >= 400 && answer.url().startsWith(service.url)) refused.push(answer.url());
        });
        await page.addInitScript(watchShifts);
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}`);
        await page.evaluate(loadAll);
        if (visitor === visitors - 1) await keepScreenshot(page, `filled-${name}`, { fullPage: true });
        expect(refused).toEqual([]);
        expect(await page.evaluate('shift')).toBe(0);
        await context.close();
      }
      expect(await used()).toBe(paid);
    },
  );
});

it('fills a page for a model', async () => {
  const params = {
    name: 'fill_page',
    arguments: { html: '<img src="https://placehold.co/600x400" alt="lake">' },
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await postJson(service.url, '/mcp', service.keys.pro.live, call);
  const { result } = (await response.json()) as {
    result: { content: { text: string }[]; structuredContent: FilledPage };
  };
  expect(result.structuredContent).toMatchObject({ left: 0, report: [{ outcome: 'filled' }] });
  expect(result.content[0]?.text).toBe(result.structuredContent.html);
});
