/** The batch over HTTP: 24 different images in one call, charged to the unit, and none that is excluded. */

import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { postJson, usedBy } from './ask';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

interface Slot {
  readonly url: string;
  readonly pick: string;
  readonly code?: string;
}

async function post(body: object, key = service.keys.pro.live) {
  const response = await postJson(service.url, '/api/images', key, body);
  return {
    response,
    status: response.status,
    json: (await response.json()) as { images: Record<string, Slot>; code?: string },
  };
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
});

it('shows none of the images that a call excludes, and passes over a pick that nobody knows', async () => {
  const queries = ['lake', 'forest', 'city', 'desk'];
  const slots = queries.map((query) => ({ slot: query, query, ...small }));
  const first = picksOf((await post({ images: slots })).json.images);
  const again = await post({ images: slots, exclude: ['0'.repeat(20)] });
  expect(picksOf(again.json.images)).toEqual(first);
  const second = picksOf((await post({ images: slots, exclude: first })).json.images);
  expect(new Set([...first, ...second]).size).toBe(8);
  const refused = await post({ images: slots, exclude: [first[0], 'lake'] });
  expect(refused).toMatchObject({ status: 400, json: { parameters: [{ parameter: 'exclude[1]' }] } });
});
