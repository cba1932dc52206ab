/** The authorizer remembers a credential for a time, so that it seldom reads the table. */

import { createDeadline } from '../../lambda/base/deadline';
import { hashApiKey, hashValidKey, makeKey } from '../../lambda/credentials/api-key';
import { authorizeCredential as authorizeBy, createKeyCaches } from '../../lambda/credentials/authorize';
import type { Credential } from '../../lambda/credentials/credential';
import { getKeyReference, type StoredKey } from '../../lambda/credentials/key-store';
import { makeSignerId, parseSignerId } from '../../lambda/credentials/signer';
import type { RequestingPage } from '../../lambda/credentials/site-key';
import { createFakeApiKeys } from '../fakes/api-keys';
import { createVirtualClock } from '../fakes/clock';
import { createFakeIds } from '../fakes/ids';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeAccountId, makeKeyRecord, makeSignerRecord, makeSiteKeyRecord } from '../fakes/values';

const ids = createFakeIds();

function start(change: Partial<StoredKey> = {}) {
  const clock = createVirtualClock();
  const key = makeKey('pk', 'live', ids.makeBytes);
  const storedKey: StoredKey = {
    ...makeKeyRecord({ keyId: 'key_1', hash: hashApiKey(key), account: makeAccountId('acc_1'), plan: 'pro' }),
    ...change,
  };
  const apiKeys = createFakeApiKeys([storedKey], clock);
  const telemetry = createRecordedTelemetry();
  const services = { ...apiKeys.services, telemetry, keyCaches: createKeyCaches() };
  const authorize = (credential?: Credential) =>
    authorizeBy({ ...services, deadline: createDeadline(Infinity) }, credential);
  const ask = (text = key) => authorize({ reference: hashValidKey('pk', text), refusal: 'invalid_api_key' });
  const inMs = (ms: number) => new Date(clock.nowMs() + ms).toISOString();
  return { clock, key, storedKey, apiKeys, telemetry, authorize, ask, inMs };
}

const admitted = { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'key_1' };
const refused = { refusal: 'invalid_api_key' };
const outage = { refusal: 'service_unavailable' };

describe('authorizeCredential with a key', () => {
  test('the authorizer admits an anonymous caller without a database call', async () => {
    const { authorize, apiKeys } = start();
    expect(await authorize()).toEqual({ kind: 'anonymous' });
    expect(apiKeys.calls).toEqual([]);
  });

  test('the authorizer resolves an issued key with one read', async () => {
    const { ask, apiKeys } = start();
    expect(await ask()).toEqual(admitted);
    expect(apiKeys.calls).toEqual(['Get']);
  });

  test('the authorizer refuses malformed and conflicting credentials without a database call', async () => {
    const { authorize, ask, apiKeys } = start();
    for (const text of ['pk_live_abc', `pk_live_${'a'.repeat(38)}`, ''])
      expect(await ask(text)).toEqual(refused);
    const conflict = 'conflicting_parameters';
    expect(await authorize({ refusal: conflict })).toEqual({ refusal: conflict });
    expect(apiKeys.calls).toEqual([]);
  });

  test('the authorizer remembers an issued key for 30 seconds', async () => {
    const { ask, apiKeys, clock } = start();
    await ask();
    await clock.advance(29_999);
    await ask();
    expect(apiKeys.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await ask()).toEqual(admitted);
    expect(apiKeys.calls).toHaveLength(2);
  });

  test('the authorizer finds a key 5 seconds after it was unknown', async () => {
    const { ask, apiKeys, clock, storedKey } = start();
    const fresh = makeKey('pk', 'test', ids.makeBytes);
    expect(await ask(fresh)).toEqual(refused);
    await apiKeys.store.addKey({ ...storedKey, keyId: 'key_2', mode: 'test', hash: hashApiKey(fresh) });
    await clock.advance(4_999);
    expect(await ask(fresh)).toEqual(refused);
    expect(apiKeys.calls.filter((call) => call === 'Get')).toHaveLength(1);
    await clock.advance(1);
    expect(await ask(fresh)).toMatchObject({ kind: 'test', keyId: 'key_2' });
  });

  test('the authorizer refuses a revoked key within 60 seconds of the revocation', async () => {
    const { ask, apiKeys, clock, storedKey } = start();
    await ask();
    await apiKeys.store.changeKey(getKeyReference(storedKey), {
      revokedAt: new Date(clock.nowMs()).toISOString(),
    });
    await clock.advance(30_000);
    expect(await ask()).toEqual(refused);
  });

  test('the authorizer refuses a remembered key from the moment it expires', async () => {
    const { ask, apiKeys, clock, storedKey, inMs } = start();
    await apiKeys.store.changeKey(getKeyReference(storedKey), { expiresAt: inMs(10_000) });
    expect(await ask()).toEqual(admitted);
    await clock.advance(9_999);
    expect(await ask()).toEqual(admitted);
    await clock.advance(1);
    expect(await ask()).toEqual(refused);
    expect(apiKeys.calls.filter((call) => call === 'Get')).toHaveLength(1);
  });

  test('the authorizer admits a key only before its end', async () => {
    const nowMs = createVirtualClock().nowMs();
    const at = (ms: number) => new Date(nowMs + ms).toISOString();
    for (const change of [{ expiresAt: at(1) }, { revokedAt: at(1) }])
      expect(await start(change).ask()).toEqual(admitted);
    const over = { revokedAt: at(0) };
    for (const change of [over, { expiresAt: at(0) }, { ...over, expiresAt: at(99) }, { expiresAt: 'soon' }])
      expect(await start(change).ask()).toEqual(refused);
  });

  test('the authorizer reports a silent table as an outage', async () => {
    const { ask, apiKeys, telemetry, clock } = start();
    apiKeys.failWith(new Error('no answer'));
    expect(await ask()).toEqual(outage);
    expect(telemetry.errors).toHaveLength(1);
    apiKeys.failWith(undefined);
    await clock.advance(2_000);
    expect(await ask()).toEqual(admitted);
  });

  test('the authorizer admits a cached key during an outage until its cache entry expires', async () => {
    const { ask, apiKeys, clock } = start();
    await ask();
    apiKeys.failWith(new Error('no answer'));
    await clock.advance(29_999);
    expect(await ask()).toEqual(admitted);
    await clock.advance(1);
    expect(await ask()).toEqual(outage);
  });
});

