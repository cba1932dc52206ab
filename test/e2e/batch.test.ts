/** The batch over HTTP: 24 different images in one call, charged to the unit, and pages that keep theirs. */

import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { postJson, usedBy } from './ask';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
}, 60_000);

interface Slot {
  readonly url: string;
  readonly pick: string;
  readonly code?: string;
}

async function post(body: object, key = service.keys.pro.live) {
  const response = await postJson(service.url, '/api/images', key, body);
  return { response, json: (await response.json()) as { images: Record<string, Slot>; code?: string } };
}
const picksOf = (images: Record<string, Slot>) => Object.values(images).map(({ pick }) => pick);
const small = { width: 200, height: 150 };

const used = () => usedBy(service.url, service.keys.pro.live);

it('answers 24 entries with 24 different images that load, within the wait budget, and charges 24', async () => {
  const before = await used();
  const images = Array.from({ length: 24 }, (_, i) => ({
    slot: `s${i}`,
    query: `subject ${i % 12}`,
    ...small,
  }));
  const startedMs = performance.now();
  const { response, json } = await post({ images });
  expect(performance.now() - startedMs).toBeLessThan(requestBudgetMs);
  expect(response.status).toBe(200);
  expect(Object.keys(json.images)).toEqual(images.map(({ slot }) => slot));
  expect(new Set(picksOf(json.images)).size).toBe(24);
  expect((await used()) - before).toBe(24);
  const shown = Object.values(json.images);
  const loaded = await Promise.all(shown.map(async ({ url }) => (await fetch(url)).status));
  expect(loaded).toEqual(images.map(() => 200));
}, 60_000);

it('gives a page the same images again, and a third call none of them', async () => {
  const queries = ['lake', 'forest', 'city', 'desk'];
  const slots = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({
      slot: `s${from + i}`,
      query: queries[i % 4],
      ...small,
    }));
  const page = { page: 'home', images: slots(0, 8) };
  const first = await post(page);
  const second = await post(page);
  expect(picksOf(second.json.images)).toEqual(picksOf(first.json.images));
  const third = await post({ page: 'home', images: slots(8, 16) });
  const all = [...picksOf(first.json.images), ...picksOf(third.json.images)];
  expect(new Set(all).size).toBe(16);
}, 60_000);
