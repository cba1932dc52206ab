/** The complete stock path over HTTP: real adapters, real images and the real renderer, with fake providers. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { type StartedFakeProviders, startFakeProviders } from '../../../bin/local/fake-providers/start';
import { createOriginalFetcher } from '../../../lambda/adapters/fetching/fetch-original';
import { createSharpCodec } from '../../../lambda/adapters/rendering/sharp-codec';
import { createProvider } from '../../../lambda/adapters/stock/providers';
import { systemClock as clock } from '../../../lambda/adapters/system/system-clock';
import type { UsageReport } from '../../../lambda/contract/messages/background-job';
import type { StockProviderName } from '../../../lambda/contract/providers';
import type { StockRequest } from '../../../lambda/domain/request/image-request';
import type { StockProvider } from '../../../lambda/ports/stock-provider';
import { createRender } from '../../../lambda/usecases/render';
import { createFindImage } from '../../../lambda/usecases/stock/find-image';
import { createKnownImages } from '../../../lambda/usecases/stock/known-images';
import { anAsker } from '../../fakes/asker';
import { deliveryUrl } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createFakeLookupCache } from '../../fakes/lookup-cache';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

// Images of full size take their time on a small machine.
jest.setTimeout(30_000);

const signal = new AbortController().signal;

describe('the stock side with fake providers', () => {
  let fakeProviders: StartedFakeProviders;
  beforeAll(async () => {
    fakeProviders = await startFakeProviders(['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay']);
  });
  afterAll(() => fakeProviders?.stop());

  const provider = (name: StockProviderName): StockProvider => {
    const baseUrl = fakeProviders.endpoints[name];
    return createProvider(name, {
      key: async () => 'never-to-be-seen-key',
      contact: () => 'operator@example.org',
      clock,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  };

  const serve = (a: StockProviderName, b: StockProviderName = 'sandbox') => {
    const library = createFakeImageLibrary();
    const telemetry = createRecordedTelemetry();
    const reported: UsageReport[] = [];
    const allowedLoopback = Object.values(fakeProviders.endpoints).map((endpoint) => new URL(endpoint).host);
    const fetchOriginal = createOriginalFetcher({ allowedLoopback });
    const codec = createSharpCodec();
    const render = createRender({ library, codec, fetchOriginal, drawScene, telemetry });
    const lookups = createFakeLookupCache(clock);
    const bindings = { stock_a: a, stock_b: b, stock_c: 'sandbox' };
    const find = createFindImage({
      known: createKnownImages({ lookups, clock, telemetry, bindings }),
      slots: { stock_a: provider(a), stock_b: provider(b), stock_c: provider('sandbox') },
      lookups,
      renderer: { render: (job) => render(job, signal) },
      placeholders: { ofBlurHash: (hash, ratio) => codec.placeholderOfBlurHash(hash, ratio) },
      delivery: {
        publicUrl: (path) => deliveryUrl(`library:${path}`),
        signedUrl: () => Promise.reject(new Error('A stock image is public.')),
      },
      background: { handOver: async (job) => void reported.push(job) },
      clock,
      ids: createFakeIds(),
      telemetry,
    });
    const get = async (query: string, widthPx: number, heightPx: number) => {
      const request: StockRequest = {
        query,
        widthPx,
        heightPx,
        provider: 'stock_a',
        seed: '',
        filters: {},
        asJson: false,
      };
      const answer = await find(request, 'webp', clock.nowMs() + 20_000, anAsker);
      if (answer.outcome !== 'found') throw new Error(`The answer is ${answer.outcome}.`);
      const { location } = answer.image;
      const stored = library.images.get(location.replace('library:', ''))?.bytes;
      const bytes = stored ?? Buffer.from(await (await fetch(location)).arrayBuffer());
      return { ...answer, size: await sizeOf(bytes) };
    };
    return { get, telemetry, reported };
  };

  const sizeOf = async (bytes: Uint8Array) => {
    const { width, height } = await sharp(bytes).metadata();
    return [width, height];
  };

  it.each(['sandbox', 'openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay'] as const)(
    '%s delivers exactly the size that was asked for',
    async (name) => {
      const { get, telemetry } = serve(name);
      const { image, size, cache } = await get('mountain lake', 641, 399);
      expect(size).toEqual([641, 399]);
      expect([image.source, cache]).toEqual(['stock_a', 'MISS']);
      expect(telemetry.errors).toEqual([]);
      expect(await get('Mountain Lake', 300, 200)).toMatchObject({ cache: 'HIT', size: [300, 200] });
    },
  );

  it('passes broken images over', async () => {
    const { get } = serve('openverse');
    const { image, size } = await get('fakebroken', 400, 300);
    expect([image.source, size]).toEqual(['stock_a', [400, 300]]);
  });

  it.each([['fake429'], ['fake403'], ['fake500'], ['fakehtml'], ['fakeempty'], ['fakesmall']])(
    'serves from another slot for %s',
    async (query) => {
      const { get, telemetry } = serve('pexels', 'unsplash');
      // Unsplash' fake provider misbehaves on the same words, so the sandbox is left.
      expect((await get(query, 1_200, 800)).image.source).toBe('stock_c');
      expect(JSON.stringify(telemetry)).not.toContain('never-to-be-seen-key');
    },
  );

  it('reports a use of Unsplash so that its fake provider hears of it', async () => {
    const { get, reported } = serve('unsplash');
    await get('old harbour', 320, 200);
    expect(reported).toHaveLength(1);
    await provider('unsplash').reportUse?.(reported[0]?.url ?? '', signal);
    const { asked } = (await (await fetch(`${fakeProviders.endpoints['unsplash']}/_asked`)).json()) as {
      asked: object[];
    };
    expect(asked.at(-1)).toMatchObject({
      path: expect.stringMatching(/^\/photos\/\w+\/download$/),
      parameters: { ixid: expect.stringMatching(/^M3w/) },
      key: 'present',
    });
  });
});
