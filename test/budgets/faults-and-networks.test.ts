/** What callers beside failing tables and frozen functions meet, over HTTP through the functions as wired for Lambda. */

import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { type Answer, ask, header, postJson } from '../e2e/ask';
import { type CountedService, startCountedService } from './counted-service';

/** What a machine needs that does something else as well: no promise depends on it. */
jest.setTimeout(300_000);

let service: CountedService;
const hourMs = 3_600_000;
/** How long the functions have been frozen by now, in milliseconds: at first until half past an hour, so that none ends within a test. */
let frozenMs = (1.5 * hourMs - (Date.now() % hourMs)) % hourMs;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + frozenMs);
  service = await startCountedService();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
});

test.each([
  ['the cache', 'refused as an outage', 'cache', [503, '5', 'service_unavailable']],
  ['the stock memory', 'served', 'stockMemory', [302, null, undefined]],
] as const)('while %s fails, a request for a stock image is %s', async (_, __, table, expected) => {
  const headers = { 'X-API-Key': service.keys.pro.live };
  const known = '/api/image/200x200-lighthouse';
  expect((await ask(service.url, { path: known, headers })).status).toBe(302);
  await service.coldStart();
  service.break('failing', [table]);
  for (const path of [known, `/api/image/300x200-new-${table}`]) {
    const { status, headers: answered, body } = await ask(service.url, { path, headers });
    expect([status, answered.get('retry-after'), JSON.parse(body).code]).toEqual(expected);
  }
  service.break(undefined);
});

test.each(['failing', 'down', 'slow', 'throttled'] as const)(
  'while the database is %s, every request is answered in time, and none is charged without an image',
  async (fault) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const remaining = async () => Number(header(await get('lighthouse'), 'x-ratelimit-remaining'));
    const wanted = [
      'lighthouse',
      `harbour-${fault}`,
      'known?provider=ai',
      `new-${fault}?provider=ai`,
      `lake-${fault}?provider=ai`,
    ];
    await get('known?provider=ai');
    const before = await remaining();
    service.break(fault);
    const beganMs = performance.now();
    const during = await Promise.all(wanted.map(get));
    expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs);
    service.break(undefined);
    for (const { status, headers } of during)
      expect([302, 429, 503]).toContain(headers.has('retry-after') || status === 302 ? status : 'no pause');
    // An AI image that was paid for is delivered to whoever asks for it next.
    const after = await Promise.all(wanted.map(get));
    expect(after.map(({ status }) => status)).toEqual(wanted.map(() => 302));
    const delivered = [...during, ...after].filter(({ status }) => status === 302).length;
    expect(before - (await remaining()) - 1).toBeLessThanOrEqual(delivered);
  },
);

test.each([
  ['of functions that know the caller', false],
  ['of new functions', true],
])(
  'while no table answers, every route %s is 503 service_unavailable with Retry-After, and nothing is charged',
  async (_, isCold) => {
    const key = service.keys.pro.live;
    const headers = { 'X-API-Key': key };
    const get = (path: string) => ask(service.url, { path, headers });
    const post = async (path: string, body: object): Promise<Answer> => {
      const response = await postJson(service.url, path, key, body);
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    const used = async () => JSON.parse((await get('/api/usage')).body).used;
    const imageId = header(await get('/api/image/200x200-lighthouse?provider=ai'), 'x-image-id');
    const before = await used();
    service.break('down');
    if (isCold) await service.coldStart();
    const images = [{ slot: 'hero', query: 'harbour', width: 200, height: 200 }];
    const call = { name: 'find_images', arguments: { images } };
    const [tool, ...answers] = await Promise.all([
      post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      get('/api/image/200x200-unseen-lighthouse'),
      get('/api/image/200x200-unseen?provider=ai'),
      get(`/api/image/id/${imageId}`),
      get('/api/usage'),
      get('/api/account'),
      post('/api/images', { images }),
    ]);
    service.break(undefined);
    for (const { status, headers, body } of answers)
      expect([status, headers.get('retry-after'), JSON.parse(body).code]).toEqual([
        503,
        '5',
        'service_unavailable',
      ]);
    expect(tool.body).toContain('Retry in a few seconds; the request was not charged.');
    expect(await used()).toBe(before);
  },
);

test('each image that is delivered after a freeze is charged, and no request fails', async () => {
  const headers = { 'X-API-Key': service.keys.free.live };
  // A table that has closed their connections meanwhile.
  const paths = ['/api/image/200x200-lake', '/api/image/200x200-sea', '/api/image/256x256-gate?provider=ai'];
  let delivered = 0;
  const deliver = async (count: number) => {
    const wanted = paths.slice(0, count);
    const answers = await Promise.all(wanted.map((path) => ask(service.url, { path, headers })));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 302));
    delivered += count;
  };
  // Some connections rest while others are used, through freezes that are short by themselves.
  for (const [pauseMs, count] of [
    [0, 3],
    [60_000, 3],
    [4_000, 1],
    [4_000, 1],
    [4_000, 3],
    [6_000, 3],
  ] as const) {
    frozenMs += pauseMs;
    await deliver(count);
  }
  frozenMs += 60_000;
  const { status, body } = await ask(service.url, { path: '/api/usage', headers });
  expect([status, JSON.parse(body).used]).toEqual([200, delivered]);
});
