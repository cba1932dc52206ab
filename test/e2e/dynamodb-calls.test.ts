/** The DynamoDB calls that each class of request makes at most, which bounds its cost and latency. */

import { startFixture } from '../fakes/fixture';
import { ask, postJson } from './ask';
import { startCountedService } from './counted-service';

const service = startFixture(() => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  return startCountedService();
});
afterAll(() => jest.restoreAllMocks());

const listCalls = () => service.calls().map(({ operation, table }) => `${operation} ${table}`);

/** Operations of one request, in the order in which they were sent. */
async function askFor(path: string, key?: string, status = 302, headers = {}): Promise<readonly string[]> {
  service.calls();
  const answer = await ask(service.url, { path, headers: { ...headers, ...(key && { 'X-API-Key': key }) } });
  expect(answer.status).toBe(status);
  return listCalls();
}
/** The same for the second of two requests. */
async function askTwice(...request: Parameters<typeof askFor>): Promise<readonly string[]> {
  await askFor(...request);
  return askFor(...request);
}
/** Adds one to a counter: a charge, a limit or the usage of an account. */
const addition = 'UpdateItem quotaCounters';

/** Fails with the calls of which there are more than these, or of which there may be none. */
function expectAtMost(calls: readonly string[], allowed: Readonly<Record<string, number>>): void {
  const excess = calls.filter((call, i) => {
    const earlier = calls.slice(0, i).filter((other) => other === call).length;
    return earlier >= (allowed[call] ?? 0);
  });
  expect(excess).toEqual([]);
}

const sea = '/api/image/200x200-sea';

test('in a cold start, a cached stock image takes at most three calls, two of them in sequence', async () => {
  const path = '/api/image/200x200-lake';
  await askFor(path, service.keys.free.live);
  await service.startCold();
  service.calls();
  const answer = await ask(service.url, { path, headers: { 'X-API-Key': service.keys.pro.test } });
  expect(answer.headers.get('x-cache')).toBe('HIT');
  const calls = service.calls();
  // The key; then the charge and the look into the cache, which are sent side by side.
  expect(calls.length).toBeLessThanOrEqual(3);
  expect(Math.max(...calls.map(({ depth }) => depth))).toBeLessThanOrEqual(1);
});

test('a known image takes one write at most, plus one for usage on plans with analytics', async () => {
  expectAtMost(await askTwice(sea, service.keys.free.live), { [addition]: 1 });
  expectAtMost(await askTwice(sea), { [addition]: 1 });
  expectAtMost(await askTwice(sea, service.keys.business.live), { [addition]: 2 });
});

test('a new image takes at most twelve calls, another size of it at most six', async () => {
  const key = service.keys.free.live;
  expectAtMost(await askFor('/api/image/300x200-cat?provider=stock_b', key), {
    // The answer, the choice, and whether the image was removed.
    'GetItem cache': 1,
    'GetItem images': 2,
    // The charge, the search, the rendition, and the provider’s budget: the account’s day, the day and the minute.
    [addition]: 6,
    // The choice, the image under its pick, and the answer.
    'PutItem images': 1,
    'UpdateItem images': 1,
    'PutItem cache': 1,
  });
  expectAtMost(await askFor('/api/image/600x400-cat?provider=stock_b', key), {
    'GetItem cache': 1,
    'GetItem images': 2,
    // The charge and the rendition.
    [addition]: 2,
    'PutItem cache': 1,
  });
});

test('a batch of 24 known images takes at most 26 reads, only in a cold start', async () => {
  const images = Array.from({ length: 24 }, (_, i) => ({
    ...{ slot: `s${i}`, query: `harbour ${i}`, width: 200, height: 200 },
  }));
  /** Not counted are reads of quota counters: the embedded engine needs them, DynamoDB does not. */
  const countReads = async () => {
    service.calls();
    const { enterprise } = service.keys;
    expect((await postJson(service.url, '/api/images', enterprise.live, { images })).status).toBe(200);
    return listCalls().filter((call) => /^(Get|Query)/.test(call) && !call.endsWith('quotaCounters'));
  };
  await countReads();
  await service.startCold();
  expect((await countReads()).length).toBeLessThanOrEqual(26);
  expect(await countReads()).toEqual([]);
});

