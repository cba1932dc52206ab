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

/** Picks of the first images of a query, by their numbers. */
const picksOf = async (query: string) => (await sheetOf(query)).candidates.map(({ pick }) => pick);

it('lists the images of the seeds of a query, as JSON whose thumbnails load or as one JPEG, for one request each', async () => {
  const query = 'picks harbour';
  const used = () => usedBy(service.url, other.key);
  const before = await used();
  const { candidates, ...rest } = await sheetOf(query, other);
  expect(rest).toEqual({ query, orientation: 'landscape', provider: 'stock_a', chosen: null, refused: [] });
  for (const { number, pick, fit, credit, thumbnail } of candidates.slice(0, 3)) {
    const shown = await record(query, mine, { seed: String(number) });
    expect([shown.pick, shown.fit, shown.attribution.creditLine]).toEqual([pick, fit, credit]);
    expect((await sharp(Buffer.from(await (await fetch(thumbnail)).arrayBuffer())).metadata()).width).toBe(
      320,
    );
  }
  const answer = await fetch(url('/api/picks', { query, format: 'image' }), { headers: keyed(other) });
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([format, width, height]).toEqual(['jpeg', 1_280, 320 * Math.ceil(candidates.length / 4)]);
  await picks('GET', { by: other, cursor: '' });
  await picks('POST', { by: other, query, seed: 2 });
  await picks('DELETE', { by: other, query });
  expect(await used()).toBe(before + 2);
});

it('has images chosen and refused from the next request on, for this account alone, listed, and undone', async () => {
  const query = 'picks cliff';
  const [first, second, third] = await picksOf(query);
  const decided = { query, orientation: null, provider: 'stock_a', chosen: third, refused: [] };
  expect(await picks('POST', { query, seed: 3 })).toEqual({ status: 200, json: decided });
  const shown = async (by: Issued, more = {}) => (await record(query, by, more)).pick;
  expect(await shown(mine, { avoid: 'people', width: '300', height: '200' })).toBe(third);
  expect(await shown(mine, { seed: '2' })).toBe(second);
  expect(await shown(other)).toBe(first);
  expect((await sheetOf(query)).candidates.filter(({ chosen }) => chosen)).toMatchObject([{ number: 3 }]);
  await picks('POST', { query, refuse: third });
  await picks('POST', { query, refuse: first });
  for (const more of [{}, { seed: '1' }, { seed: 'drawn' }, { seed: '21' }])
    expect([first, third]).not.toContain(await shown(mine, more));
  const { json } = await picks<{ picks: object[]; next: null }>('GET');
  expect(json).toMatchObject({ next: null, picks: [{ query, refused: [first, third].toSorted() }] });
  expect((await picks('GET', { by: other })).json).toEqual({ picks: [], next: null });
  await picks('DELETE', { query });
  expect(await shown(mine)).toBe(first);
  expect((await picks('DELETE', { query })).status).toBe(404);

  const { entries } = (await operator.run('log', '--since', '1h')).json<{ entries: readonly LogEntry[] }>();
  const by = { account: mine.account, query, at: expect.any(String), principal: mine.keyId };
  expect(entries.filter((entry) => entry['query'] === query)).toEqual([
    { ...by, action: 'pick.chosen', id: third },
    { ...by, action: 'pick.refused', id: third },
    { ...by, action: 'pick.refused', id: first },
    { ...by, action: 'pick.undone' },
  ]);
  expect(JSON.stringify(entries)).not.toContain(mine.key);
});

it('shows what was chosen on signed pages, which are charged as before, and on pages of a site key', async () => {
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
    expect(Number(/s-maxage=(\d+)/.exec(after.headers.get('cache-control') ?? '')?.[1])).toBeLessThanOrEqual(
      60,
    );
  }
});

it('chooses an AI image of the account, and of no other one', async () => {
  const query = 'picks lighthouse';
  const { pick, imageId } = await record('picks beacon', mine, { provider: 'ai' });
  expect((await picks('POST', { by: other, query, pick })).status).toBe(404);
  expect((await picks('POST', { query, pick })).status).toBe(200);
  expect((await record(query)).imageId).toBe(imageId);
  expect((await record(query, other)).imageId).toBeNull();
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