describe('authorizeCredential with a signer', () => {
  const signer = (change: Partial<StoredKey> = {}) => {
    const started = start();
    const storedKey = makeSignerRecord({ account: makeAccountId('acc_1'), plan: 'pro', ...change });
    const sign = (id = storedKey.keyId) =>
      started.authorize({ reference: parseSignerId(id), refusal: 'invalid_signature' });
    return { ...started, storedKey, sign };
  };
  const unsigned = { refusal: 'invalid_signature' };

  test('the authorizer reads a signer once in 30 seconds', async () => {
    const { sign, apiKeys, storedKey, clock } = signer();
    await apiKeys.store.addKey(storedKey);
    const { account, keyId } = storedKey;
    expect(await sign()).toEqual({ kind: 'live', account, plan: 'pro', keyId, publishedAs: 'signer' });
    await clock.advance(29_999);
    await sign();
    expect(apiKeys.calls).toEqual(['Put', 'Get']);
  });

  test('the authorizer refuses a signer that was never made', async () =>
    expect(await signer().sign()).toEqual(unsigned));

  test('500 invented signers do not push a used one out of the authorizer’s memory', async () => {
    const { sign, apiKeys, storedKey } = signer();
    await apiKeys.store.addKey(storedKey);
    await sign();
    const invented = Array.from({ length: 6_000 }, () => makeSignerId('live', ids.makeBytes));
    for (const id of invented) await sign(id);
    const before = apiKeys.calls.length;
    expect(await sign()).toMatchObject({ kind: 'live' });
    await sign(invented.at(-500));
    expect(apiKeys.calls).toHaveLength(before);
    await sign(invented.at(-501));
    expect(apiKeys.calls).toHaveLength(before + 1);
  });
});

describe('authorizeCredential with a site key', () => {
  const site = (change: Partial<StoredKey> = {}) => {
    const started = start();
    const key = makeKey('site', 'live', ids.makeBytes);
    const storedKey = makeSiteKeyRecord({
      hash: hashApiKey(key),
      account: makeAccountId('acc_1'),
      ...change,
    });
    const load = (page: RequestingPage) =>
      started.authorize({ reference: hashValidKey('site', key), refusal: 'invalid_site_key', page });
    return { ...started, storedKey, load };
  };
  const from = (origin: string) => ({ origin, isImageLoad: true });

  test('the authorizer resolves a site key from its own page to account, plan and cap', async () => {
    const { load, apiKeys, storedKey } = site();
    await apiKeys.store.addKey(storedKey);
    const { account, plan, keyId } = storedKey;
    const expected = { kind: 'live', account, plan, keyId, publishedAs: 'site', maxPerMonth: 500 };
    expect(await load(from('https://example.com'))).toEqual(expected);
    expect(await load(from('https://www.example.com'))).toEqual(expected);
    expect(await load({ isImageLoad: true })).toEqual({ ...expected, isUnproven: true });
    expect(apiKeys.calls).toEqual(['Put', 'Get']);
  });

  test('the authorizer refuses a site key outside its origins', async () => {
    const { load, apiKeys, storedKey } = site();
    await apiKeys.store.addKey(storedKey);
    const refusedOrigin = { refusal: 'origin_not_allowed' };
    expect(await load(from('https://evil.example'))).toEqual(refusedOrigin);
    expect(await load({ isImageLoad: false })).toEqual(refusedOrigin);
  });

  test('the authorizer refuses a revoked site key from every page', async () => {
    const { load, apiKeys, storedKey } = site({ revokedAt: '2020-01-01T00:00:00.000Z' });
    await apiKeys.store.addKey(storedKey);
    for (const page of [from('https://example.com'), from('https://evil.example')])
      expect(await load(page)).toEqual({ refusal: 'invalid_site_key' });
  });
});

test('the authorizer passes on the bound of an API key to functions', async () =>
  expect(await start({ maxPerMonth: 7 }).ask()).toMatchObject({ maxPerMonth: 7 }));
