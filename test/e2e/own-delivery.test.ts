/** Own delivery from the outside: a visitor's browser meets the operator's host alone. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stockSlots } from '../../lambda/contract/providers';
import type { ImageRecord } from '../../lambda/images/record';
import { makeTestFolder } from '../fakes/fixture';
import { makePng } from '../fakes/images';
import { postJson } from './ask';
import { describeInBrowser, launchChromium } from './chromium';
import { startService } from './local-service';

describeInBrowser('in Chromium', () => {
  const folder = makeTestFolder();
  beforeAll(async () => {
    writeFileSync(join(folder, 'quokka.png'), await makePng(900, 600));
    const row = 'quokka.png,Quokka under fern,CC BY 4.0';
    writeFileSync(join(folder, 'library.csv'), `file,title,license\n${row}\n`);
  });

  // All but Unsplash; Pexels would crop by itself.
  test.each([
    ['pexels, pixabay, openverse', [], ['Openverse', 'Pexels', 'Pixabay']],
    [
      'wikimedia, sandbox, library',
      [
        { query: 'quokka fern', provider: 'stock_c' },
        { query: 'robot', provider: 'ai' },
      ],
      ['AI-generated', 'Library', 'Sandbox', 'Wikimedia Commons'],
    ],
  ])(
    'images in every size, a card and the account page load from the service alone: %s',
    async (providers, ownRequests, names) => {
      const bindings = providers.split(', ').map((provider, i) => `${stockSlots[i]}=${provider}`);
      const options = ['--fake-providers', '--bind', bindings.join(), '--library', folder];
      const service = await startService(['--memory', '--image-delivery', 'own', ...options]);
      const browser = await launchChromium();
      try {
        const key = service.keys.pro.live;
        const requestedImages = Array.from({ length: 6 }, (_, i) => ({
          slot: `s${i}`,
          query: `mountain lake ${'abcdefgh'[i % 8]}`,
          provider: stockSlots[i % 3],
          width: 320,
          height: 200,
          ...ownRequests[i],
        }));
        const response = await postJson(service.url, '/api/images', key, { images: requestedImages });
        const { images } = (await response.json()) as { images: Record<string, ImageRecord> };
        const records = Object.values(images);
        expect([...new Set(records.map(({ attribution }) => attribution.providerName))].sort()).toEqual(
          names,
        );
        const page = await browser.newPage();
        const hosts = new Set<string>();
        page.on('request', (request) => {
          if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host);
        });
        const path = `${service.url}/api/image/320x200-forest`;
        const urls = [
          ...records.map(({ url }) => url),
          // Of each provider one.
          ...records.slice(0, 3).flatMap(({ srcset }) => (srcset ?? '').split(/ \d+w(?:, |$)/)),
          // A card with an error.
          `${path}?provider=none`,
        ].filter(Boolean);
        const html = [
          ...records.map((image) => image.html),
          ...urls.map((url) => `<img alt="" src="${url}">`),
        ];
        await page.setContent(html.join('').replaceAll(' loading="lazy"', ''), { waitUntil: 'load' });
        const widths = await page.evaluate<number[]>('[...document.images].map((img) => img.naturalWidth)');
        expect(widths).toHaveLength(records.length + urls.length);
        expect(Math.min(...widths)).toBeGreaterThan(0);
        await page.goto(`${service.url}/account`);
        await page.locator('main input[type=password]').fill(key);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Used' }).first().waitFor();
        await page.waitForLoadState('networkidle');
        expect([...hosts]).toEqual([new URL(service.url).host]);
      } finally {
        await browser.close();
        await service.stop();
      }
    },
  );
});
