/** How a selected image is delivered in its size, which hosts it may come from, and whether its use is reported. */

import { renditionPath } from '../../../lambda/usecases/stock/select-candidate';
import { candidate } from '../../fakes/stock-provider';
import { createBench, request } from './stock-bench';

const empty = async () => [];
const fetched = {
  place: ({ sourceUrl }: { sourceUrl: string }) => ({ kind: 'fetch' as const, url: sourceUrl }),
};

describe('a rendition', () => {
  it('has a path that is opaque and stable', async () => {
    const { jobs, resolve } = createBench({ a: fetched });
    const answer = await resolve(request('lake'));
    const [job] = jobs;
    const id = /\/([^/]+)\.jpg$/.exec(job?.source.kind === 'remote' ? job.source.url : '')?.[1] ?? '';
    const path = renditionPath('alpha', id, { widthPx: 1_920, heightPx: 1_080 }, 'webp');
    expect(path).toMatch(/^stock\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.webp$/);
    expect(job).toEqual({
      path,
      source: {
        kind: 'remote',
        url: `https://images.example/${id}.jpg`,
        allowedHosts: ['images.example'],
      },
      widthPx: 1_920,
      heightPx: 1_080,
      format: 'webp',
      metadata: { creditLine: `Image ${id}`, aiGenerated: false },
    });
    expect(answer).toMatchObject({ image: { location: `https://cdn.example/${path}` } });
  });

  it('is drawn for a provider that draws', async () => {
    const place = () => ({ kind: 'draw' as const, words: 'lake', seed: 's' });
    const { jobs, resolve } = createBench({ a: { place } });
    await resolve(request('lake'));
    expect(jobs[0]?.source).toEqual({ kind: 'drawing', words: 'lake', seed: 's' });
  });

  it('of a broken image gives way to the next candidate, which other sizes then start with', async () => {
    const { jobs, resolve, scriptRenderer } = createBench({ a: fetched });
    scriptRenderer(async () =>
      jobs.length === 1 ? { outcome: 'unusable', reason: 'broken' } : { outcome: 'stored' },
    );
    expect(await resolve(request('lake'))).toMatchObject({
      outcome: 'found',
      image: { source: 'stock_a' },
    });
    expect(jobs).toHaveLength(2);
    await resolve(request('lake', { widthPx: 1_800 }));
    expect(jobs).toHaveLength(3);
    expect(jobs[2]?.source).toEqual(jobs[1]?.source);
  });

  it('is tried four times, then another slot serves', async () => {
    const { jobs, resolve, scriptRenderer } = createBench({ a: fetched });
    scriptRenderer(async () => ({ outcome: 'unusable', reason: 'broken' }));
    expect(await resolve(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
    expect(jobs).toHaveLength(4);
  });

  it('that fails is an outage when no other slot has an image', async () => {
    const { b, c, resolve, scriptRenderer } = createBench({ a: fetched });
    for (const provider of [b, c]) provider.script(empty);
    scriptRenderer(async () => {
      throw new Error('The renderer is away.');
    });
    expect(await resolve(request('lake'))).toEqual({ outcome: 'unavailable' });
  });
});

describe('a URL', () => {
  it.each([
    ['http://images.example/a.jpg'],
    ['https://elsewhere.example/a.jpg'],
    ['https://images.example.elsewhere.example/a.jpg'],
    ['http://127.0.0.1:80/a.jpg'],
    ['javascript:alert(1)'],
  ])('such as %s is neither redirected to nor fetched', async (url) => {
    for (const kind of ['hotlink', 'fetch'] as const) {
      const { jobs, resolve, telemetry } = createBench({ a: { place: () => ({ kind, url }) } });
      expect(await resolve(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
      expect(jobs).toEqual([]);
      expect(telemetry.errors.length).toBeGreaterThan(0);
    }
  });

  it('of a fake provider on this machine is redirected to', async () => {
    const place = () => ({ kind: 'hotlink' as const, url: 'http://127.0.0.1:4010/a.jpg' });
    const { resolve } = createBench({ a: { place, capability: { allowedHosts: ['127.0.0.1:4010'] } } });
    expect(await resolve(request('lake'))).toMatchObject({ image: { source: 'stock_a' } });
  });
});

describe('a use', () => {
  const reportUrl = 'https://api.example/photos/1/download';
  const tracked = {
    place: ({ sourceUrl }: { sourceUrl: string }) => ({
      kind: 'hotlink' as const,
      url: sourceUrl,
      reportUrl,
    }),
    capability: { usageTracking: true, quota: { perHour: 50 } },
  };

  it('is reported once, by the request that found the image, within the budget', async () => {
    const { clock, handedOver, lookups, resolver } = createBench({ a: tracked });
    const endsMs = clock.nowMs() + 10_000;
    const answers = await clock.settle(
      Promise.all([1, 2, 3].map(() => resolver.resolve(request('lake'), 'webp', endsMs))),
    );
    const usages = answers.flatMap((answer) => ('usage' in answer && answer.usage ? [answer.usage] : []));
    expect(usages).toEqual([{ kind: 'report-use', provider: 'alpha', url: reportUrl }]);
    for (const usage of usages) await resolver.report(usage);
    expect(handedOver).toEqual(usages);
    expect(lookups.calls.filter(({ operation }) => operation === 'take')).toHaveLength(2);
  });

  it('is reported by one of many instances that serve the same request concurrently', async () => {
    const { clock, a, instance } = createBench({ a: tracked });
    a.script(async () => {
      await clock.sleep(1_000);
      return [candidate('slow')];
    });
    const endsMs = clock.nowMs() + 10_000;
    const answers = await clock.settle(
      Promise.all(Array.from({ length: 10 }, () => instance().resolve(request('lake'), 'webp', endsMs))),
    );
    expect(answers.filter((answer) => 'usage' in answer)).toHaveLength(1);
    const locations = answers.map((answer) => 'image' in answer && answer.image.location);
    expect(new Set(locations).size).toBe(1);
  });

  it('is not reported again by a request that looked before the image was stored', async () => {
    const { resolve, clock } = createBench({ a: tracked });
    expect(await resolve(request('lake'))).toHaveProperty('usage');
    await clock.advance(1_000);
    expect(await resolve(request('lake'))).not.toHaveProperty('usage');
  });

  it('is reported even if another request may report it too', async () => {
    const { lookups, resolve } = createBench({ a: tracked });
    await resolve(request('lake'));
    lookups.fail('lease', true);
    expect(await resolve(request('lake', { widthPx: 1_800 }))).toHaveProperty('usage');
  });

  it('that could not be reported within the budget does not happen: another slot serves', async () => {
    const { a, resolve } = createBench({
      a: { ...tracked, capability: { usageTracking: true, quota: { perHour: 3 } } },
    });
    const sources = [];
    for (const query of ['lake', 'sea', 'wood']) {
      const answer = await resolve(request(query));
      sources.push('image' in answer && answer.image.source);
    }
    // One unit for the search and one for the report: the third is spent on the search for the sea.
    expect(sources).toEqual(['stock_a', 'stock_b', 'stock_b']);
    expect(a.asked).toHaveLength(2);
  });

  it('that cannot be reported does not fail the request', async () => {
    const { resolver, telemetry, handedOver } = createBench({ a: tracked });
    handedOver.push = () => {
      throw new Error('The queue is away.');
    };
    await resolver.report({ kind: 'report-use', provider: 'alpha', url: reportUrl });
    expect(telemetry.counted('usageReports')).toBe(1);
    expect(telemetry.errors).toHaveLength(1);
  });
});
