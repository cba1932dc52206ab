/** The number of DynamoDB calls that each class of request may make, which bounds its cost and latency. */

import { ask } from './ask';
import { type CountedService, startCountedService } from './counted-service';
import type { CountedCall } from './counting-proxy';

let service: CountedService;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  service = await startCountedService();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
});

/** Operations of one request, in the order in which they were sent, each with its depth. */
async function callsOf(path: string, key?: string, status = 302): Promise<readonly string[]> {
  service.calls();
  const answer = await ask(service.url, { path, headers: key ? { 'X-API-Key': key } : {} });
  expect(answer.status).toBe(status);
  return service.calls().map(({ operation, table }) => `${operation} ${table}`);
}

test('a cached stock image in a cold start: three calls, at most two one after the other', async () => {
  const path = '/api/image/200x200-lake';
  await callsOf(path, service.keys.free.live);
  await service.coldStart();
  service.calls();
  const answer = await ask(service.url, { path, headers: { 'X-API-Key': service.keys.pro.test } });
  expect(answer.headers.get('x-cache')).toBe('HIT');
  const [key, ...beside] = service.calls();
  expect(key).toEqual({ operation: 'GetItem', table: 'apiKeys', depth: 0 });
  // The charge and the look into the cache are sent side by side: neither waits for the other.
  expect(beside).toHaveLength(2);
  expect(beside).toContainEqual({ operation: 'UpdateItem', table: 'quotaCounters', depth: 1 });
  expect(beside).toContainEqual({ operation: 'GetItem', table: 'cache', depth: 1 });
});

test('a known key and an image that this instance has answered before: one call, the charge', async () => {
  const { free } = service.keys;
  await callsOf('/api/image/200x200-sea', free.live);
  expect(await callsOf('/api/image/200x200-sea', free.live)).toEqual(['UpdateItem quotaCounters']);
});

test('on a plan with a usage break-down: the charge, and one addition to the usage of the day', async () => {
  const { business } = service.keys;
  const path = '/api/image/200x200-sea';
  await callsOf(path, business.live);
  service.calls();
  expect((await ask(service.url, { path, headers: { 'X-API-Key': business.live } })).status).toBe(302);
  const write = { operation: 'UpdateItem', table: 'quotaCounters' };
  expect(service.calls()).toEqual([
    { ...write, depth: 0 },
    { ...write, depth: 1 },
  ]);
});

test('a new image by one request to a provider: twelve calls at most, and fewer for another size of it', async () => {
  const key = service.keys.free.live;
  const made = await callsOf('/api/image/300x200-cat?provider=stock_b', key);
  const all = [
    'UpdateItem quotaCounters', // the charge
    'GetItem cache', // the answer
    'GetItem images', // the choice
    'UpdateItem quotaCounters', // the search
    'UpdateItem quotaCounters', // the rendition
    'UpdateItem quotaCounters', // the day of the provider's budget for the account
    'UpdateItem quotaCounters', // the day for all
    'UpdateItem quotaCounters', // the minute for all
    'PutItem images', // the choice
    'GetItem images', // whether the image was removed
    'UpdateItem images', // the image under its pick
    'PutItem cache', // the answer
  ];
  expect(made.length).toBeLessThanOrEqual(12);
  expect([...made].sort()).toEqual([...all].sort());
  const other = await callsOf('/api/image/600x400-cat?provider=stock_b', key);
  expect([...other].sort()).toEqual([
    'GetItem cache',
    'GetItem images',
    'GetItem images',
    'PutItem cache',
    // The charge, and the rendition.
    'UpdateItem quotaCounters',
    'UpdateItem quotaCounters',
  ]);
});

test('a batch of 24 known images: 26 reads at most', async () => {
  const images = Array.from({ length: 24 }, (_, i) => ({
    ...{ slot: `s${i}`, query: `harbour ${i}`, width: 200, height: 200 },
  }));
  const post = async () => {
    service.calls();
    const { status } = await fetch(`${service.url}/api/images`, {
      method: 'POST',
      headers: { 'X-API-Key': service.keys.enterprise.live, 'Content-Type': 'application/json' },
      body: JSON.stringify({ images }),
    });
    expect(status).toBe(200);
    // The embedded engine sends no item with a refused condition, so marks of paid images are read, which DynamoDB spares.
    const isRead = ({ operation, table }: CountedCall) =>
      /^(Get|Query)/.test(operation) && table !== 'quotaCounters';
    return service.calls().filter(isRead);
  };
  await post();
  await service.coldStart();
  expect((await post()).length).toBeLessThanOrEqual(26);
  expect(await post()).toEqual([]);
});

test('without a key: one call', async () => {
  await callsOf('/api/image/200x200-sea');
  expect(await callsOf('/api/image/200x200-sea')).toEqual(['UpdateItem quotaCounters']);
});

test('a caller over its limit costs one refused write, then nothing', async () => {
  for (let i = 0; i < 8; i++) await callsOf('/api/image/200x200-sea');
  expect(await callsOf('/api/image/200x200-sea', undefined, 429)).toEqual(['UpdateItem quotaCounters']);
  expect(await callsOf('/api/image/200x200-sea', undefined, 429)).toEqual([]);
});

test.each([
  ['a mistyped key', '/api/image/200x200-sea?api_key=pk_live_mistyped', 401],
  ['an invented key of the right form', `/api/image/200x200-sea?api_key=pk_live_${'a'.repeat(38)}`, 401],
  ['a malformed request', '/api/image/1x1-sea', 400],
  ['AI without a key', '/api/image/200x200-sea?provider=ai', 401],
] as const)('%s costs nothing', async (_, path, status) => {
  expect(await callsOf(path, undefined, status)).toEqual([]);
});

