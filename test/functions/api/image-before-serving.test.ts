/** `getImage` of `image.ts` before it serves: faulty requests, callers that are refused, and faults. */

import { noImage, servedImage } from '../../fakes/values';
import { listElements, parseXml } from '../../requests/well-formed';
import { createImageService, imageTag, listRateHeaders } from './image-service';
import { liveContext } from './proxy-event';

const query = { query: ['mountain lake'] };

describe('faulty requests of an image', () => {
  test.each([
    ['a value out of bounds', { query: ['a'], width: ['9'] }, 'invalid_parameter'],
    ['a conflict', { query: ['a'], variation: ['1'], alt: ['1'] }, 'conflicting_parameters'],
    ['no words', {}, 'invalid_parameter'],
  ])('a request with %s gets a free 400 that lists its faults', async (_, values, code) => {
    const { ask, counters, stock } = createImageService();
    const { status, headers, json } = await ask({ query: values, context: liveContext });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      code,
      parameters: expect.arrayContaining([
        expect.objectContaining({ parameter: expect.any(String), bounds: expect.any(String) }),
      ]),
    });
    expect(listRateHeaders(headers)).toEqual([]);
    expect(counters.calls).toEqual([]);
    expect(stock.calls).toEqual([]);
  });

  test('the faults of a request come before a question about its key', async () => {
    const { status } = await createImageService().ask({ query: {}, context: { refusal: 'invalid_api_key' } });
    expect(status).toBe(400);
  });

  test('a refusal repeats what was sent as text that no browser runs', async () => {
    const evil = '"><script>alert(1)</script>';
    const values = { query: [`${evil}\u0000`], width: [evil], provider: [evil], [evil]: [evil] };
    const { headers, json } = await createImageService().ask({ query: values });
    expect(json['parameters']).toContainEqual(
      expect.objectContaining({ parameter: 'width', received: evil }),
    );
    expect(headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'X-Content-Type-Options': 'nosniff',
    });
    const card = await createImageService().ask({ query: values, headers: imageTag });
    expect(card.body).not.toContain('<script');
    expect(listElements(parseXml(card.body)).some(({ name }) => name === 'script')).toBe(false);
  });

  test('a refusal names the URL that was meant beside the one that was sent', async () => {
    const missing = await createImageService().ask({ query: { qurey: ['lake'], size: ['9'] } });
    expect(missing.headers['X-Image-Note']).toBe('ignored: qurey, size; did you mean query?');
    expect(missing.json['detail']).toMatch(
      /^query: required, .* Ignored: qurey, size; did you mean query\? For example: https:\/\/api\.example\.org\/prod\/api\/image\?query=mountain\+lake\.$/,
    );
    const small = await createImageService().ask({
      query: { q: ['lake'], w: ['60'], h: ['40'], api_key: ['pk_live_secret'] },
      headers: imageTag,
    });
    const nearest = 'https://api.example.org/prod/api/image?query=lake&#38;width=150&#38;height=100';
    const { attributes, children } = parseXml(small.body);
    expect(attributes).toMatchObject({ width: '150', height: '100' });
    const [description] = listElements({ name: '', attributes: {}, children }).filter(
      ({ name }) => name === 'desc',
    );
    expect(description?.children.join('')).toContain(`(received: 60). height: a whole number`);
    expect(description?.children.join('')).toMatch(
      new RegExp(`The nearest valid URL: ${nearest.replace('?', '\\?')}$`),
    );
    expect(small.body).not.toContain('secret');
  });
});

