/** Which images an account has shown, for its owner and for the operator. */

import type { CreditsDocument } from '../../lambda/images/credits-schema';
import type { ImageRecord } from '../../lambda/images/record';
import { runTool } from '../cli/run-tool';
import { type RunningService, startService } from './local-service';
import { operatorAt } from './operator';

jest.setTimeout(60_000);

let service: RunningService;
let account: string;
let key: string;
const tool = (...args: string[]) => runTool([...args, '--local', service.url], { cwd: process.cwd() });
const json = async <T>(path: string, init: RequestInit = {}) =>
  (await (
    await fetch(service.url + path, { ...init, headers: { 'X-API-Key': key, ...init.headers } })
  ).json()) as T;
const credits = (search = '') => json<CreditsDocument>(`/api/credits${search}`);
const batch = (page: string, ...queries: string[]) =>
  json<{ images: Record<string, ImageRecord> }>('/api/images', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      page,
      images: queries.map((query) => ({ slot: query, query, width: 400, height: 300 })),
    }),
  });

beforeAll(async () => {
  const bound = ['--fake-providers', '--bind', 'stock_a=wikimedia', '--bind', 'stock_b=sandbox'];
  service = await startService(['--memory', ...bound]);
  ({ key, account } = await operatorAt(service.url).keys('create', '--plan', 'pro'));
});
afterAll(async () => {
  await service.stop();
});

it('lists each image of an account once, with whose it is, since when, on which pages, and whether a credit is due', async () => {
  expect(await credits()).toEqual({ account, images: [], next: null });
  const began = new Date().toISOString();
  const { images } = await batch('home', 'harbour', 'forest');
  await batch('about', 'harbour');
  const drawn = await json<ImageRecord>('/api/image?query=fern&provider=ai&format=json&width=400&height=300');
  const before = await json<{ readonly used: number }>('/api/usage');
  const { images: rows, next } = await credits();
  expect(next).toBeNull();
  // Those of images made by AI, which are private, are signed.
  for (const { thumbnail } of rows) {
    const shown = await fetch(thumbnail ?? '');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
  expect((await json<{ readonly used: number }>('/api/usage')).used).toBe(before.used);
  const { attribution, pick } = images['harbour'] as ImageRecord;
  const row = rows.find((each) => each.pick === pick);
  expect(row).toEqual({
    pick,
    provider: attribution.providerName,
    creator: attribution.creator,
    license: attribution.license.name,
    licenseUrl: attribution.license.url,
    link: attribution.landingUrl,
    creditLine: attribution.creditLine,
    creditDue: (images['harbour']?.html ?? '').includes('<figcaption>'),
    since: expect.any(String),
    pages: ['about', 'home'],
    gone: false,
    placeholder: expect.stringMatching(/^data:image\/webp/),
    thumbnail: expect.stringMatching(/^http.*\/stock\//),
  });
  expect(Date.parse(row?.since ?? '')).toBeGreaterThanOrEqual(Date.parse(began));
  expect(rows.find((each) => each.pick === drawn.pick)).toMatchObject({
    creditDue: false,
    creator: null,
    pages: [],
  });
  expect(rows).toHaveLength(3);
  expect((await credits('?page=about')).images.map((each) => each.pick)).toEqual([pick]);
  expect((await credits('?page=')).images).toHaveLength(3);
  expect((await credits('?page=nowhere')).images).toEqual([]);
});

it('knows what signed URLs show, and what requests with the key have found', async () => {
  const { signer } = await operatorAt(service.url).openSigner(account);
  const before = (await credits()).images.length;
  const signed = await signer.sign(`${service.url}/api/image?query=windmill&width=400&height=300`);
  for (let i = 0; i < 2; i++) expect((await fetch(signed, { redirect: 'manual' })).status).toBe(302);
  const found = await fetch(`${service.url}/api/image?query=glacier&width=400&height=300`, {
    redirect: 'manual',
    headers: { 'X-API-Key': key },
  });
  expect(found.status).toBe(302);
  expect((await credits()).images).toHaveLength(before + 2);
});

it('lists an image that another account found first and this one showed by a plain redirect alone', async () => {
  const other = await operatorAt(service.url).keys('create', '--plan', 'pro');
  const as = (apiKey: string, path: string) =>
    fetch(service.url + path, { redirect: 'manual', headers: { 'X-API-Key': apiKey } });
  const began = new Date().toISOString();
  for (const [path, known] of [
    ['/api/image/400x300-orchard', ''],
    ['/api/image/400x300-robot?provider=ai&visibility=public', '&alt=1'],
  ] as const) {
    expect((await as(key, path)).headers.get('x-cache')).toBe('MISS');
    for (let i = 0; i < 2; i++)
      expect((await as(other.key, path + known)).headers.get('x-cache')).toBe('HIT');
  }
  const listed = async (apiKey: string) =>
    ((await (await as(apiKey, '/api/credits')).json()) as CreditsDocument).images;
  const rows = await listed(other.key);
  const found = await listed(key);
  expect(rows).toHaveLength(2);
  for (const { since, ...row } of rows) {
    const { since: _, ...first } = found.find(({ pick }) => pick === row.pick) ?? { since };
    expect(row).toEqual({ ...first, pages: [] });
    expect(since >= began).toBe(true);
  }
  expect(rows[0]).toMatchObject({
    provider: 'Wikimedia Commons',
    creator: expect.any(String),
    license: expect.any(String),
    link: expect.stringContaining('://'),
    creditDue: expect.any(Boolean),
    gone: false,
  });
});

it('answers the account alone, and 400 names a cursor of another one', async () => {
  expect((await fetch(`${service.url}/api/credits`)).status).toBe(401);
  const other = service.keys.pro.live;
  const theirs = await fetch(`${service.url}/api/credits`, { headers: { 'X-API-Key': other } });
  expect(await theirs.json()).toMatchObject({ images: [] });
  const cursor = Buffer.from(
    JSON.stringify({ pk: `SHOWN#${account}#1`, shownBy: account, shownAt: '2026' }),
  ).toString('base64url');
  for (const [each, by] of [
    [cursor, other],
    ['x', key],
  ] as const) {
    const refused = await fetch(`${service.url}/api/credits?cursor=${each}`, {
      headers: { 'X-API-Key': by },
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { parameters: [{ parameter: 'cursor' }] },
    ]);
  }
});

it('is the same for the operator, as JSON, CSV and HTML', async () => {
  const { images: own } = await credits();
  const images = own.map(({ thumbnail: _, ...row }) => row);
  const of = (...args: string[]) => tool('rights', '--account', account, ...args);
  expect((await of('--format', 'json')).json()).toEqual({ account, images });
  expect((await of('--json')).json()).toEqual({ account, images });
  const [head, ...lines] = (await of('--format', 'csv')).stdout.trim().split('\n');
  expect(head).toBe('pick,provider,creator,license,licenseUrl,link,creditLine,creditDue,since,pages');
  expect(lines).toHaveLength(images.length);
  expect(lines.join()).toContain('about;home');
  const html = (await of('--format', 'html')).stdout;
  expect(html.match(/<tr>/g)).toHaveLength(images.length + 1);
  expect((await of()).stdout).toContain(images[0]?.pick);
  expect((await tool('rights', '--account', 'acc_nobody')).exitCode).toBe(3);
  expect((await tool('rights')).exitCode).toBe(2);
});
