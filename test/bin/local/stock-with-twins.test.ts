/** Checks the whole stock side over HTTP: real adapters, real pictures and the real renderer, with twins for providers. */

import sharp from 'sharp';
import { type StartedTwins, startTwins } from '../../../bin/local/twins/start-twins';
import { createOriginalFetcher } from '../../../lambda/adapters/fetching/fetch-original';
import { createSharpCodec } from '../../../lambda/adapters/rendering/sharp-codec';
import { createProvider } from '../../../lambda/adapters/stock/providers';
import { systemClock as clock } from '../../../lambda/adapters/system/system-clock';
import type { StockProviderName } from '../../../lambda/contract';
import type { StockRequest } from '../../../lambda/domain/request/image-request';
import type { UsageReport } from '../../../lambda/ports/background';
import type { StockProvider } from '../../../lambda/ports/pictures/stock-provider';
import { createRender } from '../../../lambda/usecases/render';
import { createStockLookup } from '../../../lambda/usecases/stock/look-up';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createFakeLookupCache } from '../../fakes/lookup-cache';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

// Pictures of full size take their time on a small machine.
jest.setTimeout(30_000);

const signal = new AbortController().signal;

describe('the stock side with twins', () => {
  let twins: StartedTwins;
  beforeAll(async () => {
    twins = await startTwins(['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay']);
  });
  afterAll(() => twins?.stop());

  const provider = (name: StockProviderName): StockProvider => {
    const baseUrl = twins.endpoints[name];
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
    const allowedLoopback = Object.values(twins.endpoints).map((endpoint) => new URL(endpoint).host);
    const fetchOriginal = createOriginalFetcher({ allowedLoopback });
    const render = createRender({ library, codec: createSharpCodec(), fetchOriginal });
    const lookup = createStockLookup({
      slots: { stock_a: provider(a), stock_b: provider(b), stock_c: provider('sandbox') },
      lookups: createFakeLookupCache(clock),
      renderer: { render: (job) => render(job, signal) },
      delivery: {
        publicUrl: (path) => `library:${path}`,
        signedUrl: () => Promise.reject(new Error('A stock picture is public.')),
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
        asJson: false,
      };
      const { answer } = await lookup.resolve(request, 'webp', clock.nowMs() + 20_000);
      if (answer.outcome !== 'found') throw new Error(`The answer is ${answer.outcome}.`);
      if (answer.usage) await lookup.report(answer.usage);
      const { location } = answer.picture;
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
      const { picture, size, cache } = await get('mountain lake', 641, 399);
      expect(size).toEqual([641, 399]);
      expect([picture.source, cache]).toEqual(['stock_a', 'MISS']);
      expect(telemetry.errors).toEqual([]);
      expect(await get('Mountain Lake', 300, 200)).toMatchObject({ cache: 'HIT', size: [300, 200] });
    },
  );

  it('passes broken pictures over', async () => {
    const { get } = serve('openverse');
    const { picture, size } = await get('twin-broken-image', 400, 300);
    expect([picture.source, size]).toEqual(['stock_a', [400, 300]]);
  });

  it.each([['twin-429'], ['twin-403'], ['twin-500'], ['twin-html'], ['twin-empty'], ['twin-small']])(
    'serves from another slot for %s',
    async (query) => {
      const { get, telemetry } = serve('pexels', 'unsplash');
      // Unsplash' twin misbehaves on the same words, so the sandbox is left.
      expect((await get(query, 1_200, 800)).picture.source).toBe('stock_c');
      expect(JSON.stringify(telemetry)).not.toContain('never-to-be-seen-key');
    },
  );

  it('reports a use of Unsplash so that its twin hears of it', async () => {
    const { get, reported } = serve('unsplash');
    await get('old harbour', 320, 200);
    expect(reported).toHaveLength(1);
    await provider('unsplash').reportUse?.(reported[0]?.url ?? '', signal);
    const { asked } = (await (await fetch(`${twins.endpoints['unsplash']}/_asked`)).json()) as {
      asked: object[];
    };
    expect(asked.at(-1)).toMatchObject({
      path: expect.stringMatching(/^\/photos\/\w+\/download$/),
      parameters: { ixid: expect.stringMatching(/^M3w/) },
      key: 'present',
    });
  });
});
