/** The placeholder of an image that its provider crops: made once, in the background, for all sizes of a ratio. */

import type { FetchedOriginal } from '../../lambda/images/render';
import { RendererBusy } from '../../lambda/images/renderer';
import {
  createMakePlaceholder,
  placeholderFor,
  placeholderKey,
  smallSizeOf,
} from '../../lambda/stock/placeholder';
import type { ProviderSearch } from '../../lambda/stock/provider-request';
import { providerUrl } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aPlaceholder, request } from '../fakes/stock';
import { candidate, createFakeStockProvider, fetched } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';
import { createBench } from './stock-bench';

const store = async ({ cache, clock }: ReturnType<typeof createBench>, key: string, value: unknown) =>
  cache.write(key, { value, freshUntilMs: clock.nowMs() + 1e9, staleUntilMs: clock.nowMs() + 1e9 });

describe('the order of a placeholder', () => {
  it('is given once, by one of all instances and sizes of a ratio', async () => {
    const bench = createBench();
    const { instance, find, inBackground, clock } = bench;
    await Promise.all([
      find(request('lake', { widthPx: 1_200, heightPx: 800 }), instance()),
      find(request('lake', { widthPx: 600, heightPx: 400 }), instance()),
    ]);
    expect(inBackground).toMatchObject([
      { kind: 'make-placeholder', widthPx: 64, heightPx: 43, allowedHosts: ['images.example'] },
    ]);
    await find(request('lake', { widthPx: 600, heightPx: 600 }));
    expect(inBackground).toHaveLength(2);
    // And again where nothing has come of it for five minutes.
    await clock.advance(299_000);
    await find(request('lake', { widthPx: 900, heightPx: 600 }));
    expect(inBackground).toHaveLength(2);
    await clock.advance(1_000);
    await find(request('lake', { widthPx: 750, heightPx: 500 }));
    expect(inBackground).toHaveLength(3);
  });

  it('is not given for an image with a BlurHash, or one that the renderer makes', async () => {
    const blurred = createBench();
    blurred.a.script(async () => [
      candidate('a', { description: { ...candidate('a').description, blurHash: 'LEHV6nWB2yk8' } }),
    ]);
    expect(await blurred.find(request('lake'))).toMatchObject({ image: { placeholder: aPlaceholder } });
    expect(blurred.inBackground).toEqual([]);
    const rendered = createBench({ a: fetched });
    rendered.scriptRenderer(async () => ({ outcome: 'stored', placeholder: aPlaceholder }));
    expect(await rendered.find(request('lake'))).toMatchObject({ image: { placeholder: aPlaceholder } });
    expect(rendered.inBackground).toEqual([]);
  });

  it('is waited for by a request for the placeholder alone', async () => {
    const { find, inBackground, ordered } = createBench();
    const answer = await find(request('lake', { asPlaceholder: true }));
    expect(answer).toMatchObject({ image: { placeholder: aPlaceholder } });
    expect([inBackground.length, ordered.length]).toEqual([0, 1]);
  });

  const blurHash = { description: { ...candidate('a').description, blurHash: 'LEHV6nWB2yk8' } };
  it.each([
    ['waited for', { asPlaceholder: true } as const, {}, new RendererBusy('no free instance')],
    ['handed over', {}, {}, new RendererBusy('no more events')],
    ['of a BlurHash', {}, blurHash, new RendererBusy('no answer by the deadline')],
  ])('%s is load and no fault where the renderer is busy, and is counted', async (_, how, about, busy) => {
    const { a, find, scriptPlaceholders, telemetry } = createBench();
    a.script(async () => [candidate('a', about)]);
    scriptPlaceholders(() => Promise.reject(busy));
    expect(await find(request('lake', how))).toMatchObject({ outcome: 'found' });
    expect(telemetry.errors).toEqual([]);
    expect(telemetry.counts).toContainEqual({ metric: 'shed', dimensions: { reason: 'placeholder' } });
    expect(telemetry.infos).toContainEqual({
      message: 'A placeholder was not made',
      fields: { provider: 'alpha', reason: busy.message },
    });
  });

  it('is waited for until the deadline, and that of a BlurHash for a second and a half', async () => {
    const clock = createVirtualClock();
    const waits: unknown[] = [];
    const wait = async (order: unknown, waitEndsMs: number) => {
      waits.push([typeof order, waitEndsMs - clock.nowMs()]);
      return aPlaceholder;
    };
    const deps = {
      ...createBench(),
      ids: createFakeIds(),
      background: { handOver: () => Promise.reject(new Error('It was handed over.')) },
      placeholders: {
        ofImage: wait,
        ofBlurHash: (hash: string, _: object, endsMs: number) => wait(hash, endsMs),
      },
      clock,
    };
    for (const [about, withinMs] of [
      [{}, 9_000],
      [blurHash, 9_000],
      [blurHash, 1_000],
    ] as const) {
      const search = {
        provider: createFakeStockProvider('alpha'),
        request: request('lake', { asPlaceholder: true }),
        deadlineMs: clock.nowMs() + withinMs,
      } as unknown as ProviderSearch;
      expect(await placeholderFor(deps, search, candidate('a', about), 'p')).toEqual(aPlaceholder);
    }
    expect(waits).toEqual([
      ['object', 9_000],
      ['string', 1_500],
      ['string', 1_000],
    ]);
  });

  it('is given again at once where it was not taken', async () => {
    const { find, inBackground, scriptPlaceholders } = createBench();
    scriptPlaceholders(() => Promise.reject(new Error('The queue is away.')));
    await find(request('lake'));
    await find(request('lake', { widthPx: 960, heightPx: 540 }));
    expect(inBackground).toHaveLength(2);
  });

  it('says what is cropped how', async () => {
    const crops: unknown[] = [];
    const { find, inBackground } = createBench({
      a: {
        sourceFor: ({ sourceUrl }, size, crop) => {
          if (size.widthPx === 64) crops.push(crop);
          return { kind: 'hotlink', url: `${sourceUrl}?w=${size.widthPx}` };
        },
      },
    });
    await find(request('lake'));
    await find(request('lake', { filters: { crop: 'top' } }));
    expect(crops).toEqual(['attention', 'top']);
    expect(inBackground).toMatchObject([
      { key: expect.stringMatching(/#64x36#attention$/), url: expect.stringMatching(/w=64$/) },
      { key: expect.stringMatching(/#64x36#top$/), crop: 'top' },
    ]);
    expect(inBackground[0]).not.toHaveProperty('crop');
  });

  it.each([
    ['there is none', undefined],
    ['it is drawn', { kind: 'draw', words: 'lake', seed: 's' }],
    ['it comes from elsewhere', { kind: 'fetch', url: 'https://elsewhere.example/a.jpg' }],
  ] as const)('is not given for a small size where %s', async (_, small) => {
    const { find, inBackground, telemetry } = createBench({
      a: {
        sourceFor: ({ sourceUrl }, { widthPx }) =>
          widthPx === 64 ? small : { kind: 'hotlink', url: sourceUrl },
      },
    });
    expect(await find(request('lake'))).toMatchObject({ outcome: 'found' });
    expect([inBackground, telemetry.errors]).toEqual([[], []]);
  });

  it('is not given where it was made before, and that is used', async () => {
    const bench = createBench();
    const { find, inBackground, ordered } = bench;
    await find(request('lake'));
    await store(bench, (inBackground[0] as { key: string }).key, aPlaceholder);
    expect(await find(request('lake', { widthPx: 960, heightPx: 540 }))).toMatchObject({
      image: { placeholder: aPlaceholder },
    });
    expect([inBackground.length, ordered.length]).toEqual([1, 0]);
  });

  it('delays no image where the table or the queue fails', async () => {
    const { find, cache, telemetry } = createBench();
    await find(request('lake'));
    cache.fail('lease', true);
    const answer = await find(request('lake', { heightPx: 1_000 }));
    expect(answer).toMatchObject({ outcome: 'found' });
    expect(telemetry.errors.map(({ message }) => message)).toContain('A placeholder was not made');
  });
});

describe('a placeholder that was made after its image was found', () => {
  it('is in the record of the image, and read no more after that', async () => {
    const bench = createBench();
    const { find, stock, cache, inBackground } = bench;
    const top = { filters: { crop: 'top' } } as const;
    for (const how of [{}, top]) await find(request('lake', how));
    const json = request('lake', { asJson: true });
    expect(await stock.cachedImages.find(json, 'webp')).not.toHaveProperty('placeholder');
    await store(bench, (inBackground[1] as { key: string }).key, { ...aPlaceholder, color: '#000000' });
    expect(await stock.cachedImages.find({ ...json, ...top }, 'webp')).toMatchObject({
      placeholder: { color: '#000000' },
    });
    expect(await stock.cachedImages.find(json, 'webp')).not.toHaveProperty('placeholder');
    await store(bench, (inBackground[0] as { key: string }).key, aPlaceholder);
    expect(await stock.cachedImages.find(json, 'webp')).toMatchObject({ placeholder: aPlaceholder });
    const before = cache.calls.length;
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toMatchObject({
      placeholder: aPlaceholder,
    });
    expect(cache.calls.length).toBe(before);
  });

  it('is passed over where the item holds something else, or cannot be read', async () => {
    const bench = createBench();
    const { find, stock, cache, inBackground } = bench;
    await find(request('lake'));
    const { key } = inBackground[0] as { key: string };
    await store(bench, key, { ...aPlaceholder, dataUri: 'javascript:alert(1)' });
    const json = request('lake', { asJson: true });
    expect(await stock.cachedImages.find(json, 'webp')).not.toHaveProperty('placeholder');
    cache.fail('read', true);
    expect(await stock.cachedImages.find(json, 'webp')).toBeDefined();
  });
});

describe('the job', () => {
  const order = {
    kind: 'make-placeholder',
    key: 'PLACEHOLDER#p#64x43#attention',
    url: providerUrl('https://images.example/a.jpg?w=64&h=43'),
    allowedHosts: ['images.example'],
    widthPx: 64,
    heightPx: 43,
  } as const;
  const signal = new AbortController().signal;

  const jobFor = (fetched: FetchedOriginal) => {
    const rendered: unknown[] = [];
    const clock = createVirtualClock(0);
    const cache = createFakeItemStore(clock);
    const telemetry = createRecordedTelemetry();
    const make = createMakePlaceholder({
      fetchOriginal: async () => fetched,
      codec: {
        render: async (bytes, how) => {
          rendered.push(how);
          return { outcome: 'encoded', bytes, mediaType: 'image/webp' };
        },
        placeholder: async () => aPlaceholder,
      },
      cache,
      clock,
      telemetry,
    });
    return { make, cache, clock, telemetry, rendered };
  };

  it('stores what it made for 400 days', async () => {
    const { make, cache, clock } = jobFor({ outcome: 'fetched', bytes: Buffer.from('x') });
    expect(await make(order, signal)).toEqual(aPlaceholder);
    await clock.advance(399 * 86_400_000);
    expect((await cache.read(order.key))?.value).toEqual(aPlaceholder);
    await clock.advance(2 * 86_400_000);
    expect(await cache.read(order.key)).toBeUndefined();
  });

  it('crops as the image is cropped, to the small size, without metadata', async () => {
    const { make, rendered } = jobFor({ outcome: 'fetched', bytes: Buffer.from('x') });
    await make(order, signal);
    await make({ ...order, crop: 'top' }, signal);
    const small = {
      widthPx: 64,
      heightPx: 43,
      format: 'webp',
      metadata: { creditLine: 'placeholder', aiGenerated: false },
    };
    expect(rendered).toEqual([small, { ...small, crop: 'top' }]);
  });

  it('fails where the server did not answer, so that it is done again', async () => {
    const { make } = jobFor({ outcome: 'unusable', reason: 'silence', because: 'unanswered' });
    await expect(make(order, signal)).rejects.toThrow('silence');
  });

  it('logs an image that cannot be read and is over, without its URL', async () => {
    const { make, telemetry, cache } = jobFor({ outcome: 'unusable', reason: 'no image' });
    expect(await make(order, signal)).toBeUndefined();
    expect(telemetry.errors).toHaveLength(1);
    expect(JSON.stringify(telemetry)).not.toContain(order.url);
    expect(cache.calls).toEqual([]);
  });
});

it.each([
  [1_200, 800, 64, 43],
  [600, 400, 64, 43],
  [400, 600, 43, 64],
  [4_000, 100, 64, 2],
])('an image of %i × %i pixels has its placeholder made from %i × %i', (widthPx, heightPx, w, h) => {
  expect(smallSizeOf({ widthPx, heightPx })).toEqual({ widthPx: w, heightPx: h });
  expect(placeholderKey('p', { widthPx, heightPx }, 'top')).toBe(`PLACEHOLDER#p#${w}x${h}#top`);
});
