/** `image-response.ts` through the image route: the redirect, its headers and its record. */

import { deliveryUrl } from '../../fakes/branded';
import { createDeferred, isSettled } from '../../fakes/deferred';
import { anImage, aPlaceholder } from '../../fakes/stock';
import { createImageService, serviceWith, startMs } from './image-service';
import { liveContext } from './proxy-event';

const query = { query: ['mountain lake'] };

describe('redirects', () => {
  it('a redirect is a 302 with location, cache, source, limits and time', async () => {
    const { ask } = createImageService();
    const { status, headers } = await ask({ query });
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      Location: anImage.location,
      'X-Cache': 'MISS',
      'X-Image-Source': 'stock_a',
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '9',
      'X-RateLimit-Reset': '2026-11-21T13:00:00Z',
      'X-Response-Time': '0ms',
    });
  });

  it('a redirect is not noted as published, as a record is for an account', async () => {
    const { ask, noted } = serviceWith({ pick: '0123456789abcdef0123' });
    await ask({ query, context: liveContext });
    expect(noted).toEqual([]);
    await ask({ query: { ...query, format: ['json'] }, context: liveContext });
    expect(noted).toMatchObject([{ key: expect.stringMatching(/^PAID#acc_1#.*#2026-11-21$/) }]);
  });

  it('a redirect is marked as paid for the day, and no URL of a record that a visitor asks for', async () => {
    const { ask, noted } = serviceWith({ pick: '0123456789abcdef0123' });
    await ask({ query: { ...query, format: ['json'] }, context: { ...liveContext, publishedAs: 'site' } });
    expect(new Set(noted.map(({ key }) => key)).size).toBe(1);
  });

  it('a redirect is counted in the usage before it is answered, and so is a refusal', async () => {
    const written = createDeferred<void>();
    const { ask, usage } = createImageService({}, {}, () => written.promise);
    const context = { ...liveContext, plan: 'business' };
    const answering = ask({ query, context });
    expect(await isSettled(answering)).toBe(false);
    written.resolve();
    await answering;
    await ask({ query: {}, context });
    expect(usage()).toEqual([{ 'n#stock_a#MISS': 1, 'k#key_1': 1, 'r#invalid_parameter': 1 }]);
  });

  it('a redirect states HIT when the image was known, and how long it took', async () => {
    const { ask, stock, clock } = createImageService();
    stock.knows(anImage);
    expect((await ask({ query })).headers['X-Cache']).toBe('HIT');
    stock.knows(undefined);
    stock.finds(async () => {
      await clock.advance(187);
      return { outcome: 'served', image: anImage, cache: 'MISS' };
    });
    expect((await ask({ query })).headers).toMatchObject({ 'X-Cache': 'MISS', 'X-Response-Time': '187ms' });
  });

  it('a redirect carries the record for programs that do not follow it', async () => {
    const { json } = await createImageService().ask({ query });
    expect(json).toEqual({
      url: anImage.location,
      fit: null,
      fallback: null,
      width: 1920,
      height: 1080,
      source: 'stock_a',
      cache: 'MISS',
      imageId: null,
      attribution: anImage.attribution,
    });
  });

  it.each([
    [{ placeholder: aPlaceholder, color: '#ffffff' }, aPlaceholder.color],
    [{ color: '#ffffff' }, '#ffffff'],
    [{}, undefined],
  ])('a redirect has the colour of an image with %j', async (image, expected) => {
    const service = serviceWith(image);
    for (const format of [[], ['json']]) {
      const { headers } = await service.ask({ query: { ...query, format } });
      expect(headers['X-Image-Color']).toBe(expected);
    }
  });

  it('a redirect has URLs in its record that are published for a caller with a key', async () => {
    const asked = { query: { ...query, format: ['json'] } };
    const { ask } = createImageService();
    for (const [by, expected] of [
      [{ context: liveContext }, expect.stringContaining('&signer=sg_live_0123456789ab&signature=')],
      [{}, expect.not.stringContaining('signer=')],
    ] as const)
      expect((await ask({ ...asked, ...by })).json['src']).toEqual(expected);
  });

  it('a redirect names the generation of an AI image, and writes unlimited as a number clients can hold', async () => {
    const context = { ...liveContext, plan: 'enterprise' };
    const { headers, json } = await serviceWith({ imageId: 'img_1', source: 'ai' }).ask({ query, context });
    expect(headers).toMatchObject({
      'X-Image-Id': 'img_1',
      'X-Image-Source': 'ai',
      'X-RateLimit-Limit': '2147483647',
      'X-RateLimit-Remaining': '2147483647',
    });
    expect(json['imageId']).toBe('img_1');
  });

  it('a redirect contains no key, although one was in the URL and in a header', async () => {
    const key = `pk_live_${'k'.repeat(38)}`;
    const { ask, lines } = createImageService();
    const answer = await ask({
      query: { ...query, api_key: [key] },
      headers: { 'X-API-Key': key },
      context: liveContext,
    });
    expect(JSON.stringify(answer)).not.toContain(key);
    expect(lines.join('')).not.toContain(key);
  });
});

it('a redirect differs from the answer with its record in status, Location and caching alone', async () => {
  const { status, headers, json } = await createImageService().ask({ query: { ...query, format: ['json'] } });
  expect([status, json['url']]).toEqual([200, anImage.location]);
  const { Location, ...others } = (await createImageService().ask({ query })).headers;
  expect(headers).toEqual({ ...others, 'Cache-Control': 'private, max-age=3600' });
  expect(Location).toBe(anImage.location);
});

it('a request by HEAD costs and answers what it does by GET, without the body', async () => {
  const get = await createImageService().ask({ query });
  const { ask, counters } = createImageService();
  const head = await ask({ query, method: 'HEAD' });
  expect(head).toMatchObject({ status: get.status, headers: get.headers, body: '' });
  expect(counters.calls.filter(({ key }) => key.startsWith('requests#'))).toHaveLength(1);
});

describe('credits', () => {
  const withCredit = async (creditLine: string, url?: string) => {
    const license = { id: 'x', name: 'X', ...(url === undefined ? {} : { url }) };
    const { ask } = serviceWith({
      attribution: {
        providerName: 'P',
        license,
        creditLine,
        ...(creditLine.startsWith('Photo') && { landingUrl: 'https://p.example/1' }),
      },
    });
    return (await ask({ query })).headers;
  };

  it('the credit of an image is in headers, readable in ASCII, and in full in the record', async () => {
    const { headers, json } = await createImageService().ask({ query });
    expect(headers['X-Image-Attribution']).toBe('"Lake" by Zoe Muller, CC BY 4.0');
    expect(json['attribution']).toMatchObject({ creditLine: '“Lake” by Zoë Müller, CC BY 4.0' });
    expect(headers['Link']).toBe('<https://creativecommons.org/licenses/by/4.0/>; rel="license"');
  });

  it.each([
    ['half a letter', 'a\ud800b', 'P, X'],
    ['another script', 'Photo by 山田 太郎 (CC BY)', 'P, https://p.example/1, X'],
    ['a question mark', 'Who is it? by 山田', 'Who is it? by ?'],
    ['a very long text', 'é'.repeat(1_000), `${'e'.repeat(397)}...`],
  ])('the credit of an image is one line of ASCII: %s', async (_, creditLine, spelled) => {
    expect((await withCredit(creditLine))['X-Image-Attribution']).toBe(spelled);
  });

  it.each([
    ['angle brackets', 'https://l.example/a>; rel="stylesheet"'],
    ['line breaks', 'https://l.example/\r\nSet-Cookie: a=b'],
    ['letters beyond ASCII', 'https://l.example/ü?ü=ü#ü'],
    ['another scheme', 'javascript:alert(1)>; rel="stylesheet"'],
    ['mail', 'mailto:a@example.org>; rel="next"'],
    ['no URL', 'see the page'],
    ['nothing', ''],
  ])('the credit of an image cannot break out of the Link header by %s', async (_, url) => {
    const { Link } = await withCredit('x', url);
    // Where the licence has no such URL, there is no header.
    expect(Link ?? '<https://l.example/>; rel="license"').toMatch(
      /^<https:\/\/l\.example\/[\x21-\x3b\x3d\x3f-\x7e]*>; rel="license"$/,
    );
  });
});

describe('the URL of an image', () => {
  it.each([
    [
      'line breaks',
      'https://images.example.org/a\r\nSet-Cookie: x=1',
      'https://images.example.org/aSet-Cookie:%20x=1',
    ],
    [
      'letters beyond ASCII',
      'https://images.example.org/Café 1.jpg',
      'https://images.example.org/Caf%C3%A9%201.jpg',
    ],
  ])(
    'a URL with %s becomes one that a header may hold, the same in the record',
    async (_, location, sent) => {
      const { headers, json } = await serviceWith({ location: deliveryUrl(location) }).ask({ query });
      expect(headers['Location']).toBe(sent);
      expect(json['url']).toBe(sent);
    },
  );

  it('a signed URL stays as it is, letter by letter', async () => {
    const location = 'https://images.example.org/private/a/b.webp?Expires=1&Signature=a~B-_9&Key-Pair-Id=K1';
    expect((await serviceWith({ location: deliveryUrl(location) }).ask({ query })).headers['Location']).toBe(
      location,
    );
  });
});

describe('images for published credentials', () => {
  const context = { ...liveContext, publishedAs: 'signer' };
  const sharedFor = (seconds: number) =>
    `public, max-age=3600, s-maxage=86400, stale-while-revalidate=86400, stale-if-error=${seconds}`;
  const rendition = deliveryUrl('https://images.example/stock/1.webp');

  it('a published image may be kept by shared caches, which tell formats apart where it is rendered', async () => {
    const { headers } = await serviceWith({ location: rendition }).ask({ query, context });
    expect(headers).toMatchObject({ 'Cache-Control': sharedFor(604_800), Vary: 'Accept' });
  });

  it.each([
    [
      'at the URL of a provider that crops',
      anImage.location,
      undefined,
      'public, max-age=3600, s-maxage=3600, stale-while-revalidate=0',
    ],
    ['in a format that its URL names', rendition, '800x600-mountain-lake.webp', sharedFor(604_800)],
  ])('%s is the same for every caller', async (_, location, spec, kept) => {
    const asked = spec === undefined ? { query } : { spec };
    const { headers } = await serviceWith({ location }).ask({ ...asked, context });
    expect(headers['Cache-Control']).toBe(kept);
    expect(headers).not.toHaveProperty('Vary');
  });

  it('a published image may be cached no longer than that in its record', async () => {
    const service = serviceWith({ location: rendition, answerEndsMs: startMs + 600_000 });
    const { status, headers } = await service.ask({ query: { ...query, format: ['json'] }, context });
    expect([status, headers['Vary'], headers['Cache-Control']]).toEqual([
      200,
      'Accept',
      'public, max-age=600, s-maxage=600, stale-while-revalidate=0, stale-if-error=0',
    ]);
  });
});
