/** The number of DynamoDB calls that each class of request may make, which bounds its cost and latency. */

import { fixtureOf } from '../fakes/fixture';
import { ask, postJson } from './ask';
import { startCountedService } from './counted-service';

/** Views of one signed image. */
const views = process.env['FC_NUM_RUNS'] ? 10_000 : 400;

const service = fixtureOf(() => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  return startCountedService();
});
afterAll(() => jest.restoreAllMocks());

const names = () => service.calls().map(({ operation, table }) => `${operation} ${table}`);

/** Operations of one request, in the order in which they were sent. */
async function callsOf(path: string, key?: string, status = 302, headers = {}): Promise<readonly string[]> {
  service.calls();
  const answer = await ask(service.url, { path, headers: { ...headers, ...(key && { 'X-API-Key': key }) } });
  expect(answer.status).toBe(status);
  return names();
}
/** The same for the second of two requests. */
async function secondOf(...request: Parameters<typeof callsOf>): Promise<readonly string[]> {
  await callsOf(...request);
  return callsOf(...request);
}
const count = (calls: readonly string[], call: string) => calls.filter((each) => each === call).length;
const charge = 'UpdateItem quotaCounters';
const sea = '/api/image/200x200-sea';

test('a cached stock image takes three calls in a cold start, two of them at the same time', async () => {
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

test('an image that this instance knows takes one write, and one more for usage on a plan with analytics', async () => {
  expect(await secondOf(sea, service.keys.free.live)).toEqual([charge]);
  expect(await secondOf(sea)).toEqual([charge]);
  expect(await secondOf(sea, service.keys.business.live)).toEqual([charge, charge]);
});

test('a new image by one request to a provider takes twelve calls, and another size of it six', async () => {
  const key = service.keys.free.live;
  const made = await callsOf('/api/image/300x200-cat?provider=stock_b', key);
  const all = [
    charge,
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
  expect([...made].sort()).toEqual([...all].sort());
  const other = await callsOf('/api/image/600x400-cat?provider=stock_b', key);
  const fewer = ['GetItem cache', 'GetItem images', 'GetItem images', 'PutItem cache', charge];
  expect([...other].sort()).toEqual([...fewer, 'UpdateItem quotaCounters'].sort());
});

test('a batch of 24 known images takes 26 reads at most in a cold start, and then none', async () => {
  const images = Array.from({ length: 24 }, (_, i) => ({
    ...{ slot: `s${i}`, query: `harbour ${i}`, width: 200, height: 200 },
  }));
  /** Not counted are reads of quota counters: the embedded engine needs them, DynamoDB does not. */
  const reads = async () => {
    service.calls();
    const { enterprise } = service.keys;
    expect((await postJson(service.url, '/api/images', enterprise.live, { images })).status).toBe(200);
    return names().filter((call) => /^(Get|Query)/.test(call) && !call.endsWith('quotaCounters'));
  };
  await reads();
  await service.coldStart();
  expect((await reads()).length).toBeLessThanOrEqual(26);
  expect(await reads()).toEqual([]);
});

test('a caller over its limit costs one refused write, then nothing', async () => {
  let first: readonly string[] = [];
  for (let asked = 0, status = 302; status === 302; asked++) {
    expect(asked).toBeLessThan(20);
    service.calls();
    status = (await ask(service.url, { path: sea })).status;
    first = names();
  }
  expect(first).toEqual([charge]);
  expect(await callsOf(sea, undefined, 429)).toEqual([]);
});

test.each([
  ['a mistyped key', `${sea}?api_key=pk_live_mistyped`, 401],
  ['an invented key of the right form', `${sea}?api_key=pk_live_${'a'.repeat(38)}`, 401],
  ['a malformed request', '/api/image/1x1-sea', 400],
  ['AI without a key', `${sea}?provider=ai`, 401],
] as const)('%s costs nothing', async (_, path, status) => {
  expect(await callsOf(path, undefined, status)).toEqual([]);
});

test('a refusal on a plan with a break-down is one addition to the usage of the day', async () => {
  expect(await secondOf('/api/image/1x1-sea', service.keys.pro.live, 400)).toEqual([charge]);
});

test('a new AI image takes three writes of its item, and a known one a read of it and the charge', async () => {
  const key = service.keys.free.live;
  const path = '/api/image/200x200-lighthouse?provider=ai';
  const making = await callsOf(path, key);
  // Acquire, begin and finish.
  expect(count(making, 'UpdateItem generationIndex')).toBe(3);
  // The charge; the month, two minutes and two days of generations; two places to wait; the work of its
  // rendition.
  expect(count(making, 'UpdateItem quotaCounters')).toBe(9);
  const again = await callsOf(path, key);
  expect(again.filter((call) => call.startsWith('UpdateItem'))).toEqual([charge]);
  expect(count(again, 'GetItem generationIndex')).toBe(1);
});

test('a free variation that exists takes six reads, and one write that counts the free delivery', async () => {
  const again = await secondOf(
    '/api/image/200x200-lighthouse?provider=ai&variation=2',
    service.keys.free.live,
  );
  // Of the counters: what is left of the quota, and of the AI images.
  const reads = ['cache', ...Array(3).fill('generationIndex'), 'quotaCounters', 'quotaCounters'];
  expect([...again].sort()).toEqual([...reads.map((table) => `GetItem ${table}`), charge]);
});

test('a record to publish takes one more write for its mark, and at first a read of the credentials', async () => {
  const path = '/api/image/300x200-cat?format=json';
  await callsOf(path, service.keys.free.live, 200);
  const first = await callsOf(path, service.keys.pro.test, 200);
  expect(count(first, 'Query apiKeys')).toBe(1);
  expect(count(first, 'UpdateItem quotaCounters')).toBe(2);
  expect(await callsOf(path, service.keys.pro.test, 200)).toEqual([charge]);

  // What it publishes: what is read and stored for its size at the first view, then nothing.
  const headers = { 'X-API-Key': service.keys.pro.test };
  const { src } = JSON.parse((await ask(service.url, { path, headers })).body) as { src: string };
  const view = `/api/image${new URL(src).search}`;
  const viewed = await callsOf(view);
  expect(count(viewed, 'GetItem images')).toBeLessThanOrEqual(3);
  // The rendition that is made for its size is counted; nothing is charged.
  expect(count(viewed, 'UpdateItem quotaCounters')).toBe(1);
  expect(await callsOf(view)).toEqual([]);
});

test('a view by a site key takes five calls at first, then none, and no write in a new instance', async () => {
  const view = (words: string) =>
    callsOf(`/api/image/200x200-${words}?site=${service.siteKey}`, undefined, 302, {
      Origin: 'https://example.com',
    });
  await callsOf('/api/image/200x200-quiet-bay', service.keys.free.live);
  await view('other-bay');
  // The mark is read and claimed, the cap and the month are charged, and the mark says paid.
  expect(await view('quiet-bay')).toEqual(['GetItem quotaCounters', ...Array(4).fill(charge)]);
  expect(await view('quiet-bay')).toEqual([]);
  await service.coldStart();
  expect(await view('quiet-bay')).toEqual(['GetItem apiKeys', 'GetItem quotaCounters', 'GetItem cache']);
});

test(`${views} views of one signed image on the free plan are all served, and only the first writes`, async () => {
  const path = await service.signer.sign('/api/image?query=quiet+harbour&width=200&height=200');
  const first = (await callsOf(path)).filter((call) => call.endsWith('quotaCounters'));
  // The mark is read; then the claim, the charge, what says paid, the search and the rendition.
  expect(first).toEqual(['GetItem quotaCounters', ...Array(5).fill(charge)]);
  let left = views;
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
  expect(names().filter((call) => !call.startsWith('GetItem'))).toEqual([]);
}, 300_000);
