/** The images of a query, and an account that decides which of them it shows: over HTTP, on signed pages and for models. */

import sharp from 'sharp';
import type { LogEntry } from '../../lambda/base/change-log';
import type { ImageRecord } from '../../lambda/images/record';
import type { SheetView } from '../../lambda/pages/picks';
import { isDocumented } from '../docs/documented-refusals';
import { postJson, usedBy } from './ask';
import { type Issued, type Operator, operatorAt } from './operator';
import { type SharedService, sharedService } from './shared-service';

jest.setTimeout(60_000);

let service: SharedService;
let operator: Operator;
let mine: Issued;
let other: Issued;

beforeAll(async () => {
  service = await sharedService();
  operator = operatorAt(service.url);
  const open = () => operator.keys('create', '--plan', 'pro');
  [mine, other] = [await open(), await open()];
});

const url = (path: string, values: Readonly<Record<string, string>>) =>
  `${service.url}${path}?${new URLSearchParams(values)}`;
const keyed = ({ key }: Issued) => ({ 'X-API-Key': key });

/** The answer to a request about picks: its status and its JSON. */
async function picks<T = unknown>(
  method: string,
  { by = mine, ...values }: { readonly by?: Issued; readonly [name: string]: unknown } = {},
): Promise<{ readonly status: number; readonly json: T }> {
  const isPosted = method === 'POST';
  const answer = await fetch(url('/api/picks', isPosted ? {} : (values as Record<string, string>)), {
    method,
    headers: { ...keyed(by), ...(isPosted && { 'Content-Type': 'application/json' }) },
    ...(isPosted && { body: JSON.stringify(values) }),
  });
  const json = (await answer.json()) as T & { code?: string };
  const { status } = answer;
  if (json.code !== undefined)
    expect([json, isDocumented({ method, path: '/api/picks', status, code: json.code })]).toEqual([
      json,
      true,
    ]);
  return { status, json };
}

async function sheetOf(query: string, by = mine, more: Readonly<Record<string, string>> = {}) {
  const { status, json } = await picks<SheetView>('GET', { by, query, ...more });
  expect(status).toBe(200);
  return json;
}

