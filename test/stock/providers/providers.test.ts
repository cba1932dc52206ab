/** The promises of every stock adapter, tested with the fake of its provider. */

import { parseUrl } from '../../../lambda/base/parse';
import { needsKey } from '../../../lambda/contract/providers';
import { isAllowedUrl } from '../../../lambda/images/allowed-url';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { ProviderFailure, type StockProvider } from '../../../lambda/stock/stock-provider';
import { parseSubject } from '../../../lambda/stock/subject';
import { type FakeProviderName, startFakeProviders } from '../../../local/fake-providers/fake-providers';
import { startFixture } from '../../fakes/fixture';

const secret = 'never-to-be-seen-key';
const neverAborted = new AbortController().signal;

describe.each<FakeProviderName>(['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay'])(
  'the stock adapter: %s',
  (name) => {
    const fakeProviders = startFixture(() => startFakeProviders([name]));
    const build = (key: string): StockProvider =>
      createProvider(name, {
        endpoints: fakeProviders.endpoints,
        readKey: async () => (needsKey(name) ? key : undefined),
        contact: 'operator@example.org',
        clock: { nowMs: () => 0 },
      });
    const countRequests = async () => {
      const response = await fetch(`${fakeProviders.endpoints[name]}/_requests`);
      return ((await response.json()) as { requests: unknown[] }).requests.length;
    };
    const search = (words: string, { from = build(secret), signal = neverAborted } = {}) =>
      from.search({ subject: parseSubject(words), orientation: 'landscape' }, signal, async () => true);
    const findFailureWithKey = async (key: string): Promise<ProviderFailure> => {
      const error = await search('lake', { from: build(key) }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(secret);
      return error;
    };

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

    test('a candidate is described by its id as in the search', async () => {
      const [candidate] = await search('mountain lake');
      const candidateById = await build(secret).findById?.(candidate?.id ?? '', neverAborted);
      expect({ ...candidateById, description: candidate?.description }).toEqual(candidate);
      const unknown = candidate?.id.replace(/^\w{4}/, '1111') ?? '';
      expect(await build(secret).findById?.(unknown, neverAborted)).toBeUndefined();
    });

    test('a candidate is offered on a host of its provider', async () => {
      const [candidate] = await search('mountain lake');
      const { offerImage, capability } = build(secret);
      const source = candidate && offerImage(candidate, { widthPx: 801, heightPx: 603 });
      const url = source && 'url' in source ? source.url : '';
      expect(isAllowedUrl(url, capability.allowedHosts)).toBe(true);
    });

    test('an adapter stops when its signal aborts', async () => {
      const abort = new AbortController();
      const searching = search('mountain lake', { signal: abort.signal }).catch((error) => error);
      abort.abort();
      expect(await searching).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
    });

    if (needsKey(name))
      test('an adapter that lacks its key sends no request', async () => {
        const requestsBefore = await countRequests();
        for (const key of ['', ' ', 'two\nlines']) {
          expect((await findFailureWithKey(key)).kind).toBe('unauthorized');
        }
        expect(await countRequests()).toBe(requestsBefore);
        expect((await findFailureWithKey('bad-key')).kind).toBe('unauthorized');
      });
    else
      test('an adapter that needs no key finds images without one', async () =>
        expect(await search('lake', { from: build('') })).not.toEqual([]));
  },
);
