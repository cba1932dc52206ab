/** The registered client of Openverse: its token and its quota. */

import { parseSubject } from '../../../lambda/stock/subject';
import { neverAborted, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const id = 'the-id';
const secret = 'never-to-be-seen';
const clientText = JSON.stringify({ client_id: id, client_secret: secret });
const tokenPath = '/v1/auth_tokens/token/';
const query = { subject: parseSubject('lake'), orientation: 'landscape' } as const;

let nowMs = 0;
let readKey: () => Promise<string>;
let openverse: ScriptedProvider;
beforeEach(async () => {
  nowMs = 0;
  readKey = async () => clientText;
  openverse = await startScriptedProvider('openverse', { nowMs: () => nowMs, readKey: () => readKey() });
  let tokens = 0;
  openverse.answer(() => {
    const isToken = openverse.requests.at(-1)?.url.pathname === tokenPath;
    return { body: isToken ? { access_token: `token-${++tokens}`, expires_in: 36_000 } : { results: [] } };
  });
});
afterEach(() => openverse.server.stop());

const search = () => openverse.provider.search(query, neverAborted);
const listRequests = () =>
  openverse.requests.map(({ url, headers }) => [url.pathname, headers['authorization']]);

test('searches share a token of Openverse until shortly before it ends', async () => {
  for (const moment of [0, 35_000_000, 35_941_000]) {
    nowMs = moment;
    await search();
  }
  expect(listRequests()).toEqual([
    [tokenPath, undefined],
    ['/v1/images/', 'Bearer token-1'],
    ['/v1/images/', 'Bearer token-1'],
    [tokenPath, undefined],
    ['/v1/images/', 'Bearer token-2'],
  ]);
  expect(openverse.requests[0]).toMatchObject({
    method: 'POST',
    body: `client_id=${id}&client_secret=${secret}&grant_type=client_credentials`,
  });
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 100, perDay: 10_000 });
});

test('a changed client of Openverse gets a new token', async () => {
  await search();
  readKey = async () => JSON.stringify({ client_id: 'another', client_secret: secret });
  await search();
  expect(listRequests().map(([, authorization]) => authorization)).toEqual([
    undefined,
    'Bearer token-1',
    undefined,
    'Bearer token-2',
  ]);
});

test('an anonymous search of Openverse sends no token', async () => {
  readKey = async () => '';
  await search();
  expect(listRequests()).toEqual([['/v1/images/', undefined]]);
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 20, perDay: 200 });
});

test.each(['no JSON, never-to-be-seen', '{"client_secret":"never-to-be-seen"}', '[]'])(
  'a damaged client of Openverse sends no request: %s',
  async (unusable) => {
    readKey = async () => unusable;
    const failure = await search().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unauthorized' });
    expect(String((failure as Error).stack)).not.toContain(secret);
    expect(listRequests()).toEqual([]);
  },
);

test('a search that ends early does not end the token request that another waits for', async () => {
  const abort = new AbortController();
  const endedSearch = openverse.provider.search(query, abort.signal).catch(({ kind }) => kind);
  const waitingSearch = search();
  abort.abort();
  expect([await endedSearch, await waitingSearch]).toEqual(['unavailable', []]);
});

test('while its secret cannot be read, Openverse is unavailable and sends no anonymous search', async () => {
  readKey = () => Promise.reject(new Error('away'));
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 100, perDay: 10_000 });
  await expect(search()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(listRequests()).toEqual([]);
});
