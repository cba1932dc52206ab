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

function startAuthorizer(change: Partial<StoredKey> = {}) {
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
  const authorizeKey = (text = key) =>
    authorize({ reference: hashValidKey('pk', text), refusal: 'invalid_api_key' });
  const writeDateIn = (ms: number) => new Date(clock.nowMs() + ms).toISOString();
  return { clock, key, storedKey, apiKeys, telemetry, authorize, authorizeKey, writeDateIn };
}

const keyCaller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'key_1' };
const keyRefusal = { refusal: 'invalid_api_key' };
const outageRefusal = { refusal: 'service_unavailable' };

describe('authorizeCredential with a key', () => {
  test('the authorizer admits an anonymous caller without a database call', async () => {
    const { authorize, apiKeys } = startAuthorizer();
    expect(await authorize()).toEqual({ kind: 'anonymous' });
    expect(apiKeys.calls).toEqual([]);
  });

  test('the authorizer resolves an issued key with one read', async () => {
    const { authorizeKey, apiKeys } = startAuthorizer();
    expect(await authorizeKey()).toEqual(keyCaller);
    expect(apiKeys.calls).toEqual(['Get']);
  });

  test('the authorizer refuses malformed and conflicting credentials without a database call', async () => {
    const { authorize, authorizeKey, apiKeys } = startAuthorizer();
    for (const text of ['pk_live_abc', `pk_live_${'a'.repeat(38)}`, ''])
      expect(await authorizeKey(text)).toEqual(keyRefusal);
    const conflict = 'conflicting_parameters';
    expect(await authorize({ refusal: conflict })).toEqual({ refusal: conflict });
    expect(apiKeys.calls).toEqual([]);
  });

  test('the authorizer finds a key 5 seconds after it was unknown', async () => {
    const { authorizeKey, apiKeys, clock, storedKey } = startAuthorizer();
    const newKey = makeKey('pk', 'test', ids.makeBytes);
    expect(await authorizeKey(newKey)).toEqual(keyRefusal);
    await apiKeys.store.addKey({ ...storedKey, keyId: 'key_2', mode: 'test', hash: hashApiKey(newKey) });
    await clock.advance(4_999);
    expect(await authorizeKey(newKey)).toEqual(keyRefusal);
    expect(apiKeys.calls.filter((call) => call === 'Get')).toHaveLength(1);
    await clock.advance(1);
    expect(await authorizeKey(newKey)).toMatchObject({ kind: 'test', keyId: 'key_2' });
  });

  test('the authorizer refuses a revoked key within 60 seconds of the revocation', async () => {
    const { authorizeKey, apiKeys, clock, storedKey } = startAuthorizer();
    await authorizeKey();
    await apiKeys.store.changeKey(getKeyReference(storedKey), {
      revokedAt: new Date(clock.nowMs()).toISOString(),
    });
    await clock.advance(30_000);
    expect(await authorizeKey()).toEqual(keyRefusal);
  });

  test('the authorizer refuses a remembered key from the moment it expires', async () => {
    const { authorizeKey, apiKeys, clock, storedKey, writeDateIn } = startAuthorizer();
    await apiKeys.store.changeKey(getKeyReference(storedKey), { expiresAt: writeDateIn(10_000) });
    expect(await authorizeKey()).toEqual(keyCaller);
    await clock.advance(9_999);
    expect(await authorizeKey()).toEqual(keyCaller);
    await clock.advance(1);
    expect(await authorizeKey()).toEqual(keyRefusal);
    expect(apiKeys.calls.filter((call) => call === 'Get')).toHaveLength(1);
  });

  test('the authorizer admits a key only before its end', async () => {
    const nowMs = createVirtualClock().nowMs();
    const writeDate = (ms: number) => new Date(nowMs + ms).toISOString();
    for (const change of [{ expiresAt: writeDate(1) }, { revokedAt: writeDate(1) }])
      expect(await startAuthorizer(change).authorizeKey()).toEqual(keyCaller);
    const over = { revokedAt: writeDate(0) };
    const ended = [over, { expiresAt: writeDate(0) }, { ...over, expiresAt: writeDate(99) }];
    for (const change of [...ended, { expiresAt: 'soon' }])
      expect(await startAuthorizer(change).authorizeKey()).toEqual(keyRefusal);
  });

  test('the authorizer reports a silent table as an outage', async () => {
    const { authorizeKey, apiKeys, telemetry, clock } = startAuthorizer();
    apiKeys.failWith(new Error('no answer'));
    expect(await authorizeKey()).toEqual(outageRefusal);
    expect(telemetry.errors).toHaveLength(1);
    apiKeys.failWith(undefined);
    await clock.advance(2_000);
    expect(await authorizeKey()).toEqual(keyCaller);
  });

  test('the authorizer admits a cached key during an outage until its cache entry expires', async () => {
    const { authorizeKey, apiKeys, clock } = startAuthorizer();
    await authorizeKey();
    apiKeys.failWith(new Error('no answer'));
    await clock.advance(29_999);
    expect(await authorizeKey()).toEqual(keyCaller);
    await clock.advance(1);
    expect(await authorizeKey()).toEqual(outageRefusal);
  });
});

