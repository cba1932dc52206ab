/** The credentials of an account over HTTP: what its owner may do with them, and every refusal. */

import { computeDayWindow } from '../../../lambda/base/window';
import { defaultPlans } from '../../../lambda/contract/plans';
import { hashValidKey } from '../../../lambda/credentials/api-key';
import { issueKey, revokeKey } from '../../../lambda/credentials/manage-keys';
import { createApiHandler } from '../../../lambda/functions/api/handler';
import { recordUsage } from '../../../lambda/quota/usage/usage';
import { createFakeApiKeys } from '../../fakes/api-keys';
import { createVirtualClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createScriptedServices } from '../../fakes/image-services';
import { createRecordedTelemetry } from '../../fakes/telemetry';
import { makeAllowedOrigin } from '../../fakes/values';
import { makeProxyEvent } from './proxy-event';

const hourMs = 3_600_000;

async function start() {
  const clock = createVirtualClock();
  const apiKeys = createFakeApiKeys([], clock);
  const ids = createFakeIds();
  const operator = { ...apiKeys.services, clock, ids, readPrincipal: async () => 'operator' };
  const first = await issueKey(operator, { mode: 'live', plan: 'free', name: 'first' });
  const { account } = first.key;
  const telemetry = createRecordedTelemetry();
  const { services, limits } = createScriptedServices({}, { apiKeys, clock, ids, telemetry });
  const countCalls = () => limits.calls.filter(({ operation }) => operation === 'take').length;
  const handler = createApiHandler(services);
  const caller = { caller: 'live', account, plan: 'free', keyId: first.key.keyId, role: 'owner' };
  interface SendOptions {
    readonly callerFields?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly bodyText?: string;
  }
  const send = async (method: string, below = '', body?: object, options: SendOptions = {}) => {
    const [, id, verb] = below.split('/');
    const resource = `/api/keys${id ? '/{id}' : ''}${verb ? `/${verb}` : ''}`;
    const text = options.bodyText ?? (body && JSON.stringify(body));
    const answer = await handler({
      ...makeProxyEvent({
        method,
        headers: { ...(text !== undefined && { 'Content-Type': 'application/json' }), ...options.headers },
        context: { ...caller, ...options.callerFields },
      }),
      resource,
      path: `/api/keys${below}`,
      pathParameters: id ? { id } : null,
      body: text ?? null,
    });
    expect(answer.headers?.['Cache-Control']).toBe('no-store');
    return { status: answer.statusCode, json: JSON.parse(answer.body), body: answer.body };
  };
  return {
    clock,
    apiKeys,
    operator,
    first,
    account,
    telemetry,
    counted: countCalls,
    caller,
    send,
    services,
  };
}

const makeRefusal = (status: number, code: string) => ({ status, json: { code } });

test('only the first live key of an account owns it without being told', async () => {
  const { operator, first, account } = await start();
  const keyRequest = { mode: 'live', plan: 'free', name: 'x', account } as const;
  expect(first.key.role).toBe('owner');
  expect((await issueKey(operator, keyRequest)).key.role).toBeUndefined();
  expect((await issueKey(operator, { ...keyRequest, role: 'owner' })).key.role).toBe('owner');
  const test = await issueKey(operator, { mode: 'test', plan: 'free', name: 'x' });
  expect(test.key.role).toBeUndefined();
  const testKeyRequest = { ...keyRequest, account: test.key.account };
  // A live signer is no key that could own the account.
  await issueKey(operator, { ...testKeyRequest, publishedAs: 'signer' });
  const live = await issueKey(operator, testKeyRequest);
  expect(live.key.role).toBe('owner');
  const member = await issueKey(operator, { mode: 'live', plan: 'free', name: 'x', role: 'member' });
  expect(member.key.role).toBeUndefined();
});

test('a list names every credential of the account and no secret', async () => {
  const { send, first, counted } = await start();
  const { status, json, body } = await send('GET');
  expect(status).toBe(200);
  expect(json.keys).toEqual([
    {
      id: first.key.keyId,
      name: 'first',
      kind: 'api',
      mode: 'live',
      role: 'owner',
      prefix: first.secret.slice(0, 12),
      createdAt: first.key.createdAt,
      lastUsedOn: null,
      revokedAt: null,
      expiresAt: null,
      origins: null,
      maxPerMonth: null,
    },
    expect.objectContaining({
      id: first.signer?.keyId,
      kind: 'signer',
      role: null,
      prefix: first.signer?.keyId,
    }),
  ]);
  expect(body).not.toContain(first.secret);
  expect(body).not.toContain(String(first.key.hash));
  expect(counted()).toBe(1);
});

