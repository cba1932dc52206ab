/** The number of DynamoDB calls that each class of request may make, which bounds its cost and latency. */

import { ask } from '../e2e/ask';
import { type CountedService, startCountedService } from './counted-service';

let service: CountedService;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  service = await startCountedService();
}, 60_000);
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
}, 30_000);

test('what the operator has added and removed: one read a second at most, beside the charge', async () => {
  await service.coldStart();
  service.calls();
  const path = '/api/image/200x200-shore';
  const beganMs = performance.now();
  for (let i = 0; i < 40; i++)
    await ask(service.url, { path, headers: { 'X-API-Key': service.keys.free.live } });
  const seconds = Math.floor((performance.now() - beganMs) / 1_000);
  const reads = service.allCalls().filter(({ table }) => table === 'operator images');
  // The first one is sent beside the first charge, after the key.
  expect(reads[0]).toEqual({ operation: 'GetItem', table: 'operator images', depth: 1 });
  expect(reads.length).toBeLessThanOrEqual(1 + seconds);
}, 30_000);

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
}, 30_000);

test('a miss reads the pick and writes it beside the answer; another size of it asks for no candidates', async () => {
  const key = service.keys.free.live;
  const made = await callsOf('/api/image/300x200-cat', key);
  // The answer, the pick under its words and under its id, the offer; a lease on the offer before its provider is asked.
  expect(made.filter((call) => call === 'PutItem cache')).toHaveLength(2);
  expect(made.filter((call) => call === 'PutItem stockMemory')).toHaveLength(2);
  const other = await callsOf('/api/image/600x400-cat', key);
  expect([...other].sort()).toEqual([
    'GetItem cache',
    'GetItem stockMemory',
    'PutItem cache',
    'UpdateItem quotaCounters',
  ]);
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

test('an AI image: six writes on the way, and afterwards one read and one charge', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai';
  const making = await callsOf(path, key);
  // Acquire, claim, finalize and mark; the first delivery.
  expect(making.filter((call) => call === 'UpdateItem generationIndex')).toHaveLength(5);
  // Reserve, grant, the month's ceiling, and commit.
  expect(making.filter((call) => call === 'UpdateItem quotaCounters')).toHaveLength(4);
  // The prompts that were refused in this hour.
  expect(making.filter((call) => call === 'GetItem quotaCounters')).toHaveLength(1);
  expect(await callsOf(path, key)).toEqual(['GetItem generationIndex', 'UpdateItem quotaCounters']);
});

test('a free variation that exists: two reads, and one write that counts the free delivery', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai&variation=2';
  await callsOf(path, key);
  const again = await callsOf(path, key);
  expect([...again].sort()).toEqual([
    'GetItem generationIndex',
    'GetItem quotaCounters',
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
  expect(first.filter((call) => call === 'GetItem stockMemory').length).toBeLessThanOrEqual(3);
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
  // The mark is read and begun, the client, the cap and the quota are charged, and the mark is settled.
  expect(await view('/api/image/200x200-quiet-bay')).toEqual([
    'GetItem quotaCounters',
    ...Array(5).fill('UpdateItem quotaCounters'),
  ]);
  for (let i = 0; i < 3; i++) expect(await view('/api/image/200x200-quiet-bay')).toEqual([]);
});

test('an image of a site key that a new instance does not know as paid: the key, the mark and the status', async () => {
  await service.coldStart();
  service.calls();
  const path = `/api/image/200x200-quiet-bay?site=${service.siteKey}`;
  await ask(service.url, { path, headers: { Origin: 'https://example.com' } });
  expect(service.calls().map(({ operation, table }) => `${operation} ${table}`)).toEqual([
    'GetItem apiKeys',
    'GetItem quotaCounters',
    'GetItem quotaCounters',
    'GetItem cache',
  ]);
}, 30_000);
