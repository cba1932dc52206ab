/** Pages in and out over HTTP: filled, paid like a batch, refused in words, and shown without a shift in a browser. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { FilledPage } from '../../packages/client/src/pages/fill-html';
import { sixtyPlaces } from '../../packages/client/test/pages/sixty-places';
import { postJson, usedBy } from './ask';
import { describeInBrowser, keepScreenshot, launchChromium } from './chromium';
import { type SharedService, sharedService } from './shared-service';

const fixture = (name: string) => readFileSync(join(__dirname, '../fixtures/pages', name), 'utf8');

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
}, 60_000);

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
}, 60_000);

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
  }, 60_000);
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
    60_000,
  );

  it('repairs a pasted page on the documentation page, in its own style', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${service.url}/#repair`);
    const pasted =
      '<style>body{color:rgb(1,2,3)}img{width:150px}</style><h1 style="color:rgb(4,5,6)">Hotel</h1><img src="https://placehold.co/600x400" alt="the harbor"><script>document.title=1</script><iframe src="data:text/html,x"></iframe><a href="/y">a</a>';
    expect(await page.isVisible('#repair-preview')).toBe(false);
    await page.fill('#repair-form textarea', pasted);
    await page.fill('#repair-form input[name=key]', service.keys.pro.live);
    await page.click('#repair-form button[type=submit]');
    await page.waitForSelector('#repair-report tr');
    const seen = await page.evaluate(`(async () => {
      const { shadowRoot } = document.getElementById('repair-preview');
      const image = shadowRoot.querySelector('img');
      await image.decode();
      const heading = getComputedStyle(shadowRoot.querySelector('h1')).color;
      return { width: image.width, heading, active: shadowRoot.querySelectorAll('script, iframe, [href]').length };
    })()`);
    expect(seen).toEqual({ width: 150, heading: 'rgb(4, 5, 6)', active: 0 });
    expect(await page.textContent('#repair-state')).toBe('1 image replaced, 0 left.');
    expect(await page.textContent('#repair-html')).toContain('data-image-filled="the harbor"');
    await keepScreenshot(page.locator('#repair'), 'repair');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('says on the documentation page what became of each place, or why nothing was repaired', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/#repair`);
    await page.fill('#repair-form input[name=key]', ' the-key ');
    /** What the page says where the service answers so, or not at all. */
    const stateAfter = async (status: number, body?: object) => {
      await page.route(
        '**/api/pages',
        (route) => {
          expect(route.request().headers()['x-api-key']).toBe('the-key');
          return body ? route.fulfill({ status, json: body }) : route.abort();
        },
        { times: 1 },
      );
      await page.click('#repair-form button[type=submit]');
      return page.locator('#repair-state:not(:text("Repairing"))').textContent();
    };
    const place = { line: 3, was: '/a.svg', query: 'harbor', width: 600, height: 300 };
    const report = [
      { ...place, outcome: 'filled', reason: 'placeholder' },
      { ...place, outcome: 'filled', reason: 'asked', note: 'No photo fits all the words.' },
      { ...place, outcome: 'drawn', reason: 'placeholder' },
      { ...place, outcome: 'left', reason: 'quota_exceeded', note: 'Wait' },
      { line: 3, was: '/a.svg', outcome: 'kept', reason: 'owner', query: null, width: null, height: null },
    ];
    const problem = { code: 'unauthorized', detail: 'The key is wrong.' };
    expect(await stateAfter(401, problem)).toBe('The key is wrong.');
    expect(await stateAfter(0)).toBe('The service could not be reached.');
    expect(await page.isVisible('#repair-result')).toBe(false);
    expect(await stateAfter(200, { html: '<p>x</p>', left: 2, report })).toBe('3 images replaced, 2 left.');
    const about = '3|/a.svg|harbor|600 × 300|';
    const expected = [
      `${about}filled: placeholder`,
      `${about}filled: asked. No photo fits all the words.`,
      `${about}drawn: placeholder`,
      `${about}left: quota exceeded. Wait`,
      '3|/a.svg|||kept: owner',
    ];
    const rows = await page.locator('#repair-report tr').all();
    const cells = await Promise.all(rows.map((row) => row.locator('td').allTextContents()));
    expect(cells.map((each) => each.join('|'))).toEqual(expected);
    await page.close();
  });
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