test('the list of keys names the last day of use within 31 days, where the plan counts it', async () => {
  const { send, services, first, clock } = await start();
  const { account, keyId } = first.key;
  const keyHolder = { kind: 'live', account, plan: 'pro', keyId } as const;
  const free = { source: 'ai', cache: 'HIT', isFree: true } as const;
  const request = { requestId: 'r', startedMs: clock.nowMs() };
  await recordUsage(services, defaultPlans, keyHolder, request, [free]);
  const { label: day } = computeDayWindow(clock.nowMs());
  const readLastUse = async (plan = 'pro') =>
    (await send('GET', '', undefined, { callerFields: { plan } })).json.keys[0].lastUsedOn;
  expect([await readLastUse(), await readLastUse('free')]).toEqual([day, null]);
  await clock.advance(30 * 24 * hourMs);
  expect(await readLastUse()).toBe(day);
  await clock.advance(24 * hourMs);
  expect(await readLastUse()).toBeNull();
});

test('the secret of a new credential is only in the response that creates it', async () => {
  const { send, apiKeys, telemetry } = await start();
  const api = await send('POST', '', { name: ' web shop ', maxPerMonth: 5 });
  expect(api).toMatchObject({
    status: 201,
    json: { name: 'web shop', kind: 'api', mode: 'live', role: 'member', maxPerMonth: 5 },
  });
  expect(await apiKeys.store.findKey(hashValidKey('pk', api.json.secret) as never)).toMatchObject({
    keyId: api.json.id,
    createdBy: expect.stringMatching(/^key_/),
  });
  const site = await send('POST', '', {
    name: 'blog',
    kind: 'site',
    mode: 'test',
    origins: ['https://Example.com/', 'http://localhost:*'],
    maxPerMonth: 100,
  });
  expect(site).toMatchObject({
    status: 201,
    json: { role: null, origins: ['https://example.com', 'http://localhost:*'], maxPerMonth: 100 },
  });
  expect(hashValidKey('site', site.json.secret)).toBeDefined();
  const signer = await send('POST', '', { name: 'build', kind: 'signer' });
  expect(signer.json.secret).toMatch(/^sgs_live_/);
  const { body } = await send('GET');
  for (const { json } of [api, site, signer]) {
    expect(body).toContain(json.id);
    expect(body).not.toContain(json.secret);
    expect(JSON.stringify(telemetry)).not.toContain(json.secret);
  }
});

test('a key can be renamed and replaced by one of its role', async () => {
  const { send, first, clock } = await start();
  const below = `/${first.key.keyId}`;
  expect(await send('PATCH', below, { name: 'shop' })).toMatchObject({ status: 200, json: { name: 'shop' } });
  const next = await send('POST', `${below}/rotate`);
  expect(next).toMatchObject({ status: 201, json: { name: 'shop', role: 'owner' } });
  expect(next.json.secret).not.toBe(first.secret);
  const { json } = await send('GET');
  const computeEnd = (days: number) => new Date(clock.nowMs() + days * 24 * hourMs).toISOString();
  expect(json.keys[0]).toMatchObject({ id: first.key.keyId, expiresAt: computeEnd(7) });
  const signer = await send('POST', `/${first.signer?.keyId}/rotate`, { overlapDays: 0 });
  expect(signer.json.secret).toMatch(/^sgs_live_/);
  expect((await send('POST', `/${first.signer?.keyId}/rotate`)).status).toBe(400);
});

test('a new key is in the list and can be renamed at once, though the index lags behind', async () => {
  const { send, apiKeys, first, clock } = await start();
  const earlier = await apiKeys.store.readAccountKeys(first.key.account);
  let laggingReads = 5;
  apiKeys.listWith(() => (laggingReads-- > 0 ? earlier : undefined));
  const { json } = await clock.settle(send('POST', '', { name: 'shop' }));
  expect((await send('PATCH', `/${json.id}`, { name: 'web shop' })).status).toBe(200);
  expect((await send('GET')).json.keys).toContainEqual(expect.objectContaining({ name: 'web shop' }));
});

test('the secret of a new key is returned though its list never shows it', async () => {
  const { send, apiKeys, clock } = await start();
  apiKeys.listWith(() => []);
  expect((await clock.settle(send('POST', '', { name: 'shop' }))).json.secret).toMatch(/^pk_live_/);
});