test('a refusal on such a plan is one addition to the usage of the day', async () => {
  const key = service.keys.pro.live;
  await callsOf('/api/image/1x1-sea', key, 400);
  expect(await callsOf('/api/image/1x1-sea', key, 400)).toEqual(['UpdateItem quotaCounters']);
});

test('an AI image: three writes of its item, and afterwards one read and one charge', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai';
  const making = await callsOf(path, key);
  // Acquire, begin and finish.
  expect(making.filter((call) => call === 'UpdateItem generationIndex')).toHaveLength(3);
  // The charge; the month, two minutes and two days of generations; two places to wait; the work of its rendition.
  expect(making.filter((call) => call === 'UpdateItem quotaCounters')).toHaveLength(9);
  const again = await callsOf(path, key);
  expect(again.filter((call) => call.startsWith('UpdateItem'))).toEqual(['UpdateItem quotaCounters']);
  expect(again.filter((call) => call === 'GetItem generationIndex')).toHaveLength(1);
});

test('a free variation that exists: its item and its base are read, and one write counts the free delivery', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai&variation=2';
  await callsOf(path, key);
  const again = await callsOf(path, key);
  expect([...again].sort()).toEqual([
    'GetItem cache',
    ...Array(3).fill('GetItem generationIndex'),
    // What is left of the quota, and of the AI images.
    ...Array(2).fill('GetItem quotaCounters'),
    'UpdateItem quotaCounters',
  ]);
});

test('a record to publish: one mark beside what the image costs, and the credentials of the account once in a while', async () => {
  const key = service.keys.pro.test;
  const path = '/api/image/300x200-cat?format=json';
  await callsOf(path, service.keys.free.live, 200);
  const first = await callsOf(path, key, 200);
  expect(first.filter((call) => call === 'Query apiKeys')).toHaveLength(1);
  expect(first.filter((call) => call === 'UpdateItem quotaCounters')).toHaveLength(2);
  expect(await callsOf(path, key, 200)).toEqual(['UpdateItem quotaCounters']);
});

test('a published image: what is read and stored for its size at the first view, then nothing', async () => {
  const answer = await ask(service.url, {
    path: '/api/image/300x200-cat?format=json',
    headers: { 'X-API-Key': service.keys.pro.test },
  });
  const { src } = JSON.parse(answer.body) as { src: string };
  const { pathname, search } = new URL(src);
  const view = `/api/image${search}`;
  expect(pathname).toMatch(/\/api\/image$/);
  const first = await callsOf(view);
  expect(first.filter((call) => call === 'GetItem images').length).toBeLessThanOrEqual(3);
  // The rendition that is made for its size is counted; nothing is charged.
  expect(first.filter((call) => call === 'UpdateItem quotaCounters')).toHaveLength(1);
  expect(await callsOf(view)).toEqual([]);
});

test('an image of a site key: six calls for the first view of the day, none once it is known as paid', async () => {
  const view = async (path: string) => {
    service.calls();
    const headers = { Origin: 'https://example.com' };
    const answer = await ask(service.url, { path: `${path}?site=${service.siteKey}`, headers });
    expect(answer.status).toBe(302);
    return service.calls().map(({ operation, table }) => `${operation} ${table}`);
  };
  await callsOf('/api/image/200x200-quiet-bay', service.keys.free.live);
  await view('/api/image/200x200-other-bay');
  // The mark is read and claimed, the cap and the month are charged, and the mark says paid.
  expect(await view('/api/image/200x200-quiet-bay')).toEqual([
    'GetItem quotaCounters',
    ...Array(4).fill('UpdateItem quotaCounters'),
  ]);
  for (let i = 0; i < 3; i++) expect(await view('/api/image/200x200-quiet-bay')).toEqual([]);
});

test('10,000 views of one signed image on the free plan: no refusal, and no write after the claim, the charge and what says paid', async () => {
  const path = await service.signer.sign('/api/image?query=quiet+harbour&width=200&height=200');
  service.calls();
  expect((await ask(service.url, { path })).status).toBe(302);
  const counted = service.calls().filter(({ table }) => table === 'quotaCounters');
  // The mark is read; then the claim, the charge, what says paid, the search and the rendition.
  expect(counted.map(({ operation }) => operation)).toEqual(['GetItem', ...Array(5).fill('UpdateItem')]);
  let left = 10_000;
  const statuses = new Set<number>();
  const visitor = async () => {
    while (left-- > 0) {
      const answer = await fetch(service.url + path, { redirect: 'manual' });
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
  };
  await Promise.all(Array.from({ length: 40 }, visitor));
  expect([...statuses]).toEqual([302]);
  expect(service.calls().filter(({ operation }) => operation !== 'GetItem')).toEqual([]);
}, 300_000);

test('an image of a site key that a new instance does not know as paid: the key and the mark, and no write', async () => {
  await service.coldStart();
  service.calls();
  const path = `/api/image/200x200-quiet-bay?site=${service.siteKey}`;
  await ask(service.url, { path, headers: { Origin: 'https://example.com' } });
  expect(service.calls().map(({ operation, table }) => `${operation} ${table}`)).toEqual([
    'GetItem apiKeys',
    'GetItem quotaCounters',
    'GetItem cache',
  ]);
});
