/** The batch over HTTP: 24 different images in one call, charged to the unit, and pages that keep theirs. */

import { type RunningService, startService } from './local-service';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(() => service.stop());

interface Slot {
  readonly url: string;
  readonly pick: string;
  readonly code?: string;
}

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/api/images`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': service.keys.pro.live, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { response, json: (await response.json()) as { images: Record<string, Slot>; code?: string } };
}
const picksOf = (images: Record<string, Slot>) => Object.values(images).map(({ pick }) => pick);
const small = { width: 200, height: 150 };

async function used(): Promise<number> {
  const response = await fetch(`${service.url}/api/usage`, {
    headers: { 'X-API-Key': service.keys.pro.live },
  });
  return ((await response.json()) as { used: number }).used;
}

it('answers 24 entries with 24 different images that load, and charges 24', async () => {
  const before = await used();
  const images = Array.from({ length: 24 }, (_, i) => ({
    slot: `s${i}`,
    query: `subject ${i % 12}`,
    ...small,
  }));
  const { response, json } = await post({ images });
  expect(response.status).toBe(200);
  expect(Object.keys(json.images)).toEqual(images.map(({ slot }) => slot));
  expect(new Set(picksOf(json.images)).size).toBe(24);
  expect((await used()) - before).toBe(24);
  const [first, last] = [json.images['s0'], json.images['s23']];
  for (const slot of [first, last]) expect((await fetch(slot?.url ?? '')).status).toBe(200);
}, 60_000);

it('gives a page the same images again, and a third call none of them', async () => {
  const page = { page: 'home', images: ['a', 'b', 'c'].map((slot) => ({ slot, query: 'lake', ...small })) };
  const first = await post(page);
  const second = await post(page);
  expect(picksOf(second.json.images)).toEqual(picksOf(first.json.images));
  const third = await post({
    page: 'home',
    images: ['d', 'e'].map((slot) => ({ slot, query: 'lake', ...small })),
  });
  const all = [...picksOf(first.json.images), ...picksOf(third.json.images)];
  expect(new Set(all).size).toBe(5);
}, 60_000);

it.each<[string, unknown, Record<string, string>, number, string]>([
  ['no key', { images: [{ slot: 'a', query: 'x' }] }, { 'X-API-Key': '' }, 401, 'authentication_required'],
  ['another media type', '{}', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['a long body', `"${'x'.repeat(65_536)}"`, {}, 413, 'content_too_large'],
  ['no JSON', '{', {}, 400, 'invalid_parameter'],
  ['no images', {}, {}, 400, 'invalid_parameter'],
])('refuses a batch with %s', async (_, body, headers, status, code) => {
  const { response, json } = await post(body, headers);
  expect({ status: response.status, code: json.code }).toEqual({ status, code });
});

it('refuses other methods', async () => {
  const response = await fetch(`${service.url}/api/images`);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST, OPTIONS');
});