async function record(query: string, by = mine, more: Readonly<Record<string, string>> = {}) {
  const values = { query, format: 'json', width: '600', height: '400', ...more };
  const answer = await fetch(url('/api/image', values), { headers: keyed(by) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as ImageRecord;
}

describe('the images of a query', () => {
  it('are those of its seeds, with a thumbnail that loads and a credit, for one request', async () => {
    const before = await record('picks harbour', other);
    const { candidates, ...rest } = await sheetOf('picks harbour');
    expect(rest).toEqual({
      query: 'picks harbour',
      orientation: 'landscape',
      provider: 'stock_a',
      chosen: null,
      refused: [],
    });
    expect(candidates.map(({ number }) => number)).toEqual(candidates.map((_, index) => index + 1));
    expect(candidates[0]?.pick).toBe(before.pick);
    for (const { number, pick, fit, credit, thumbnail } of candidates.slice(0, 5)) {
      const shown = await record('picks harbour', mine, { seed: String(number) });
      expect([shown.pick, shown.fit, shown.attribution.creditLine]).toEqual([pick, fit, credit]);
      const image = sharp(Buffer.from(await (await fetch(thumbnail)).arrayBuffer()));
      const { width, height } = await image.metadata();
      expect(Math.max(width, height)).toBeLessThanOrEqual(320);
    }
  });

  it('are charged once, and not where there are none', async () => {
    const used = () => usedBy(service.url, other.key);
    const before = await used();
    await sheetOf('picks quay', other);
    expect(await used()).toBe(before + 1);
    await picks('GET', { by: other, cursor: '' });
    await picks('POST', { by: other, query: 'picks quay', seed: 2 });
    await picks('DELETE', { by: other, query: 'picks quay' });
    expect(await used()).toBe(before + 1);
  });

  it('come on one sheet of numbered cells', async () => {
    const { candidates } = await sheetOf('picks meadow', mine, { orientation: 'portrait' });
    const values = { query: 'picks meadow', orientation: 'portrait', format: 'image' };
    const answer = await fetch(url('/api/picks', values), { headers: keyed(mine) });
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    const rows = Math.ceil(candidates.length / 4);
    expect([format, width, height]).toEqual(['jpeg', 320 * Math.min(4, candidates.length), 320 * rows]);
  });
});

describe('an image that an account has chosen', () => {
  it('shows from the next request on, to this account alone, and gives way to a pick and to other seeds', async () => {
    const query = 'picks cliff';
    const { candidates } = await sheetOf(query);
    const [first, second, third] = candidates.map(({ pick }) => pick);
    const decided = await picks('POST', { query, seed: 3 });
    expect(decided).toEqual({
      status: 200,
      json: { query, orientation: null, provider: 'stock_a', chosen: third, refused: [] },
    });
    const shown = async (by: Issued, more = {}) => (await record(query, by, more)).pick;
    expect(await shown(mine)).toBe(third);
    expect(await shown(mine, { seed: '1', avoid: 'people', width: '300', height: '200' })).toBe(third);
    expect(await shown(mine, { seed: '2' })).toBe(second);
    expect(await shown(mine, { pick: first as string })).toBe(first);
    expect(await shown(other)).toBe(first);
    expect((await sheetOf(query)).candidates.filter((each) => each.chosen).map(({ pick }) => pick)).toEqual([
      third,
    ]);
    const again = await picks('POST', { query, pick: second, orientation: 'landscape' });
    expect(again.json).toMatchObject({ orientation: 'landscape', chosen: second });
    expect(await shown(mine)).toBe(second);
    await picks('DELETE', { query });
    expect(await shown(mine)).toBe(first);
    expect((await picks('DELETE', { query })).status).toBe(404);
  });

  it('shows on signed pages, which are charged as before, and on pages of a site key', async () => {
    const query = 'picks glacier';
    const { signer } = await operator.openSigner(mine.account);
    const origin = 'https://picks.example';
    const { siteKey } = await operator.openSite(mine.account, origin, 100);
    const signed = await signer.sign(url('/api/image', { query, width: '600', height: '400' }));
    const onPage = url('/api/image', { query, width: '600', height: '400', site: siteKey });
    const shown = async (page: string) => {
      const answer = await fetch(page, { redirect: 'manual', headers: { Origin: origin } });
      expect(answer.status).toBe(302);
      return answer;
    };
    const before = await shown(signed);
    const { candidates } = await sheetOf(query);
    const { url: wanted } = await record(query, mine, { seed: '2' });
    expect(before.headers.get('cache-control')).toMatch(/s-maxage=86\d{3}/);
    await picks('POST', { query, pick: candidates[1]?.pick });
    for (const page of [signed, onPage]) {
      const after = await shown(page);
      expect(after.headers.get('location')?.replace(/\w+$/, '')).toBe(wanted.replace(/\w+$/, ''));
      expect(
        Number(/s-maxage=(\d+)/.exec(after.headers.get('cache-control') ?? '')?.[1]),
      ).toBeLessThanOrEqual(60);
    }
  });

  it('shows on a page of several images, none of them twice', async () => {
    const query = 'picks valley';
    const { candidates } = await sheetOf(query);
    const [first, , third] = candidates.map(({ pick }) => pick);
    await picks('POST', { query, pick: third });
    const images = ['a', 'b', 'c'].map((slot) => ({ slot, query, width: 600, height: 400 }));
    const answer = await postJson(service.url, '/api/images', mine.key, { images });
    const { images: found } = (await answer.json()) as { images: Record<string, ImageRecord> };
    const shown = ['a', 'b', 'c'].map((slot) => found[slot]?.pick);
    expect(shown[0]).toBe(third);
    expect(new Set(shown).size).toBe(3);
    expect((await record(query, other)).pick).toBe(first);
  });

  it('may be an AI image of the account, and of no other one', async () => {
    const query = 'picks lighthouse';
    const { pick, imageId } = await record('picks beacon', mine, { provider: 'ai' });
    expect((await picks('POST', { by: other, query, pick })).status).toBe(404);
    expect((await picks('POST', { query, pick })).status).toBe(200);
    expect((await record(query)).imageId).toBe(imageId);
    expect((await record(query, other)).imageId).toBeNull();
  });
});

it('never shows what an account has refused, with any seed, until that is undone', async () => {
  const query = 'picks canyon';
  const { candidates } = await sheetOf(query);
  const [first, second] = candidates.map(({ pick }) => pick);
  await picks('POST', { query, pick: first });
  expect((await picks('POST', { query, refuse: first })).json).toMatchObject({
    chosen: null,
    refused: [first],
  });
  for (const more of [{}, { seed: '1' }, { seed: 'drawn' }, { seed: '21' }])
    expect((await record(query, mine, more)).pick).not.toBe(first);
  expect((await record(query)).pick).toBe(second);
  expect((await record(query, mine, { seed: '3' })).pick).toBe(candidates[2]?.pick);
  expect((await record(query, other)).pick).toBe(first);
  expect((await sheetOf(query)).candidates[0]).toMatchObject({ number: 1, pick: first, refused: true });
  expect((await picks('DELETE', { query, refuse: second })).status).toBe(404);
  expect((await picks('DELETE', { query, refuse: first })).json).toMatchObject({ chosen: null, refused: [] });
  expect((await record(query)).pick).toBe(first);
});

it('lists what an account has decided, to this account alone', async () => {
  const query = 'picks island';
  await picks('POST', { query, seed: 1 });
  const { json } = await picks<{ picks: { query: string; at: string }[]; next: null }>('GET');
  expect(json.next).toBeNull();
  expect(json.picks).toContainEqual({
    query,
    orientation: null,
    provider: 'stock_a',
    chosen: expect.any(String),
    refused: [],
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect((await picks('GET', { by: other })).json).toEqual({ picks: [], next: null });
});

describe('a request that is refused', () => {
  const query = 'picks reef';
  it('names the parameter', async () => {
    const answer = await picks<{ parameters?: object[] }>('POST', { query, seed: 21 });
    expect([answer.status, answer.json.parameters]).toEqual([
      400,
      [expect.objectContaining({ parameter: 'seed' })],
    ]);
    expect((await picks('POST', { query, refuse: 'a'.repeat(20) })).status).toBe(404);
  });

  it.each([
    ['no key', {}, 401],
    ['an unknown key', { 'X-API-Key': `pk_live_${'a'.repeat(38)}` }, 401],
  ])('with %s ends before anything is read', async (_, headers, status) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await fetch(url('/api/picks', { query }), { method, headers })).status).toBe(status);
  });

  it('with a body of another type or size says so', async () => {
    const post = async (body: string, type: string) =>
      (
        await fetch(`${service.url}/api/picks`, {
          method: 'POST',
          headers: { ...keyed(mine), 'Content-Type': type },
          body,
        })
      ).status;
    expect(await post('{}', 'text/plain')).toBe(415);
    expect(await post(JSON.stringify({ query, x: 'x'.repeat(70_000) }), 'application/json')).toBe(413);
    expect(await post('[]', 'application/json')).toBe(400);
  });
});

it('shows models the sheet, and a line on each image', async () => {
  const { candidates } = await sheetOf('picks orchard');
  const params = { name: 'picks', arguments: { query: 'picks orchard' } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await postJson(service.url, '/mcp', mine.key, call);
  const { result } = (await answer.json()) as {
    result: { content: [{ type: string; data: string; mimeType: string }, { text: string }] };
  };
  const [image, { text }] = result.content;
  expect([image.type, image.mimeType]).toEqual(['image', 'image/jpeg']);
  expect((await sharp(Buffer.from(image.data, 'base64')).metadata()).format).toBe('jpeg');
  expect(text.split('\n').map((line) => line.split(':')[0])).toEqual(
    candidates.map(({ number }) => String(number)),
  );
  for (const { pick } of candidates) expect(text).toContain(pick);
});

it('is decided by the operator too, with what the API answers', async () => {
  const query = 'picks prairie';
  const { candidates } = await sheetOf(query);
  const run = (...args: string[]) => operator.run('picks', ...args);
  const shown = (await run('show', query)).json<SheetView>();
  expect(shown.candidates.map(({ number, pick }) => [number, pick])).toEqual(
    candidates.map(({ number, pick }) => [number, pick]),
  );
  const args = [query, '--account', mine.account];
  const [first, second] = candidates.map(({ pick }) => pick);
  expect((await run('choose', ...args, '--seed', '2')).json()).toMatchObject({ chosen: second, refused: [] });
  expect((await record(query)).pick).toBe(second);
  expect((await run('refuse', ...args, '--seed', '1')).json()).toMatchObject({
    chosen: second,
    refused: [first],
  });
  expect((await run('list', '--account', mine.account)).json<{ picks: object[] }>().picks).toContainEqual(
    expect.objectContaining({ query, chosen: second, refused: [first] }),
  );
  expect((await run('undo', ...args, '--pick', first as string)).json()).toMatchObject({ refused: [] });
  expect((await run('undo', ...args)).json()).toMatchObject({ chosen: null });
  expect((await record(query)).pick).toBe(first);
  for (const [ending, exitCode] of [
    [['undo', ...args], 3],
    [['choose', ...args, '--pick', 'a'.repeat(20)], 3],
    [['choose', query, '--account', 'acc_nobody', '--seed', '1'], 3],
    [['choose', ...args], 2],
    [['choose', query, '--seed', '1'], 2],
    [['choose', ...args, '--seed', '21'], 2],
  ] as const)
    expect([ending, (await run(...ending)).exitCode]).toEqual([ending, exitCode]);
});

test('what a key decides is in the log of changes, by the id of the key and without its secret', async () => {
  const query = 'orchard';
  const [first, second] = (await sheetOf(query)).candidates.map(({ pick }) => pick);
  await picks('POST', { query, pick: first });
  await picks('POST', { query, refuse: second });
  await picks('DELETE', { query, refuse: second });
  await picks('DELETE', { query });
  expect((await picks('DELETE', { query })).status).toBe(404);
  const { entries } = (await operator.run('log', '--since', '1h')).json<{ entries: readonly LogEntry[] }>();
  const { account, key, keyId } = mine;
  const by = { account, query, at: expect.any(String), principal: keyId };
  expect(entries.filter((entry) => entry['query'] === query)).toEqual([
    { ...by, action: 'pick.chosen', id: first },
    { ...by, action: 'pick.refused', id: second },
    { ...by, action: 'pick.undone', id: second },
    { ...by, action: 'pick.undone' },
  ]);
  expect(JSON.stringify(entries)).not.toContain(key);
});
