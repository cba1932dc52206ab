/** A client that is registered with Openverse: its token, and the larger budget. */

import { readSubject } from '../../../lambda/stock/subject';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const id = 'the-id';
const secret = 'never-to-be-seen';
const registered = JSON.stringify({ client_id: id, client_secret: secret });
const tokenPath = '/v1/auth_tokens/token/';
const query = { subject: readSubject('lake'), orientation: 'landscape' } as const;

let nowMs = 0;
let readKey: () => Promise<string>;
let openverse: ScriptedProvider;
beforeEach(async () => {
  nowMs = 0;
  readKey = async () => registered;
  openverse = await startScriptedProvider('openverse', { nowMs: () => nowMs, readKey: () => readKey() });
  let tokens = 0;
  openverse.answer(() => {
    const isToken = openverse.asked.at(-1)?.url.pathname === tokenPath;
    return { body: isToken ? { access_token: `token-${++tokens}`, expires_in: 36_000 } : { results: [] } };
  });
});
afterEach(() => openverse.server.stop());

const search = () => openverse.provider.search(query, never);
const sent = () => openverse.asked.map(({ url, headers }) => [url.pathname, headers['authorization']]);

test('a client of Openverse reuses its token until shortly before it expires', async () => {
  for (const moment of [0, 35_000_000, 35_941_000]) {
    nowMs = moment;
    await search();
  }
  expect(sent()).toEqual([
    [tokenPath, undefined],
    ['/v1/images/', 'Bearer token-1'],
    ['/v1/images/', 'Bearer token-1'],
    [tokenPath, undefined],
    ['/v1/images/', 'Bearer token-2'],
  ]);
  expect(openverse.asked[0]).toMatchObject({
    method: 'POST',
    body: `client_id=${id}&client_secret=${secret}&grant_type=client_credentials`,
  });
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 100, perDay: 10_000 });
});

test('a registered client of Openverse gets another token once its id or secret has changed', async () => {
  await search();
  readKey = async () => JSON.stringify({ client_id: 'another', client_secret: secret });
  await search();
  expect(sent().map(([, authorization]) => authorization)).toEqual([
    undefined,
    'Bearer token-1',
    undefined,
    'Bearer token-2',
  ]);
});

test('Openverse is searched without a token, with a smaller quota, when no client is registered', async () => {
  readKey = async () => '';
  await search();
  expect(sent()).toEqual([['/v1/images/', undefined]]);
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 20, perDay: 200 });
});

test.each(['no JSON, never-to-be-seen', '{"client_secret":"never-to-be-seen"}', '[]'])(
  'a client is refused without a request, its secret in no message, when it is %s',
  async (unusable) => {
    readKey = async () => unusable;
    const failure = await search().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unauthorized' });
    expect(String((failure as Error).stack)).not.toContain(secret);
    expect(sent()).toEqual([]);
  },
);

test('a registered client has the limits of callers without one where its secret cannot be read', async () => {
  readKey = () => Promise.reject(new Error('away'));
  expect(await openverse.provider.readQuota()).toEqual({ perMinute: 20, perDay: 200 });
});

test('a registered client of Openverse has its searches refused where Openverse refuses it', async () => {
  openverse.answer({ status: 401, body: { error: 'invalid_client' } });
  await expect(search()).rejects.toMatchObject({ kind: 'unauthorized' });
});