describe('callers of an image', () => {
  test.each([
    ['with an unusable key', { refusal: 'invalid_api_key' }, 401, 'invalid_api_key'],
    ['met by an outage', { refusal: 'service_unavailable' }, 503, 'service_unavailable'],
    [
      'of an unknown kind',
      { caller: 'root', account: 'a', plan: 'free', keyId: 'k' },
      503,
      'service_unavailable',
    ],
    ['whom the authorizer said nothing about', null, 503, 'service_unavailable'],
  ] as const)('%s is refused without a charge', async (_, context, status, code) => {
    const { ask, counters } = createImageService();
    const answer = await ask({ query, context });
    expect(answer).toMatchObject({ status, json: { code } });
    expect('WWW-Authenticate' in answer.headers).toBe(status === 401);
    expect(listRateHeaders(answer.headers)).toEqual([]);
    expect(counters.calls).toEqual([]);
    expect((await ask({ query, context, headers: imageTag })).headers['X-Image-Fallback']).toBe(code);
  });

  test('a caller on a page that its site key is not for learns which page the service has seen', async () => {
    const headers = { Origin: 'https://shop.example' };
    const context = { refusal: 'origin_not_allowed' };
    const { json } = await createImageService().ask({ query: { ...query, site: ['s'] }, context, headers });
    expect(json).toMatchObject({
      code: 'origin_not_allowed',
      detail: expect.stringContaining('https://shop.example'),
    });
  });

  test('a caller is told which of its parameters had no effect, with an image and with a card', async () => {
    const { ask, stock } = createImageService();
    stock.setSearchResult({ outcome: 'served', image: servedImage, cache: 'MISS' });
    const partlyIgnoredQuery = { ...query, size: ['1'], style: ['dark'] };
    const note = 'ignored: size, style; style only with provider=ai';
    expect((await ask({ query: partlyIgnoredQuery })).headers['X-Image-Note']).toBe(note);
    const record = await ask({ query: { ...partlyIgnoredQuery, format: ['json'] } });
    expect([record.headers['X-Image-Note'], record.json['note']]).toEqual([
      note,
      expect.stringMatching(`^${note}; `),
    ]);
    stock.setSearchResult(noImage);
    const card = await ask({ query: { ...partlyIgnoredQuery, query: ['nothing'] }, headers: imageTag });
    expect([card.status, card.headers['X-Image-Note']]).toEqual([404, note]);
    expect((await ask({ query })).headers).not.toHaveProperty('X-Image-Note');
  });

  test('a caller without a key is counted by the IP address that API Gateway saw', async () => {
    const { ask, counters } = createImageService();
    await ask({ query, headers: { 'X-Forwarded-For': '198.51.100.1' } });
    await ask({ query, headers: { 'X-Forwarded-For': '198.51.100.2', Forwarded: 'for=198.51.100.3' } });
    await ask({ query, sourceIp: '203.0.113.10' });
    const [first, second, third] = counters.calls
      .map(({ key }) => key)
      .filter((key) => key.startsWith('requests#ip#'));
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(first).toMatch(/^requests#ip#[0-9a-f]{32}#2026-11-21T12$/);
  });

  test('a caller with a key is counted by account, wherever it calls from', async () => {
    const { ask, counters } = createImageService();
    await ask({ query, context: liveContext, sourceIp: '203.0.113.10' });
    await ask({ query, context: { ...liveContext, keyId: 'key_2', caller: 'test' } });
    const keys = ['requests#live#acc_1#2026-11', 'requests#test#acc_1#2026-11-21T12'];
    expect(counters.calls.map(({ key }) => key)).toEqual(keys);
  });
});

describe('faults of the service', () => {
  const secret = `https://upstream.example/?api_key=pk_live_${'s'.repeat(38)} at 203.0.113.77`;

  test('a fault after a charge states the rate limit, unless the counter failed', async () => {
    const { ask, stock, counters } = createImageService();
    stock.setSearchResult(new Error('the table burns'));
    expect((await ask({ query })).headers['X-RateLimit-Remaining']).toBe('10');
    counters.script.push(new Error('no such table'));
    const { status, headers } = await ask({ query });
    expect([status, listRateHeaders(headers)]).toEqual([500, []]);
  });

  test('a fault writes no key, signature or IP address to the log, whose lines are all valid JSON', async () => {
    const { ask, stock, lines } = createImageService();
    stock.setSearchResult(new Error(`"${secret}" {"x-api-key":"abc123"}`));
    await ask({ query: { ...query, api_key: [`pk_live_${'q'.repeat(38)}`] } });
    expect(lines.join('')).not.toMatch(/s{10}|q{10}|203\.0\.113|abc123/);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});