test('a list shows a revocation at once, though the index lags behind', async () => {
  const { send, apiKeys, first } = await start();
  const { json } = await send('POST', '', { name: 'shop' });
  const earlier = await apiKeys.store.readAccountKeys(first.key.account);
  apiKeys.listWith(() => earlier);
  await send('DELETE', `/${json.id}`);
  const listedKey = (await send('GET')).json.keys.find(({ id }: { readonly id: string }) => id === json.id);
  expect(listedKey.revokedAt).not.toBeNull();
});

test('the last owner without an end stays, also where two revoke each other at once', async () => {
  const { send, first, apiKeys, caller } = await start();
  const one = first.key.keyId;
  expect(await send('DELETE', `/${one}`)).toMatchObject(makeRefusal(409, 'last_owner'));
  const ending = await send('POST', `/${one}/rotate`);
  expect((await send('DELETE', `/${ending.json.id}`)).json.code).toBe('last_owner');
  const secondOwner = await send('POST', '', { name: 'second', role: 'owner' });
  const two = secondOwner.json.id as string;
  expect((await send('DELETE', `/${ending.json.id}`)).status).toBe(200);
  const third = await send('POST', '', { name: 'third', role: 'owner' });
  const answers = await Promise.all([
    send('DELETE', `/${two}`, undefined, { callerFields: { ...caller, keyId: third.json.id } }),
    send('DELETE', `/${third.json.id}`, undefined, { callerFields: { ...caller, keyId: two } }),
  ]);
  expect(answers.map(({ status }) => status)).toContain(409);
  const owners = (await apiKeys.store.readAccountKeys(first.key.account)).filter(
    ({ role, revokedAt, expiresAt }) => role === 'owner' && !revokedAt && !expiresAt,
  );
  expect(owners.length).toBeGreaterThan(0);
});

test('a revoked owner key stays revoked where the account has no other owner key left', async () => {
  const { send, first, operator } = await start();
  const leaked = await send('POST', '', { name: 'leaked', role: 'owner' });
  const revoked = await send('DELETE', `/${leaked.json.id}`);
  await revokeKey(operator, first.key);
  expect(await send('DELETE', `/${leaked.json.id}`)).toMatchObject({ status: 200, json: revoked.json });
});

test('an account has at most 50 active credentials, replaced ones included until they end', async () => {
  const { send, first, clock } = await start();
  const ids: string[] = [];
  for (let i = 2; i < 50; i++) {
    // Thirty requests of an account are answered in a minute.
    await clock.advance(3_000);
    ids.push((await send('POST', '', { name: `${i}` })).json.id);
  }
  await clock.advance(60_000);
  const last = ids.at(-1) as string;
  expect(await send('POST', '', { name: '51' })).toMatchObject(makeRefusal(409, 'too_many_keys'));
  expect(await send('POST', `/${last}/rotate`)).toMatchObject(makeRefusal(409, 'too_many_keys'));
  expect((await send('POST', `/${last}/rotate`, { overlapDays: 0 })).status).toBe(201);
  expect((await send('DELETE', `/${first.signer?.keyId}`)).status).toBe(200);
  // The first test key comes with a signer.
  expect(await send('POST', '', { name: 'x', mode: 'test' })).toMatchObject(
    makeRefusal(409, 'too_many_keys'),
  );
  expect((await send('POST', '', { name: '50' })).status).toBe(201);
});

