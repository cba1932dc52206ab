/** `image-response.ts` through the image route: the redirect, its headers and its record. */

import { makeImageResponse } from '../../../lambda/functions/api/image-response';
import { createDeferred, isSettled } from '../../fakes/clock';
import type { ScriptedImages } from '../../fakes/image-services';
import { createRecordedTelemetry } from '../../fakes/telemetry';
import { makeDeliveryUrl, noImage, servedImage, webpPlaceholder } from '../../fakes/values';
import { createImageService, createServiceFinding, startMs } from './image-service';
import { liveContext } from './proxy-event';

const query = { query: ['mountain lake'] };

const asRecord = { ...query, format: ['json'] };

describe('redirects', () => {
  test('a request for an image is answered 302 with location, source, limits and time', async () => {
    const { ask, stock, clock } = createImageService();
    stock.setSearchResult(async () => {
      await clock.advance(187);
      return { outcome: 'served', image: servedImage, cache: 'MISS' };
    });
    const { status, headers, json } = await ask({ query });
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      Location: servedImage.location,
      'X-Cache': 'MISS',
      'X-Image-Source': 'stock_a',
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '9',
      'X-RateLimit-Reset': '2026-11-21T13:00:00Z',
      'X-Response-Time': '187ms',
    });
    // For programs that do not follow the redirect.
    expect(json).toEqual({
      url: servedImage.location,
      fit: null,
      fallback: null,
      width: 1920,
      height: 1080,
      source: 'stock_a',
      cache: 'MISS',
      imageId: null,
      attribution: servedImage.attribution,
    });
    stock.setStoredAnswer(servedImage);
    expect((await ask({ query })).headers['X-Cache']).toBe('HIT');
  });

  test('the usage counts redirects and refusals before they are answered', async () => {
    const written = createDeferred<void>();
    const { ask, listUsage } = createImageService({}, {}, () => written.promise);
    const context = { ...liveContext, plan: 'business' };
    const answering = ask({ query, context });
    expect(await isSettled(answering)).toBe(false);
    written.resolve();
    await answering;
    await ask({ query: {}, context });
    // A path of no route is nobody's use.
    await ask({ route: '/api/nowhere', context });
    expect(listUsage()).toEqual([{ 'n#stock_a#MISS': 1, 'k#key_1': 1, 'r#invalid_parameter': 1 }]);
  });

  test.each([
    ['of the placeholder', { placeholder: webpPlaceholder, color: '#ffffff' }, webpPlaceholder.color],
    ['of the image, if it has no placeholder', { color: '#ffffff' }, '#ffffff'],
    ['absent, if the image has none', {}, undefined],
  ])('the colour in X-Image-Color is %s', async (_, image, expected) => {
    const service = createServiceFinding(image);
    for (const imageQuery of [query, asRecord])
      expect((await service.ask({ query: imageQuery })).headers['X-Image-Color']).toBe(expected);
  });

  test('a note tells that a query has fewer images than its seed', async () => {
    const { headers } = await createServiceFinding({ seedsStartOverAfter: 7 }).ask({ query });
    expect(headers['X-Image-Note']).toBe('The query has 7 images: higher seeds start over');
  });

  test('the format of a URL comes before that of its Accept header', async () => {
    const formats: string[] = [];
    const obtainStockImage: ScriptedImages['obtainStockImage'] = async (_, { format }) => {
      formats.push(format);
      return noImage;
    };
    const { ask } = createImageService({ obtainStockImage });
    for (const spec of ['300x200-lake.webp', '300x200-lake'])
      await ask({ spec, headers: { Accept: 'image/avif,*/*' } });
    expect(formats).toEqual(['webp', 'avif']);
  });

  test('an image counts in the metric of requests by source, cache and caller', () => {
    const telemetry = createRecordedTelemetry();
    const { clock, services } = createImageService();
    const answer = {
      outcome: 'served',
      image: servedImage,
      cache: 'HIT',
      payment: { state: 'charged', units: [] },
    };
    makeImageResponse({ ...services, clock, telemetry }, { kind: 'anonymous' }, answer as never, {});
    const dimensions = { source: 'stock_a', cache: 'HIT', caller: 'anonymous' };
    expect(telemetry.counts).toEqual([{ metric: 'requests', dimensions }]);
  });

  test('headers of an AI image name its id and write unlimited in 32 bits', async () => {
    const context = { ...liveContext, plan: 'enterprise' };
    const { headers, json } = await createServiceFinding({ imageId: 'img_1', source: 'ai' }).ask({
      query,
      context,
    });
    expect(headers).toMatchObject({
      'X-Image-Id': 'img_1',
      'X-Image-Source': 'ai',
      'X-RateLimit-Limit': '2147483647',
      'X-RateLimit-Remaining': '2147483647',
    });
    expect(json['imageId']).toBe('img_1');
  });

  test('answer and log contain no key, although one was in the URL and in a header', async () => {
    const key = `pk_live_${'k'.repeat(38)}`;
    const { ask, lines } = createImageService();
    const keyOptions = { query: { ...query, api_key: [key] }, headers: { 'X-API-Key': key } };
    const answer = await ask({ ...keyOptions, context: liveContext });
    expect(JSON.stringify(answer)).not.toContain(key);
    expect(lines.join('')).not.toContain(key);
  });

  test('a request by HEAD costs and answers what it does by GET, without the body', async () => {
    const get = await createImageService().ask({ query });
    const { ask, counters } = createImageService();
    const head = await ask({ query, method: 'HEAD' });
    expect(head).toMatchObject({ status: get.status, headers: get.headers, body: '' });
    expect(counters.calls.filter(({ key }) => key.startsWith('requests#'))).toHaveLength(1);
  });
});

