/** Many requests at once: each that shows an image pays one unit, and no other does. */

import { fixtureOf } from '../fakes/fixture';
import { ask, header } from './ask';
import { localAccounts } from './local-account';
import { sharedService } from './shared-service';

const service = fixtureOf(sharedService);
const accounts = fixtureOf(() => localAccounts(service.url));

const asImage = { 'sec-fetch-dest': 'image', accept: 'image/avif,image/webp,image/*,*/*;q=0.8' };
const loadAll = (key: string, paths: readonly string[]) =>
  Promise.all(paths.map((path) => ask(service.url, { path, headers: { ...asImage, 'X-API-Key': key } })));
const drawing = (words: string) => `/api/image/320x200-${words}?provider=ai`;

test('200 requests at once with 50 units left get 50 images and 150 refusals', async () => {
  const { key, taken } = await accounts.open('free', 950);
  const answers = await loadAll(key, Array(200).fill('/api/image/200x200-crowd'));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 302)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(150);
  expect(await taken()).toBe(1_000);
});

test('60 requests at once for one new AI image have it made once', async () => {
  const { key, taken } = await accounts.open('pro', 0);
  const answers = await loadAll(key, Array(60).fill(drawing('crowd')));
  const served = answers.filter(({ status }) => status === 302);
  expect(served.filter((answer) => header(answer, 'x-cache') === 'MISS').length).toBeLessThanOrEqual(1);
  expect(new Set(served.map((answer) => new URL(header(answer, 'location')).pathname)).size).toBe(1);
  expect(await taken()).toBe(served.length);
  const { body } = await ask(service.url, { path: '/api/usage', headers: { 'X-API-Key': key } });
  expect(JSON.parse(body).generations.used).toBe(1);
});

/** Rounds of a page that loads its missing images again; a slow machine draws a few in each. */
const roundsMax = 8;

test('new images at once are redirects, or cards with 503 while they are being made', async () => {
  const { key, taken } = await accounts.open('business', 0);
  const paths = Array.from({ length: 16 }, (_, number) => drawing(`crowd-${number}`));
  let missing: readonly string[] = paths;
  for (let round = 0; missing.length > 0 && round < roundsMax; round++) {
    const answers = await loadAll(key, missing);
    for (const answer of answers.filter(({ status }) => status !== 302)) {
      expect([answer.status, header(answer, 'x-image-fallback')]).toEqual([503, 'generation_in_progress']);
      expect(header(answer, 'content-type')).toContain('image/svg+xml');
      expect(Number(header(answer, 'retry-after'))).toBeGreaterThan(0);
    }
    missing = missing.filter((_, index) => answers[index]?.status !== 302);
  }
  expect(missing).toEqual([]);
  expect(await taken()).toBe(paths.length);
});
