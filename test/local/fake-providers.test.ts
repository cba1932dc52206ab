/** The fake providers deliver real images in the stated sizes, and record requests without keys. */

import sharp from 'sharp';
import { needsKey } from '../../lambda/contract/providers';
import { fetchOriginal } from '../../lambda/images/fetch/fetch-original';
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
      const original = await fetchOriginal({ allowedLoopback }, source.url, capability.allowedHosts, never);
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
    expect(await status('pexels', '/v1/search?query=lake', { authorization: 'Bearer k' })).toBe(401);
    for (const [search, code] of [
      ['q=lake&per_page=2', 400],
      ['q=lake&per_page=3', 200],
      ['q=lake&per_page=200', 200],
      ['q=lake&per_page=201', 400],
      ['id=1', 400],
    ] as const)
      expect([search, await status('pixabay', `/api/?key=k&${search}`)]).toEqual([search, code]);
    expect(await status('openverse', `/v1/images/?q=${'x'.repeat(200)}`)).toBe(200);
    expect(await status('openverse', `/v1/images/?q=${'x'.repeat(201)}`)).toBe(400);
    expect(await status('pexels', '/v1/search?query=fake500', { authorization: 'k' })).toBe(500);
    await expect(
      fetch(`${fakeProviders.endpoints['pexels']}/v1/search?query=faketimeout`, {
        headers: { authorization: 'k' },
        signal: AbortSignal.timeout(100),
      }),
    ).rejects.toThrow();
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

  it('describe a photo that they have listed, and no other', async () => {
    const authorization = 'Client-ID k';
    const read = async (path: string) => {
      const answer = await at('unsplash', path, { authorization });
      return { status: answer.status, text: await answer.text() };
    };
    const [listed] = JSON.parse((await read('/search/photos?query=lake')).text).results;
    expect(JSON.parse((await read(`/photos/${listed.id}`)).text)).toEqual(listed);
    expect((await read('/photos/zzzzz')).status).toBe(404);
    expect((await read(`/photos/${listed.id}/download`)).status).toBe(200);
    const agent = { 'user-agent': 'test (ops@example.org)' };
    const missing = await at('wikimedia', '/w/api.php?pageids=5', agent);
    expect(await missing.json()).toMatchObject({ query: { pages: [{ pageid: 5, missing: true }] } });
  });

  it('list photos as the words and the parameters of a search ask for them', async () => {
    type Listed = readonly { readonly width: number; readonly height: number; readonly title: string }[];
    const pexels = async (search: string) => {
      const answer = await at('pexels', `/v1/search?${search}`, { authorization: 'k' });
      return ((await answer.json()) as { photos: Listed }).photos;
    };
    expect(await pexels('query=lake')).toHaveLength(15);
    expect(await pexels('query=lake&per_page=100')).toHaveLength(80);
    for (const { width, height } of await pexels('query=lake&orientation=portrait'))
      expect(height).toBeGreaterThan(width);
    for (const { width, height } of await pexels('query=fakesmall'))
      expect(Math.max(width, height)).toBeLessThanOrEqual(320);
    const openverse = async (search: string) => {
      const answer = await at('openverse', `/v1/images/?${search}`);
      return ((await answer.json()) as { results: Listed }).results.length;
    };
    const words = ['old', 'stone', 'bridge', 'river', 'autumn'];
    // An archive requires all words, of which a caption has four at most.
    expect(await openverse(`q=${words.slice(0, 4).join('+')}`)).toBe(20);
    expect(await openverse(`q=${words.join('+')}`)).toBe(0);
    expect(await openverse(`title=${words.join('+')}`)).toBe(20);
    const commons = async (search: string) => {
      const agent = { 'user-agent': 'test (ops@example.org)' };
      const answer = await at('wikimedia', `/w/api.php?gsrsearch=${encodeURIComponent(search)}`, agent);
      return ((await answer.json()) as { query: { pages: Listed } }).query.pages.map(({ title }) => title);
    };
    const featured = await commons('lake haswbstatement:P6731=Q63348069');
    expect((await commons('lake')).filter((title) => featured.includes(title)).length).toBeGreaterThan(0);
    expect(featured.length).toBeLessThan((await commons('lake')).length / 2);
    expect(featured.filter((title) => /map|logo|scan|page 12/i.test(title))).toEqual([]);
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