describe('records', () => {
  test('a record differs from a redirect only in status, Location and caching', async () => {
    const { status, headers, json } = await createImageService().ask({ query: asRecord });
    expect([status, json['url']]).toEqual([200, servedImage.location]);
    const { Location, ...others } = (await createImageService().ask({ query })).headers;
    expect(headers).toEqual({ ...others, 'Cache-Control': 'private, max-age=3600' });
    expect(Location).toBe(servedImage.location);
  });

  test('a record for a caller with a key has a signed src', async () => {
    const { ask } = createImageService();
    const readSrc = async (options: object) => (await ask({ query: asRecord, ...options })).json['src'];
    expect(await readSrc({ context: liveContext })).toContain('&signer=sg_live_0123456789ab&signature=');
    expect(await readSrc({})).not.toContain('signer=');
  });

  test.each([
    ['a record that an API key asks for marks', asRecord, liveContext, 1],
    ['a record that a site key asks for marks', asRecord, { ...liveContext, publishedAs: 'site' }, 1],
    ['a redirect does not mark', query, liveContext, 0],
  ])('%s its image as paid for the day', async (_, imageQuery, context, marks) => {
    const { ask, paidMarks } = createServiceFinding({ pick: '0123456789abcdef0123' });
    await ask({ query: imageQuery, context });
    const keys = [...new Set(paidMarks.map(({ key }) => key))];
    expect(keys).toEqual(Array(marks).fill(expect.stringMatching(/^PAID#acc_1#.*#2026-11-21$/)));
  });
});

describe('credits', () => {
  const askWithCredit = async (creditLine: string, url?: string) => {
    const license = { id: 'x', name: 'X', ...(url === undefined ? {} : { url }) };
    const { ask } = createServiceFinding({
      attribution: {
        providerName: 'P',
        license,
        creditLine,
        ...(creditLine.startsWith('Photo') && { landingUrl: 'https://p.example/1' }),
      },
    });
    return (await ask({ query })).headers;
  };

  test('headers have the credit in ASCII, the record in full', async () => {
    const { headers, json } = await createImageService().ask({ query });
    expect(headers['X-Image-Attribution']).toBe('"Lake" by Zoe Muller, CC BY 4.0');
    expect(json['attribution']).toMatchObject({ creditLine: '“Lake” by Zoë Müller, CC BY 4.0' });
    expect(headers['Link']).toBe('<https://creativecommons.org/licenses/by/4.0/>; rel="license"');
  });

  test.each([
    ['half a letter', 'a\ud800b', 'P, X'],
    ['another script', 'Photo by 山田 太郎 (CC BY)', 'P, https://p.example/1, X'],
    ['a question mark', 'Who is it? by 山田', 'Who is it? by ?'],
    ['a very long text', 'é'.repeat(1_000), `${'e'.repeat(397)}...`],
  ])('a credit with %s is one line of ASCII', async (_, creditLine, spelled) => {
    expect((await askWithCredit(creditLine))['X-Image-Attribution']).toBe(spelled);
  });

  test.each([
    ['angle brackets', 'https://l.example/a>; rel="stylesheet"'],
    ['line breaks', 'https://l.example/\r\nSet-Cookie: a=b'],
    ['letters beyond ASCII', 'https://l.example/ü?ü=ü#ü'],
    ['another scheme', 'javascript:alert(1)>; rel="stylesheet"'],
    ['mail', 'mailto:a@example.org>; rel="next"'],
    ['no URL', 'see the page'],
    ['nothing', ''],
  ])('a licence with %s cannot break out of the Link header', async (_, url) => {
    const { Link } = await askWithCredit('x', url);
    // Where the licence has no such URL, there is no header.
    expect(Link ?? '<https://l.example/>; rel="license"').toMatch(
      /^<https:\/\/l\.example\/[\x21-\x3b\x3d\x3f-\x7e]*>; rel="license"$/,
    );
  });
});

describe('the URL of an image', () => {
  test.each([
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
  ])('a URL with %s becomes one that a header may hold, the same in the record', async (_, location, url) => {
    const { headers, json } = await createServiceFinding({ location: makeDeliveryUrl(location) }).ask({
      query,
    });
    expect(headers['Location']).toBe(url);
    expect(json['url']).toBe(url);
  });

  test('a signed URL is returned unchanged, letter by letter', async () => {
    const location = 'https://images.example.org/private/a/b.webp?Expires=1&Signature=a~B-_9&Key-Pair-Id=K1';
    expect(
      (await createServiceFinding({ location: makeDeliveryUrl(location) }).ask({ query })).headers[
        'Location'
      ],
    ).toBe(location);
  });
});

describe('images for published credentials', () => {
  const context = { ...liveContext, publishedAs: 'signer' };
  const makeSharedHeaders = (seconds: number) =>
    `public, max-age=3600, s-maxage=86400, stale-while-revalidate=86400, stale-if-error=${seconds}`;
  const rendition = makeDeliveryUrl('https://images.example/stock/1.webp');

  test('shared caches may keep a published image, one for each format of a rendition', async () => {
    const { headers } = await createServiceFinding({ location: rendition }).ask({ query, context });
    expect(headers).toMatchObject({ 'Cache-Control': makeSharedHeaders(604_800), Vary: 'Accept' });
  });

  test.each([
    [
      'at the URL of a provider that crops',
      servedImage.location,
      undefined,
      'public, max-age=3600, s-maxage=3600, stale-while-revalidate=0',
    ],
    ['in a format that its URL names', rendition, '800x600-mountain-lake.webp', makeSharedHeaders(604_800)],
  ])('a published image %s is the same for every caller', async (_, location, spec, kept) => {
    const options = spec === undefined ? { query } : { spec };
    const { headers } = await createServiceFinding({ location }).ask({ ...options, context });
    expect(headers['Cache-Control']).toBe(kept);
    expect(headers).not.toHaveProperty('Vary');
  });

  test('shared caches keep a published record no longer than its image', async () => {
    const service = createServiceFinding({ location: rendition, answerEndsMs: startMs + 600_000 });
    const { status, headers } = await service.ask({ query: asRecord, context });
    expect([status, headers['Vary'], headers['Cache-Control']]).toEqual([
      200,
      'Accept',
      'public, max-age=600, s-maxage=600, stale-while-revalidate=0, stale-if-error=0',
    ]);
  });
});
