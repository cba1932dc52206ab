/** Which image answers a query, over HTTP, against an Openverse of the test, over a restart. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { ask, header } from './ask';
import { type RunningService, startService } from './local-service';

const titles = ['Map of Mountain Lake', 'Mountain hut', 'Mountain lake at dawn', 'Boat on a mountain lake'];
const items = titles.map((title, index) => ({ id: `00000000-0000-4000-8000-00000000000${index}`, title }));

/** An Openverse that finds everything for any words, and forgets what is deleted. */
async function startOpenverse() {
  const jpeg = await sharp({ create: { width: 1_600, height: 1_067, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const searches: string[] = [];
  const deleted = new Set<string>();
  const resultOf = ({ id, title }: (typeof items)[number]) => ({
    id,
    title,
    url: `https://images.example/${id}.jpg`,
    foreign_landing_url: `https://images.example/${id}`,
    license: 'cc0',
    license_version: '1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    width: 3_000,
    height: 2_000,
    mature: false,
  });
  const server: Loopback = await listenOnLoopback((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://fake');
    const [, id, thumb] = /^\/v1\/images\/([0-9a-f-]{36})\/(thumb\/)?$/.exec(pathname) ?? [];
    const offered = items.filter((photo) => !deleted.has(photo.title));
    const item = offered.find((photo) => photo.id === id);
    if (id !== undefined && !item) return response.writeHead(404).end('{}');
    if (thumb !== undefined) return response.setHeader('content-type', 'image/jpeg').end(jpeg);
    if (!item) searches.push(search);
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(item ? resultOf(item) : { results: offered.map(resultOf) }));
  });
  return { server, searches, deleted };
}

let openverse: Awaited<ReturnType<typeof startOpenverse>>;
let service: RunningService;
let folder: string;

const start = () =>
  startService(['--data', folder, '--bind', 'stock_a=openverse,stock_b=openverse,stock_c=openverse'], {
    PROVIDER_ENDPOINTS: JSON.stringify({ openverse: openverse.server.address }),
    PROVIDER_QUOTAS: '{"openverse":{"perMinute":1000}}',
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'selection-'));
  openverse = await startOpenverse();
  service = await start();
});
afterAll(async () => {
  await service?.stop();
  await openverse?.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (query: string) =>
  ask(service.url, { path: `/api/image?${query}`, headers: { 'X-API-Key': service.keys.pro.live } });

/** Title of the image that answers a query, as the record says. */
async function titleFor(query: string) {
  const answer = await get(`${query}&format=json`);
  const { attribution } = JSON.parse(answer.body);
  return items.find(({ id }) => attribution.landingUrl.endsWith(id))?.title;
}

test('the best photo stays at every size and after a restart, until its source deletes it', async () => {
  const best = 'Mountain lake at dawn';
  expect(await titleFor('query=mountain+lake&width=300&height=200')).toBe(best);
  expect(await titleFor('query=mountain+lake&width=300&height=200&seed=2')).toBe('Boat on a mountain lake');
  await service.stop();
  service = await start();
  const { length } = openverse.searches;
  for (const width of [330, 640])
    expect(await titleFor(`query=mountain+lake&width=${width}&height=200`)).toBe(best);
  expect(openverse.searches).toHaveLength(length);
  openverse.deleted.add(best);
  for (const width of [350, 420])
    expect(await titleFor(`query=mountain+lake&width=${width}&height=220`)).toBe('Boat on a mountain lake');
});

test('an image without any of the words says that it is loose, and onmiss=ai has one generated instead', async () => {
  const path = 'query=quixotic+vuvuzela&width=300&height=200';
  const loose = await get(path);
  expect([header(loose, 'x-image-source'), header(loose, 'x-image-fit')]).toEqual(['stock_a', 'loose']);
  const generated = await get(`${path}&onmiss=ai`);
  expect(header(generated, 'x-image-source')).toBe('ai');
  const remaining = [loose, generated].map((answer) => Number(header(answer, 'x-ratelimit-remaining')));
  expect((remaining[0] ?? 0) - (remaining[1] ?? 0)).toBe(1);
  expect((await ask(service.url, { path: `/api/image?${path}&onmiss=ai` })).status).toBe(401);
  const fits = await get('query=boat+lake&onmiss=ai&width=300&height=200');
  expect(header(fits, 'x-image-source')).toBe('stock_a');
});
