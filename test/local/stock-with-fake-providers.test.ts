/** The complete stock path over HTTP: real adapters, real images and the real renderer, with fake providers. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { systemClock as clock } from '../../lambda/base/system';
import { needsKey, type StockProviderName } from '../../lambda/contract/providers';
import { createOriginalFetcher } from '../../lambda/images/fetch/fetch-original';
import { createPickedImages } from '../../lambda/images/picked-images';
import { createRender } from '../../lambda/images/render';
import { isPlaceholder } from '../../lambda/images/renderer-answer';
import type { BackgroundJob } from '../../lambda/images/renderer-job';
import { createSharpCodec } from '../../lambda/images/sharp/sharp-codec';
import type { StockRequest } from '../../lambda/requests/image-request';
import { createCachedImages } from '../../lambda/stock/cached-images';
import { createFindImage } from '../../lambda/stock/find-image';
import { createMakePlaceholder } from '../../lambda/stock/placeholder';
import { createProvider } from '../../lambda/stock/providers/providers';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { createNoteUse } from '../../lambda/stock/uses';
import { type StartedFakeProviders, startFakeProviders } from '../../local/fake-providers/start';
import { deliveryUrl } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';

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
      key: async () => (needsKey(name) ? 'never-to-be-seen-key' : ''),
      contact: () => 'operator@example.org',
      clock,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  };

  const serve = (a: StockProviderName, b: StockProviderName = 'sandbox') => {
    const library = createFakeImageLibrary();
    const telemetry = createRecordedTelemetry();
    const handedOver: BackgroundJob[] = [];
    const allowedLoopback = Object.values(fakeProviders.endpoints).map((endpoint) => new URL(endpoint).host);
    const fetchOriginal = createOriginalFetcher({ allowedLoopback });
    const codec = createSharpCodec();
    const render = createRender({ library, codec, fetchOriginal, drawScene, telemetry });
    const cache = createFakeItemStore(clock);
    const makePlaceholder = createMakePlaceholder({ fetchOriginal, codec, cache, clock, telemetry });
    const bindings = { stock_a: a, stock_b: b, stock_c: 'sandbox' };
    const cachedImages = createCachedImages({ cache, clock, telemetry, bindings });
    const find = createFindImage({
      cachedImages,
      noteUse: createNoteUse({
        cache,
        clock,
        telemetry,
        loadBackground: async () => ({ handOver: async (job) => void handedOver.push(job) }),
      }),
      providerOf: () => undefined,
      pickedImages: createPickedImages({ stockMemory: createFakeItemStore(clock), clock, telemetry }),
      slots: { stock_a: provider(a), stock_b: provider(b), stock_c: provider('sandbox') },
      stockMemory: createFakeItemStore(clock),
      cache,
      renderer: { render: (job) => render(job, signal) },
      placeholders: {
        ofBlurHash: (hash, ratio) => codec.placeholderOfBlurHash(hash, ratio),
        ofImage: async (order) => {
          const made = await makePlaceholder(order, signal);
          if (!made) throw new Error('The image cannot be read.');
          return made;
        },
      },
      delivery: {
        publicUrl: (path) => deliveryUrl(`library:${path}`),
        signedUrl: () => Promise.reject(new Error('A stock image is public.')),
      },
      background: { handOver: async (job) => void handedOver.push(job) },
      clock,
      ids: createFakeIds(),
      telemetry,
    });
    const requestFor = (query: string, widthPx: number, heightPx: number): StockRequest => {
      return {
        query,
        widthPx,
        heightPx,
        provider: 'stock_a',
        seed: '',
        filters: {},
        asJson: false,
      };
    };
    const get = async (
      query: string,
      widthPx: number,
      heightPx: number,
      change: Partial<StockRequest> = {},
    ) => {
      const request = { ...requestFor(query, widthPx, heightPx), ...change };
      const answer = await find(request, 'webp', clock.nowMs() + 20_000, aSearchCaller);
      if (answer.outcome !== 'found') throw new Error(`The answer is ${answer.outcome}.`);
      const { location } = answer.image;
      const stored = library.images.get(location.replace('library:', ''))?.bytes;
      const bytes = stored ?? Buffer.from(await (await fetch(location)).arrayBuffer());
      return { ...answer, bytes, size: await sizeOf(bytes) };
    };
    const workOff = async () => {
      for (const job of handedOver) if (job.kind === 'make-placeholder') await makePlaceholder(job, signal);
    };
    const recordOf = (query: string, widthPx: number, heightPx: number) =>
      cachedImages.find({ ...requestFor(query, widthPx, heightPx), asJson: true }, 'webp');
    return { get, recordOf, workOff, telemetry, handedOver };
  };

  /** Mean difference of colour between an image and a smaller one, from 0 to 255, compared at 8 × 8 pixels. */
  const differenceOf = async (bytes: Uint8Array, small: Uint8Array) => {
    const at8 = (image: Uint8Array) =>
      sharp(image).removeAlpha().toColourspace('srgb').resize(8, 8, { fit: 'fill' }).raw().toBuffer();
    const [a, b] = await Promise.all([at8(bytes), at8(small)]);
    return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
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

  const sources = ['sandbox', 'openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay'] as const;

  it.each(sources)('%s says what an image shows, and how it looks before it is loaded', async (name) => {
    const { get, recordOf, workOff, telemetry } = serve(name);
    const { bytes, image: first } = await get('mountain lake', 600, 400);
    expect(first).toMatchObject({ pick: expect.stringMatching(/^[0-9a-f]{20}$/) });
    if (name !== 'sandbox') expect(first.alt ?? first.title).toMatch(/\p{L}/u);
    // Pexels says the colour at once; the rest is made in the background.
    if (name === 'pexels') expect(first).toMatchObject({ color: expect.stringMatching(/^#[0-9a-f]{6}$/) });
    expect(first.placeholder === undefined).toBe(name === 'pexels');
    await workOff();
    const placeholder = (await recordOf('mountain lake', 600, 400))?.placeholder;
    expect(isPlaceholder(placeholder)).toBe(true);
    const small = Buffer.from(placeholder?.dataUri.split(',')[1] ?? '', 'base64');
    expect(await sizeOf(small)).toEqual([16, 11]);
    // Unsplash's fixture has the BlurHash of another image, so only its form is compared.
    if (name !== 'unsplash') expect(await differenceOf(bytes, small)).toBeLessThan(18);
    expect(telemetry.errors).toEqual([]);
  });

  it('gives the placeholder of an image of Pexels to each size of its ratio, made by one job', async () => {
    const { get, handedOver, workOff } = serve('pexels');
    await get('mountain lake', 600, 400);
    await get('mountain lake', 900, 600);
    expect(handedOver).toHaveLength(1);
    await workOff();
    expect((await get('mountain lake', 1_200, 800)).image.placeholder).toBeDefined();
    expect((await get('mountain lake', 400, 400)).image.placeholder).toBeUndefined();
    expect(handedOver).toHaveLength(2);
  });

  it('makes the placeholder of an image of Pexels at once for a request for nothing else', async () => {
    const { get, handedOver } = serve('pexels');
    const { image } = await get('mountain lake', 600, 400, { asPlaceholder: true });
    expect(isPlaceholder(image.placeholder)).toBe(true);
    expect(handedOver).toEqual([]);
  });

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

  it('reports a use of Unsplash to its fake provider', async () => {
    const { get, handedOver } = serve('unsplash');
    await get('old harbour', 320, 200);
    expect(handedOver).toMatchObject([{ kind: 'report-use' }]);
    await provider('unsplash').reportUse?.(handedOver[0]?.url ?? '', signal);
    const { requests } = (await (await fetch(`${fakeProviders.endpoints['unsplash']}/_requests`)).json()) as {
      requests: object[];
    };
    expect(requests.at(-1)).toMatchObject({
      path: expect.stringMatching(/^\/photos\/\w+\/download$/),
      parameters: { ixid: expect.stringMatching(/^M3w/) },
      key: 'present',
    });
  });
});