test.each<[string, Readonly<Record<string, string>>, number, string]>([
  ['no key', { caller: 'anonymous' }, 401, 'authentication_required'],
  ['the role of a member', { role: '' }, 403, 'credential_not_allowed'],
  ['a test key', { caller: 'test' }, 403, 'credential_not_allowed'],
  ['a published credential', { publishedAs: 'signer' }, 403, 'credential_not_allowed'],
])('a caller with %s can read and change nothing', async (_, callerFields, status, code) => {
  const { send, first, counted } = await start();
  for (const [method, below] of [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${first.key.keyId}`],
    ['DELETE', `/${first.key.keyId}`],
    ['POST', `/${first.key.keyId}/rotate`],
  ] as const)
    expect(await send(method, below, { name: 'x' }, { callerFields })).toMatchObject(
      makeRefusal(status, code),
    );
  expect(counted()).toBe(0);
});

test('a page of another site is refused, one of the service is not', async () => {
  const { send } = await start();
  const askFrom = (origin: string) => send('GET', '', undefined, { headers: { Origin: origin } });
  expect(await askFrom('https://evil.example')).toMatchObject(makeRefusal(403, 'origin_not_allowed'));
  expect(await askFrom('null')).toMatchObject(makeRefusal(403, 'origin_not_allowed'));
  expect((await askFrom('https://api.example.org')).status).toBe(200);
});

test('an id of another account is as unknown as one of none', async () => {
  const { send, operator } = await start();
  const foreignKey = await issueKey(operator, { mode: 'live', plan: 'free', name: 'foreign' });
  const keyRequest = { mode: 'live', plan: 'free', name: 'x', account: foreignKey.key.account } as const;
  const site = await issueKey(operator, {
    publishedAs: 'site',
    ...keyRequest,
    origins: [makeAllowedOrigin('https://a.example')],
    maxPerMonth: 1,
  });
  for (const id of [foreignKey.key.keyId, site.key.keyId, 'key_none'])
    for (const [method, verb] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      expect(await send(method, `/${id}${verb}`, { name: 'x' })).toMatchObject(makeRefusal(404, 'not_found'));
});

test.each<[object, string]>([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ name: 5 }, 'name'],
  [{ name: 'x', kind: 'key' }, 'kind'],
  [{ name: 'x', mode: 'prod' }, 'mode'],
  [{ name: 'x', role: 'admin' }, 'role'],
  [{ name: 'x', role: 'owner', mode: 'test' }, 'role'],
  [{ name: 'x', role: 'owner', kind: 'signer' }, 'role'],
  [{ name: 'x', origins: ['https://a.example'] }, 'origins'],
  [{ name: 'x', kind: 'site', maxPerMonth: 5 }, 'origins'],
  [{ name: 'x', kind: 'site', maxPerMonth: 5, origins: [] }, 'origins'],
  [{ name: 'x', kind: 'site', maxPerMonth: 5, origins: ['https://a.example', 'a.example'] }, 'origins[1]'],
  [{ name: 'x', kind: 'site', maxPerMonth: 5, origins: ['http://localhost:*'] }, 'origins[0]'],
  [{ name: 'x', kind: 'site', origins: ['https://a.example'] }, 'maxPerMonth'],
  [{ name: 'x', maxPerMonth: 0 }, 'maxPerMonth'],
  [{ name: 'x', maxPerMonth: 1.5 }, 'maxPerMonth'],
  [{ name: 'x', kind: 'signer', maxPerMonth: 5 }, 'maxPerMonth'],
  [[], 'body'],
])('the refusal of a new key, row %#, names the faulty field', async (body, parameter) => {
  const { send } = await start();
  const { status, json } = await send('POST', '', body);
  expect([status, json.parameters[0].parameter]).toEqual([400, parameter]);
  expect((await send('GET')).json.keys).toHaveLength(2);
});

test('other bodies are refused as those of every route', async () => {
  const { send, first } = await start();
  const below = `/${first.key.keyId}`;
  const large = { name: 'x'.repeat(10_000) };
  expect(await send('POST', '', large)).toMatchObject(makeRefusal(413, 'content_too_large'));
  expect(await send('POST', '', undefined, { bodyText: '{' })).toMatchObject(
    makeRefusal(400, 'invalid_parameter'),
  );
  const plainText = { bodyText: '{}', headers: { 'Content-Type': 'text/plain' } };
  expect(await send('PATCH', below, undefined, plainText)).toMatchObject(
    makeRefusal(415, 'unsupported_media_type'),
  );
  for (const overlapDays of [-1, 31, 1.5, '7'])
    expect((await send('POST', `${below}/rotate`, { overlapDays })).json.parameters).toMatchObject([
      { parameter: 'overlapDays' },
    ]);
  expect(await send('PUT', below, { name: 'x' })).toMatchObject(makeRefusal(405, 'method_not_allowed'));
});

test('an account may ask thirty times a minute', async () => {
  const { send, clock } = await start();
  for (let i = 0; i < 30; i++) expect((await send('GET')).status).toBe(200);
  const beyond = await send('GET');
  expect(beyond).toMatchObject(makeRefusal(429, 'rate_limited'));
  expect(beyond.json.detail).toContain('The limit of 30 requests for usage and keys per minute');
  expect(await send('POST', '', { name: 'x' })).toMatchObject(makeRefusal(429, 'rate_limited'));
  await clock.advance(60_000);
  expect((await send('GET')).json.keys).toHaveLength(2);
});
