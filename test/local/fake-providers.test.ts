/** The fake providers deliver real images in the stated sizes, and record requests without keys. */

import sharp from 'sharp';
import { needsKey } from '../../lambda/contract/providers';
import { createOriginalFetcher } from '../../lambda/images/fetch/fetch-original';
import { createProvider } from '../../lambda/stock/providers/providers';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import { type FakeProviderName, startFakeProviders } from '../../local/fake-providers/start';

// Images of full size take their time on a small machine.
jest.setTimeout(30_000);

const names: readonly FakeProviderName[] = ['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay'];
const never = new AbortController().signal;

describe('the fake providers', () => {
  let fakeProviders: Awaited<ReturnType<typeof startFakeProviders>>;
  beforeAll(async () => {
    fakeProviders = await startFakeProviders(names);
  });
  afterAll(() => fakeProviders?.stop());

  const at = (name: FakeProviderName, path: string, headers = {}) =>
    fetch(fakeProviders.endpoints[name] + path, { headers });
  const provider = (name: FakeProviderName): StockProvider =>
    createProvider(name, {
      baseUrl: fakeProviders.endpoints[name] as string,
      key: async () => (needsKey(name) ? 'the-key' : ''),
      contact: () => 'operator@example.org',
      clock: { nowMs: () => 0 },
    });

  it.each(names)(
    '%s delivers an image for the source that its adapter names, exact where it crops',
    async (name) => {
      const { sourceFor, search, capability } = provider(name);
      const [candidate] = await search(
        { subject: understand('mountain lake'), orientation: 'landscape' },
        never,
      );
      const source = candidate && sourceFor(candidate, { widthPx: 480, heightPx: 321 });
      if (!source || !('url' in source)) throw new Error('There is nothing to fetch.');
      const allowedLoopback = [new URL(fakeProviders.endpoints[name] as string).host];
      const fetcher = createOriginalFetcher({ allowedLoopback });
      const original = await fetcher(source.url, capability.allowedHosts, never);
      if (original.outcome !== 'fetched') throw new Error(original.reason);
      const { width, height, format } = await sharp(original.bytes).metadata();
      expect(format).toBe('jpeg');
      if (source.kind === 'hotlink') expect([width, height]).toEqual([480, 321]);
      else expect([width >= 480, height >= 321]).toEqual([true, true]);
    },
  );

  it.each([
    ['openverse', 'quick brown fox jumping over dogs', 20, 'although all words together find nothing'],
    ['wikimedia', 'quick brown fox jumping over dogs', 20, 'although all words together find nothing'],
    ['wikimedia', 'zorblax', 0, 'as no photo has such a word'],
    ['openverse', 'zorblax', 0, 'as no photo has such a word'],
    ['unsplash', 'zorblax', 0, 'as no photo has such a word'],
    ['pexels', 'zorblax lighthouse', 20, 'as one of the words is enough'],
  ] as const)('%s finds for %j up to %i photos, %s', async (name, words, count, _why) => {
    const query = { subject: understand(words), orientation: 'landscape' } as const;
    const found = await provider(name).search(query, never, async () => true);
    expect(found.length > 0).toBe(count > 0);
    expect(found.length).toBeLessThanOrEqual(count);
  });

  it('have records without a category, which a filter by one drops', async () => {
    const found = async (filter: string) => {
      const answer = await fetch(`${fakeProviders.endpoints['openverse']}/v1/images/?q=lake${filter}`);
      return ((await answer.json()) as { results: unknown[] }).results.length;
    };
    expect(await found('&category=photograph')).toBeLessThan((await found('')) / 2);
  });

  it('deliver broken bytes for a broken image', async () => {
    const { sourceFor, search } = provider('pexels');
    const found = await search({ subject: understand('fakebroken'), orientation: 'landscape' }, never);
    const states = await Promise.all(
      found.slice(0, 4).map(async (candidate) => {
        const source = sourceFor(candidate, { widthPx: 120, heightPx: 100 });
        const bytes = await (await fetch(source?.kind === 'hotlink' ? source.url : '')).arrayBuffer();
        return sharp(bytes)
          .stats()
          .then(() => 'whole')
          .catch(() => 'broken');
      }),
    );
    expect(states).toEqual(['broken', 'whole', 'broken', 'whole']);
  });

  it('list their requests, without the key', async () => {
    await at('pixabay', '/api/?q=lake&key=secret-1');
    await at('unsplash', '/search/photos?query=lake', { authorization: 'Client-ID secret-2' });
    await at('pexels', '/v1/search?query=lake');
    const lists = await Promise.all(
      (['pixabay', 'unsplash', 'pexels'] as const).map(async (name) => (await at(name, '/_requests')).text()),
    );
    expect(lists.join()).not.toContain('secret');
    const last = lists.map((body) => JSON.parse(body).requests.at(-1));
    expect(last.map(({ key }) => key)).toEqual(['present', 'present', 'absent']);
    expect(last[0].parameters).toEqual({ q: 'lake' });
  });

  it('refuse what the providers refuse', async () => {
    const status = async (name: FakeProviderName, path: string, headers = {}) =>
      (await at(name, path, headers)).status;
    expect(await status('openverse', '/v1/images/?q=lake&page_size=21')).toBe(401);
    expect(await status('wikimedia', '/w/api.php?gsrsearch=lake')).toBe(403);
    expect(await status('unsplash', '/search/photos?query=lake')).toBe(401);
    expect(await status('unsplash', '/search/photos?query=fake429', { authorization: 'Client-ID k' })).toBe(
      403,
    );
    expect(await status('pixabay', '/api/?q=lake')).toBe(400);
    expect(await status('pixabay', `/api/?key=k&q=${'x'.repeat(101)}`)).toBe(400);
    expect(await status('pexels', '/v1/search?query=fake429', { authorization: 'k' })).toBe(429);
  });

  it.each<[FakeProviderName, string, RegExp, readonly [widthPx: number, heightPx: number]]>([
    ['pixabay', '/api/?key=k&q=lake&orientation=horizontal', /[^"]+_640\.jpg/, [640, 0]],
    ['pixabay', '/api/?key=k&q=lake&orientation=vertical', /[^"]+_640\.jpg/, [0, 640]],
    ['pixabay', '/api/?key=k&q=lake&orientation=horizontal', /[^"]+_1280\.jpg/, [1_280, 0]],
    ['openverse', '/v1/images/?q=lake&aspect_ratio=wide', /[^"]+\/thumb\//, [600, 0]],
    ['openverse', '/v1/images/?q=lake&aspect_ratio=tall', /[^"]+\/thumb\//, [600, 0]],
    ['unsplash', '/search/photos?query=lake', /[^"]+&w=400/, [400, 0]],
    ['pexels', '/v1/search?query=lake', /[^"]+&h=200&w=280/, [280, 200]],
  ])('%s has images of %s in the sizes that their URLs name', async (name, search, url, [wide, high]) => {
    const authorization = name === 'unsplash' ? 'Client-ID k' : 'k';
    const found = url.exec(await (await at(name, search, { authorization })).text())?.[0] ?? '';
    const { width, height } = await sharp(await (await fetch(found)).arrayBuffer()).metadata();
    expect([width, height]).toEqual([wide || expect.any(Number), high || expect.any(Number)]);
    if (name === 'pixabay') expect(Math.max(width, height)).toBe(wide || high);
  });

  it('hand out Wikimedia images in the listed widths only', async () => {
    const found = await provider('wikimedia').search(
      { subject: understand('lake'), orientation: 'landscape' },
      never,
    );
    const thumb = found[0]?.extra?.['thumbUrl'] ?? '';
    expect((await fetch(thumb.replace('1920px', '250px'))).status).toBe(200);
    expect((await fetch(thumb.replace('1920px', '300px'))).status).toBe(400);
    // Nor in the width of the original, where that is one of them.
    const wide = found.find(({ widthPx }) => widthPx === 3_840)?.extra?.['thumbUrl'] ?? '';
    expect((await fetch(wide.replace('1920px', '3840px'))).status).toBe(400);
  });
});