test('a caller over its limit costs one refused write, then no calls', async () => {
  let first: readonly string[] = [];
  for (let requests = 0, status = 302; status === 302; requests++) {
    expect(requests).toBeLessThan(20);
    service.calls();
    status = (await ask(service.url, { path: sea })).status;
    first = listCalls();
  }
  expectAtMost(first, { [addition]: 1 });
  expect(await askFor(sea, undefined, 429)).toEqual([]);
});

test.each([
  ['a mistyped key', `${sea}?api_key=pk_live_mistyped`, 401],
  ['an invented key of the right form', `${sea}?api_key=pk_live_${'a'.repeat(38)}`, 401],
  ['a malformed request', '/api/image/1x1-sea', 400],
  ['AI without a key', `${sea}?provider=ai`, 401],
] as const)('%s costs nothing', async (_, path, status) => {
  expect(await askFor(path, undefined, status)).toEqual([]);
});

test('a refusal on a plan with analytics costs at most one write to the usage of the day', async () => {
  expectAtMost(await askTwice('/api/image/1x1-sea', service.keys.pro.live, 400), { [addition]: 1 });
});

test('a new AI image takes at most three writes of its item, a known one three reads', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai';
  const writes = (await askFor(path, key)).filter((call) => call.startsWith('UpdateItem'));
  expectAtMost(writes, {
    // Acquire, begin and finish.
    'UpdateItem generationIndex': 3,
    // The charge; the month, two minutes and two days of generations; two places to wait; the work of its
    // rendition.
    [addition]: 9,
    // The note of the rendition; the image under its pick.
    'UpdateItem cache': 1,
    'UpdateItem images': 1,
  });
  expectAtMost(await askFor(path, key), {
    'GetItem cache': 1,
    'GetItem generationIndex': 1,
    // What is left of the AI images.
    'GetItem quotaCounters': 1,
    [addition]: 1,
  });
});

test('a free variation that exists takes at most six reads and one write', async () => {
  const path = '/api/image/200x200-lighthouse?provider=ai&variation=2';
  expectAtMost(await askTwice(path, service.keys.free.live), {
    'GetItem cache': 1,
    'GetItem generationIndex': 3,
    // What is left of the quota, and of the AI images.
    'GetItem quotaCounters': 2,
    [addition]: 1,
  });
});

test('publishing a record takes at most one more write, plus a first read of the credentials', async () => {
  const path = '/api/image/300x200-cat?format=json';
  await askFor(path, service.keys.free.live, 200);
  expectAtMost(await askFor(path, service.keys.pro.test, 200), {
    'GetItem apiKeys': 1,
    'Query apiKeys': 1,
    [addition]: 2,
  });
  expectAtMost(await askFor(path, service.keys.pro.test, 200), { [addition]: 1 });

  // What it publishes: what is read and stored for its size at the first view, then nothing.
  const headers = { 'X-API-Key': service.keys.pro.test };
  const { src } = JSON.parse((await ask(service.url, { path, headers })).body) as { src: string };
  const view = `/api/image${new URL(src).search}`;
  const viewed = (await askFor(view)).filter((call) => call === addition || call === 'GetItem images');
  // The rendition that is made for its size is counted; nothing is charged.
  expectAtMost(viewed, { 'GetItem images': 3, [addition]: 1 });
  expect(await askFor(view)).toEqual([]);
});

test('the first view by a site key takes at most five calls, the next one none', async () => {
  const viewBySiteKey = (words: string) =>
    askFor(`/api/image/200x200-${words}?site=${service.siteKey}`, undefined, 302, {
      Origin: 'https://example.com',
    });
  await askFor('/api/image/200x200-quiet-bay', service.keys.free.live);
  await viewBySiteKey('other-bay');
  // The mark is read and claimed, the cap and the month are charged, and the mark says paid.
  expectAtMost(await viewBySiteKey('quiet-bay'), { 'GetItem quotaCounters': 1, [addition]: 4 });
  expect(await viewBySiteKey('quiet-bay')).toEqual([]);
  await service.startCold();
  expectAtMost(await viewBySiteKey('quiet-bay'), {
    'GetItem apiKeys': 1,
    'GetItem quotaCounters': 1,
    'GetItem cache': 1,
  });
});
