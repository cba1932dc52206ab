/** The images of pages over HTTP: bought once, all different, and free for every visitor afterwards. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageRecord } from '../../lambda/images/record';
import { startFixture } from '../fakes/fixture';
import { listenOnLoopback } from '../fakes/loopback';
import { postJson } from './ask';
import { describeInBrowser, openStage } from './chromium';
import { connectLocalAccounts } from './local-account';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);
const accounts = startFixture(() => connectLocalAccounts(service.url));
const account = startFixture(() => accounts.open('business', 0));

const readPage = (name: string) => readFileSync(join(__dirname, '../fixtures/pages', name), 'utf8');
const postPage = (body: string) =>
  fetch(`${service.url}/api/pages`, {
    method: 'POST',
    headers: { 'X-API-Key': account.key, 'Content-Type': 'text/html' },
    body,
  });
/** Units that were paid meanwhile. */
const countPaid = async (work: () => Promise<unknown>) => {
  const takenBefore = await account.readTaken();
  await work();
  return (await account.readTaken()) - takenBefore;
};

test('a batch of 24 slots gets 24 images, which visitors see in every size without a charge', async () => {
  const size = { width: 300, height: 200 };
  const images = [
    ...Array.from({ length: 22 }, (_, i) => ({ slot: `s${i}`, query: `subject ${i % 11}`, ...size })),
    { slot: 'seed', query: 'subject 3', seed: '3', ...size },
    { slot: 'ai', query: 'robot', provider: 'ai', style: 'dark', ...size },
  ];
  let records: readonly ImageRecord[] = [];
  const boughtUnits = await countPaid(async () => {
    const answer = (await (await postJson(service.url, '/api/images', account.key, { images })).json()) as {
      readonly images: Readonly<Record<string, ImageRecord>>;
    };
    expect(Object.keys(answer.images)).toEqual(images.map(({ slot }) => slot));
    records = Object.values(answer.images);
  });
  expect([boughtUnits, new Set(records.map(({ pick }) => pick)).size]).toEqual([24, 24]);
  const listUrls = ({ src, srcset }: ImageRecord) =>
    [src, ...(srcset ?? '').split(', ').map((candidate) => candidate.split(' ')[0])].map(String);
  const viewedUrls = [...records.map(({ src }) => String(src)), ...records.slice(-2).flatMap(listUrls)];
  const viewUnits = await countPaid(async () => {
    for (const url of viewedUrls) {
      const response = await fetch(url, { headers: { 'Sec-Fetch-Dest': 'image', Accept: 'image/webp,*/*' } });
      expect([response.status, response.redirected]).toEqual([200, true]);
    }
  });
  expect(viewUnits).toBe(0);
});

describeInBrowser('in a browser', () => {
  const stage = startFixture(openStage);
  const pages = new Map<string, string>();
  const site = startFixture(() =>
    listenOnLoopback((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(pages.get(request.url ?? ''));
    }),
  );

  /** Keeps the sum of all layout shifts. */
  const watchShifts = `globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { globalThis.shift += value; }))
      .observe({ type: 'layout-shift', buffered: true });`;
  const loadAll = `Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => undefined);
  }))`;

  test.each(['v0.html', 'lovable.html', 'tailwind.html'])(
    'every image of %s shows without a shift or a cost for its visitor',
    async (name) => {
      pages.set(`/${name}`, await (await postPage(readPage(name))).text());
      const paid = await countPaid(async () => {
        const page = await stage.context.newPage();
        const refused: string[] = [];
        page.on('response', (answer) => {
          if (answer.status() >= 400 && answer.url().startsWith(service.url)) refused.push(answer.url());
        });
        await page.addInitScript(watchShifts);
        await page.goto(`${site.address}/${name}`);
        await page.evaluate(loadAll);
        expect([refused, await page.evaluate('shift')]).toEqual([[], 0]);
        await page.close();
      });
      expect(paid).toBe(0);
    },
  );
});