describe('authorizeCredential with a signer', () => {
  const startWithSigner = (change: Partial<StoredKey> = {}) => {
    const authorizer = startAuthorizer();
    const storedKey = makeSignerRecord({ account: makeAccountId('acc_1'), plan: 'pro', ...change });
    const sign = (id = storedKey.keyId) =>
      authorizer.authorize({ reference: parseSignerId(id), refusal: 'invalid_signature' });
    return { ...authorizer, storedKey, sign };
  };

  test('the authorizer reads a signer once in 30 seconds', async () => {
    const { sign, apiKeys, storedKey, clock } = startWithSigner();
    await apiKeys.store.addKey(storedKey);
    const { account, keyId } = storedKey;
    expect(await sign()).toEqual({ kind: 'live', account, plan: 'pro', keyId, publishedAs: 'signer' });
    await clock.advance(29_999);
    await sign();
    expect(apiKeys.calls).toEqual(['Put', 'Get']);
  });

  test('invented signers are refused, and push no used one out of the memory of the authorizer', async () => {
    const { sign, apiKeys, storedKey } = startWithSigner();
    await apiKeys.store.addKey(storedKey);
    await sign();
    const invented = Array.from({ length: 6_000 }, () => makeSignerId('live', ids.makeBytes));
    for (const id of invented) await sign(id);
    const callsBefore = apiKeys.calls.length;
    expect(await sign()).toMatchObject({ kind: 'live' });
    await sign(invented.at(-500));
    expect(apiKeys.calls).toHaveLength(callsBefore);
    expect(await sign(invented.at(-501))).toEqual({ refusal: 'invalid_signature' });
    expect(apiKeys.calls).toHaveLength(callsBefore + 1);
  });
});

describe('authorizeCredential with a site key', () => {
  const startWithSiteKey = (change: Partial<StoredKey> = {}) => {
    const authorizer = startAuthorizer();
    const key = makeKey('site', 'live', ids.makeBytes);
    const storedKey = makeSiteKeyRecord({
      hash: hashApiKey(key),
      account: makeAccountId('acc_1'),
      ...change,
    });
    const authorizePage = (page: RequestingPage) =>
      authorizer.authorize({ reference: hashValidKey('site', key), refusal: 'invalid_site_key', page });
    return { ...authorizer, storedKey, authorizePage };
  };
  const makePage = (origin: string) => ({ origin, isImageLoad: true });

  test('the authorizer resolves a site key from its own page to account, plan and cap', async () => {
    const { authorizePage, apiKeys, storedKey } = startWithSiteKey();
    await apiKeys.store.addKey(storedKey);
    const { account, plan, keyId } = storedKey;
    const expected = { kind: 'live', account, plan, keyId, publishedAs: 'site', maxPerMonth: 500 };
    expect(await authorizePage(makePage('https://example.com'))).toEqual(expected);
    expect(await authorizePage(makePage('https://www.example.com'))).toEqual(expected);
    expect(await authorizePage({ isImageLoad: true })).toEqual({ ...expected, isUnproven: true });
    expect(apiKeys.calls).toEqual(['Put', 'Get']);
  });

  test('the authorizer refuses a site key outside its origins', async () => {
    const { authorizePage, apiKeys, storedKey } = startWithSiteKey();
    await apiKeys.store.addKey(storedKey);
    const refusedOrigin = { refusal: 'origin_not_allowed' };
    expect(await authorizePage(makePage('https://evil.example'))).toEqual(refusedOrigin);
    expect(await authorizePage({ isImageLoad: false })).toEqual(refusedOrigin);
  });

  test('the authorizer refuses a revoked site key from every page', async () => {
    const { authorizePage, apiKeys, storedKey } = startWithSiteKey({ revokedAt: '2020-01-01T00:00:00.000Z' });
    await apiKeys.store.addKey(storedKey);
    for (const page of [makePage('https://example.com'), makePage('https://evil.example')])
      expect(await authorizePage(page)).toEqual({ refusal: 'invalid_site_key' });
  });
});
