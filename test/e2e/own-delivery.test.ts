/** Own delivery from the outside: a visitor's browser meets the operator's host alone. */

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { deliveryFault } from '../../lambda/contract/providers';
import { postJson } from './ask';
import { describeInBrowser, keepScreenshot, launchChromium } from './chromium';
import { runLocal, startService } from './local-service';

interface Shown {
  readonly html: string;
  readonly url: string;
  readonly source: string;
}

const own = ['--memory', '--image-delivery', 'own'];

test('a start with Unsplash is refused as the deployment is', async () => {
  const process = await runLocal([...own, '--bind', 'stock_c=unsplash']);
  const [stderr, [code]] = await Promise.all([
    text(process.stderr as NodeJS.ReadableStream),
    once(process, 'exit'),
  ]);
  const bindings = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'unsplash' } as const;
  expect([code, stderr.trim()]).toEqual([1, deliveryFault('own', bindings)]);
}, 20_000);

describeInBrowser('in Chromium', () => {
  // A provider that crops by itself, one that forbids hotlinks, and one whose originals are cropped here.
  test('a page of 24 images of three providers makes requests to the service alone', async () => {
    const bindings = 'stock_a=pexels,stock_b=pixabay,stock_c=wikimedia';
    const service = await startService([...own, '--fake-providers', '--bind', bindings]);
    const browser = await launchChromium();
    try {
      const images = Array.from({ length: 24 }, (_, i) => ({
        slot: `s${i}`,
        query: `mountain lake ${'abcdefgh'[i % 8]}`,
        provider: ['stock_a', 'stock_b', 'stock_c'][i % 3],
        width: 320,
        height: 200,
      }));
      const response = await postJson(service.url, '/api/images', service.keys.pro.live, { images });
      const { images: records } = (await response.json()) as { images: Record<string, Shown> };
      const shown = Object.values(records);
      expect([...new Set(shown.map(({ source }) => source))].sort()).toEqual([
        'stock_a',
        'stock_b',
        'stock_c',
      ]);
      const page = await browser.newPage();
      const hosts = new Set<string>();
      page.on('request', (request) => {
        if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host);
      });
      const html = shown.map((image) => `${image.html}<img alt="" src="${image.url}">`).join('');
      await page.setContent(html.replaceAll(' loading="lazy"', ''), { waitUntil: 'load' });
      await keepScreenshot(page, 'own-delivery', { fullPage: true });
      const widths = await page.evaluate<number[]>('[...document.images].map((img) => img.naturalWidth)');
      expect(widths).toHaveLength(48);
      expect(Math.min(...widths)).toBeGreaterThan(0);
      expect([...hosts]).toEqual([new URL(service.url).host]);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 60_000);
});
