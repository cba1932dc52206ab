/** The promises of every stock adapter, tested with the fake of its provider. */

import { parseUrl } from '../../../lambda/base/parse';
import { needsKey } from '../../../lambda/contract/providers';
import { isAllowedUrl } from '../../../lambda/images/allowed-url';
import { type Orientation, orientationOf } from '../../../lambda/images/image';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { ProviderFailure, type StockProvider } from '../../../lambda/stock/stock-provider';
import { readSubject } from '../../../lambda/stock/subject';
import { type FakeProviderName, startFakeProviders } from '../../../local/fake-providers/fake-providers';
import { fixtureOf } from '../../fakes/fixture';

interface FakeProviderTraits {
  /** The provider's parameters for landscape, portrait and square images. */
  readonly searches: Readonly<Record<Orientation, Readonly<Record<string, string>>>>;
  /** Parameters of every search. */
  readonly always: Readonly<Record<string, string>>;
  readonly source: 'hotlink' | 'fetch';
}

const secret = 'never-to-be-seen-key';
const never = new AbortController().signal;

function describeStockProvider(name: FakeProviderName, traits: FakeProviderTraits): void {
  describe(`the stock adapter: ${name}`, () => {
    const fakeProviders = fixtureOf(() => startFakeProviders([name]));
    let provider: StockProvider;

    const build = (key: string, baseUrl = fakeProviders.endpoints[name]): StockProvider =>
      createProvider(name, {
        endpoints: baseUrl ? { [name]: baseUrl } : {},
        readKey: async () => (needsKey(name) ? key : undefined),
        contact: 'operator@example.org',
        clock: { nowMs: () => 0 },
      });
    const readRequests = async () => {
      const response = await fetch(`${fakeProviders.endpoints[name]}/_requests`);
      return (await response.json()) as {
        requests: { parameters: Record<string, string>; userAgent: string }[];
      };
    };
    const search = (
      words: string,
      orientation: Orientation = 'landscape',
      { from = provider, signal = never } = {},
    ) => from.search({ subject: readSubject(words), orientation }, signal, async () => true);
    const failure = async (words: string, from = provider): Promise<ProviderFailure> => {
      const error = await search(words, 'landscape', { from }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(secret);
      return error;
    };

    beforeEach(() => {
      provider = build(secret);
    });

    test('candidates have credit, licence, links and size', async () => {
      const candidates = await search('mountain lake');
      expect(candidates.length).toBeGreaterThanOrEqual(8);
      expect(candidates.length).toBeLessThanOrEqual(20);
      expect(new Set(candidates.map(({ id }) => id)).size).toBe(candidates.length);
      for (const { attribution, sourceUrl, widthPx, heightPx } of candidates) {
        expect(attribution.providerName).toMatch(/^[A-Z]/);
        expect(attribution.creator).toMatch(/^\S/);
        expect(attribution.creditLine).toContain(attribution.creator);
        expect(attribution.license.id).toMatch(/^[a-z0-9.-]+$/);
        expect(attribution.license.url).toMatch(/^https:\/\//);
        expect(attribution.landingUrl).toMatch(/^https:\/\//);
        expect(parseUrl(sourceUrl)).toBeDefined();
        expect(Math.min(widthPx ?? 0, heightPx ?? 0)).toBeGreaterThan(500);
      }
    });

    test.each(['landscape', 'portrait', 'square'] as const)(
      'a search for %s images has the parameters of the provider',
      async (orientation) => {
        const candidates = await search('old harbour', orientation);
        const { parameters } = (await readRequests()).requests.at(-1) ?? {};
        expect(parameters).toMatchObject({ ...traits.always, ...traits.searches[orientation] });
        expect(candidates.length).toBeGreaterThan(0);
        for (const { widthPx = 1, heightPx = 1 } of candidates) {
          expect(orientationOf({ widthPx, heightPx })).toBe(orientation);
        }
      },
    );

    test('a candidate is described by its id as in the search', async () => {
      const [candidate] = await search('mountain lake');
      const candidateById = await provider.findById?.(candidate?.id ?? '', never);
      expect({ ...candidateById, description: candidate?.description }).toEqual(candidate);
      const unknown = candidate?.id.replace(/^\w{4}/, '1111') ?? '';
      expect(await provider.findById?.(unknown, never)).toBeUndefined();
    });

    test('the description of a candidate has at most 400 bytes', async () => {
      const descriptions = (await search('mountain lake')).map(({ description }) => description);
      expect(Math.min(...descriptions.map(({ rank }) => rank))).toBeGreaterThanOrEqual(1);
      for (const description of descriptions) {
        expect(description.match).toMatchObject({ coverage: expect.any(Number) });
        expect(Buffer.byteLength(JSON.stringify(description))).toBeLessThanOrEqual(400);
      }
      expect(JSON.stringify(descriptions)).toMatch(/mountain/i);
    });

    test('a candidate is offered on a host of its provider', async () => {
      const [candidate] = await search('mountain lake');
      const source = candidate && provider.offerImage(candidate, { widthPx: 801, heightPx: 603 });
      if (source?.kind !== traits.source) throw new Error('The source is of another kind.');
      expect(isAllowedUrl(source.url, provider.capability.allowedHosts)).toBe(true);
      if (source.kind !== 'hotlink') return;
      const parameters = Object.fromEntries(new URL(source.url).searchParams);
      expect(parameters).toMatchObject({ w: '801', h: '603', fit: 'crop' });
    });

    test('an adapter stops when its signal aborts', async () => {
      const abort = new AbortController();
      const searching = search('mountain lake', 'landscape', { signal: abort.signal }).catch(
        (error) => error,
      );
      abort.abort();
      expect(await searching).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
    });

    test('an adapter allows only its own hosts over https without a fake provider', () => {
      const real = build(secret, '');
      expect(real.capability.allowedHosts.length).toBeGreaterThan(0);
      for (const host of real.capability.allowedHosts) {
        expect(host).toMatch(/\.(com|org)$/);
        expect(isAllowedUrl(`https://${host}/a.jpg`, real.capability.allowedHosts)).toBe(true);
        expect(isAllowedUrl(`http://${host}/a.jpg`, real.capability.allowedHosts)).toBe(false);
      }
    });

    test('an adapter sends no request without the key that it needs', async () => {
      const requestsBefore = (await readRequests()).requests.length;
      if (!needsKey(name)) {
        expect((await search('lake', 'square', { from: build('') })).length).toBeGreaterThan(0);
        return;
      }
      for (const key of ['', ' ', 'two\nlines']) {
        expect((await failure('lake', build(key))).kind).toBe('unauthorized');
      }
      expect((await readRequests()).requests).toHaveLength(requestsBefore);
      expect((await failure('lake', build('bad-key'))).kind).toBe('unauthorized');
    });
  });
}

describeStockProvider('openverse', {
  searches: {
    landscape: { aspect_ratio: 'wide' },
    portrait: { aspect_ratio: 'tall' },
    square: { aspect_ratio: 'square' },
  },
  always: {
    q: 'old harbour',
    license_type: 'commercial,modification',
    mature: 'false',
    page_size: '20',
    size: 'large',
  },
  source: 'fetch',
});

describeStockProvider('wikimedia', {
  searches: {
    landscape: { gsrsearch: 'old harbour filetype:bitmap filew:>1600 fileh:>900' },
    portrait: { gsrsearch: 'old harbour filetype:bitmap filew:>900 fileh:>1600' },
    square: { gsrsearch: 'old harbour filetype:bitmap filew:>1080 fileh:>1080' },
  },
  always: {
    formatversion: '2',
    gsrnamespace: '6',
    gsrlimit: '50',
    iiurlwidth: '1920',
    iiextmetadatafilter: 'LicenseShortName|LicenseUrl|Artist|ImageDescription|Categories',
  },
  source: 'fetch',
});

describeStockProvider('unsplash', {
  searches: {
    landscape: { orientation: 'landscape' },
    portrait: { orientation: 'portrait' },
    square: { orientation: 'squarish' },
  },
  always: { query: 'old harbour', order_by: 'relevant', content_filter: 'high', per_page: '20' },
  source: 'hotlink',
});

describeStockProvider('pexels', {
  searches: {
    landscape: { orientation: 'landscape' },
    portrait: { orientation: 'portrait' },
    square: { orientation: 'square' },
  },
  always: { query: 'old harbour', size: 'small', per_page: '20' },
  source: 'hotlink',
});

describeStockProvider('pixabay', {
  searches: {
    landscape: { orientation: 'horizontal', min_width: '1280', min_height: '720' },
    portrait: { orientation: 'vertical', min_width: '720', min_height: '1280' },
    square: { orientation: 'all' },
  },
  always: { q: 'old harbour', safesearch: 'true', image_type: 'photo' },
  source: 'fetch',
});
