/** Which image answers a query, from the outside: over HTTP, against an Openverse of the test with misfits among its candidates. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { ask, header } from './ask';
import { type RunningService, startService } from './local-service';
import { sharedEnvironment } from './shared-service';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
}

const captions: readonly (readonly [title: string, tags: string])[] = [
  ['Location map of Mountain Lake', 'map'],
  ['Mountain Lake survey, page 7, scan', 'scan'],
  ['Mountain hut', 'mountain, hut'],
  ['Mountain lake at dawn', 'mountain, lake, dawn'],
  ['Logo of Mountain Lake Bank', 'logo, mountain, lake'],
  ['Woman by a mountain lake', 'woman, mountain, lake'],
  ['Lake with mountains behind', 'lake, mountain'],
  ['A lake in the mountains', 'lake, mountain'],
  ['Flag of the mountain canton', 'flag, mountain, lake'],
  ['Alpine mountain lake', 'alps, mountain, lake'],
  ['IMG_2041', ''],
  ['Mountain lake reflections', 'mountain, lake'],
  ['Lake shore', 'lake'],
  ['Bathymetric chart of the mountain lake', 'chart'],
  ['Mountain', 'mountain'],
  ['Lake', 'lake'],
  ['Boat on a mountain lake', 'boat, mountain, lake'],
  ['Mountain lake stamp, 1975', 'stamp'],
  ['Hikers above a lake', 'hiker, lake'],
  ['Winter lake', 'lake, winter'],
];
const items: readonly Item[] = captions.map(([title, tags], index) => ({
  id: `00000000-0000-4000-8000-0000000000${String(index + 10)}`,
  title,
  tags: tags === '' ? [] : tags.split(', '),
}));
const misfit = /map|scan|logo|flag|chart|stamp/i;
/** Widths of next/image whose height at 3:2 is at least 100 pixels. */
const widths = [256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

/** An Openverse that knows AND and `|`, and forgets what is deleted. */
async function startOpenverse() {
  const jpeg = await sharp({ create: { width: 1_600, height: 1_067, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const searches: string[] = [];
  const deleted = new Set<string>();
  let offered = items;
  const resultOf = ({ id, title, tags }: Item) => ({
    id,
    title,
    tags: tags.map((name) => ({ name, accuracy: null })),
    url: `https://images.example/${id}.jpg`,
    foreign_landing_url: `https://images.example/${id}`,
    license: 'cc0',
    license_version: '1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    width: 3_000,
    height: 2_000,
    mature: false,
  });
  /** All words of `q` are required, and one of those of `title` or `tags`. */
  const matches = ({ title, tags }: Item, parameters: URLSearchParams) => {
    const isIn = (text: string) => (word: string) => text.toLowerCase().includes(word);
    const wordsOf = (name: string) => parameters.get(name)?.split(' ') ?? [];
    return parameters.has('q')
      ? wordsOf('q').every(isIn(`${title} ${tags.join(' ')}`))
      : wordsOf('title').some(isIn(title)) || wordsOf('tags').some(isIn(tags.join(' ')));
  };
  const server: Loopback = await listenOnLoopback((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const [, id = '', thumb] = /^\/v1\/images\/([0-9a-f-]{36})\/(thumb\/)?$/.exec(pathname) ?? [];
    const item = items.find((each) => each.id === id && !deleted.has(id));
    if (thumb !== undefined)
      return item ? response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg) : json(404, {});
    if (id !== '') return item ? json(200, resultOf(item)) : json(404, {});
    const field = ['q', 'title', 'tags'].find((name) => searchParams.has(name)) ?? '';
    const words = searchParams.get(field) ?? '';
    searches.push(`${field}=${words}`);
    // A query for anything finds whatever it has, as titles of archives are in all languages.
    const found = words.includes('anything')
      ? offered
      : offered.filter((each) => matches(each, searchParams));
    return json(200, { results: found.filter((each) => !deleted.has(each.id)).map(resultOf) });
  });
  return {
    server,
    searches,
    deleted,
    offer(next: readonly Item[]) {
      offered = next;
    },
  };
}

let openverse: Awaited<ReturnType<typeof startOpenverse>>;
let service: RunningService;
let folder: string;

const start = () =>
  startService(['--data', folder, '--bind', 'stock_a=openverse,stock_b=openverse,stock_c=openverse'], {
    PROVIDER_ENDPOINTS: JSON.stringify({ openverse: openverse.server.address }),
    PROVIDER_QUOTAS: '{"openverse":{"perMinute":1000}}',
    ...sharedEnvironment,
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'selection-'));
  openverse = await startOpenverse();
  service = await start();
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await openverse?.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Title, fit and source of the image that answers a query, as the record says. */
async function imageFor(path: string) {
  const headers = { 'X-API-Key': service.keys.business.live };
  const answer = await ask(service.url, { path: `/api/image?${path}&format=json`, headers });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  const { source, attribution, fit, fallback, note } = JSON.parse(answer.body);
  const id = attribution.landingUrl?.split('/').at(-1);
  return { title: items.find((item) => item.id === id)?.title ?? '', source, fit, fallback, note, answer };
}

test('no seed gives the best photo, and the seeds 1 to 6 six different photos', async () => {
  const best = await imageFor('query=mountain+lake&width=300&height=200');
  expect(best).toMatchObject({ title: 'Mountain lake at dawn', source: 'stock_a', fit: 'exact' });
  expect(header(best.answer, 'x-image-fit')).toBe('exact');
  const titles = [];
  for (let seed = 1; seed <= 6; seed++)
    titles.push((await imageFor(`query=mountain+lake&seed=${seed}&width=300&height=200`)).title);
  expect(titles[0]).toBe(best.title);
  expect(new Set(titles).size).toBe(6);
  for (const title of titles) expect(title).not.toMatch(misfit);
}, 60_000);

test('a seed beyond the images of the query says so, at every size', async () => {
  const path = 'query=alpine+lake&height=200';
  const first = await imageFor(`${path}&width=300`);
  expect(first.note).toBeNull();
  const { note } = await imageFor(`${path}&width=300&seed=20`);
  const [, images] = /^The query has (\d+) images?: higher seeds start over\.$/.exec(note) ?? [];
  for (const width of [300, 640]) {
    const again = await imageFor(`${path}&width=${width}&seed=${Number(images) + 1}`);
    expect([again.title, again.note]).toEqual([first.title, note]);
  }
  expect((await imageFor(`${path}&width=300&seed=${images}`)).note).toBeNull();
}, 60_000);

test('every size of a query is the same image, in any order', async () => {
  const seen = new Map<string, Set<string>>();
  for (const [query, order] of [
    ['lake+mountain', widths],
    ['mountains+and+a+lake', [...widths].reverse()],
  ] as const) {
    const titles = new Set<string>();
    for (const width of order) {
      const { title, fallback } = await imageFor(
        `query=${query}&seed=blue+hour&width=${width}&height=${Math.round((width * 2) / 3)}`,
      );
      titles.add(title);
      expect(fallback).toBeNull();
    }
    seen.set(query, titles);
  }
  for (const titles of seen.values()) expect(titles.size).toBe(1);
}, 120_000);

test('avoid=people leaves out what shows people, and another licence or colour is a question of its own', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { title } = await imageFor(`query=lake+mountain&avoid=people&seed=${seed}&width=200&height=133`);
    expect(title).not.toMatch(/woman|hiker/i);
  }
  const free = await imageFor('query=mountain+lake&license=public-domain&width=200&height=133');
  expect(free.source).toBe('stock_a');
}, 60_000);

test('several words find something where all of them together find nothing', async () => {
  const before = openverse.searches.length;
  const found = await imageFor('query=a+mountain+lake+with+purple+elephants+dancing&width=300&height=200');
  expect(found).toMatchObject({ source: 'stock_a', fit: 'partial' });
  const [strict, ...broader] = openverse.searches.slice(before);
  expect(strict).toMatch(/^q=\w+ \w+ \w+$/);
  expect(broader.map((search) => search.split('=')[0])).toEqual(['title', 'tags'].slice(0, broader.length));
}, 30_000);

test('an image without any of the words says that it is loose, and onmiss=ai has one generated instead', async () => {
  const path = 'query=anything+quixotic&width=300&height=200';
  expect(await imageFor(path)).toMatchObject({ source: 'stock_a', fit: 'loose' });
  const { live } = service.keys.pro;
  const usageOf = async () => {
    const { body } = await ask(service.url, { path: '/api/usage', headers: { 'X-API-Key': live } });
    return JSON.parse(body).used as number;
  };
  const before = await usageOf();
  const headers = { 'X-API-Key': live };
  const answer = await ask(service.url, { path: `/api/image?${path}&onmiss=ai`, headers });
  expect([answer.status, header(answer, 'x-image-source')]).toEqual([302, 'ai']);
  expect((await usageOf()) - before).toBe(1);
  const anonymous = await ask(service.url, { path: `/api/image?${path}&onmiss=ai` });
  expect(anonymous.status).toBe(401);
  const fits = await ask(service.url, {
    path: '/api/image?query=mountain+lake&onmiss=ai&width=300&height=200',
    headers,
  });
  expect(header(fits, 'x-image-source')).toBe('stock_a');
}, 60_000);

test('one more candidate, another order and a restart change nothing', async () => {
  const before = await imageFor('query=mountain+lake&width=310&height=200');
  const better: Item = { id: items[0]?.id ?? '', title: 'Mountain lake', tags: ['mountain', 'lake'] };
  openverse.offer([better, ...[...items].reverse()]);
  expect((await imageFor('query=mountain+lake&width=320&height=200')).title).toBe(before.title);
  await service.stop();
  service = await start();
  const searches = openverse.searches.length;
  expect((await imageFor('query=mountain+lake&width=330&height=200')).title).toBe(before.title);
  expect(openverse.searches).toHaveLength(searches);
  openverse.offer(items);
}, 60_000);

test('an image that is deleted at its source is replaced once, for all further sizes', async () => {
  const before = await imageFor('query=mountain+lake&width=340&height=220');
  openverse.deleted.add(items.find(({ title }) => title === before.title)?.id ?? '');
  const titles = new Set<string>();
  for (const width of [350, 420, 640])
    titles.add((await imageFor(`query=mountain+lake&width=${width}&height=${width - 120}`)).title);
  expect(titles.size).toBe(1);
  expect(titles).not.toContain(before.title);
  expect([...titles][0]).not.toMatch(misfit);
}, 60_000);

test.each([
  ['avoid=cats', 'avoid'],
  ['avoid=', 'avoid'],
  ['avoid=people&avoid=text', 'avoid'],
  ['color=turquoise', 'color'],
  ['color=%23ff0000', 'color'],
  ['license=gpl', 'license'],
  ['crop=middle', 'crop'],
  ['onmiss=stock', 'onmiss'],
])('%s is refused with its bounds', async (parameter, name) => {
  const answer = await ask(service.url, { path: `/api/image/300x200-lake?${parameter}` });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).parameters ?? JSON.parse(answer.body)).toEqual(
    expect.arrayContaining([expect.objectContaining({ parameter: name })]),
  );
});
