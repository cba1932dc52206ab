/** The owner of a key: how often the table is read, and how soon a change takes effect. */

import { deadlineAt } from '../../lambda/base/deadline';
import { hashApiKey, makeApiKey } from '../../lambda/credentials/api-key';
import { type KeyRecord, refOf } from '../../lambda/credentials/api-keys';
import { authorize as authorizeBy, noKnownKeys } from '../../lambda/credentials/authorize';
import type { Credential } from '../../lambda/credentials/credential';
import { makeSignerId } from '../../lambda/credentials/signer';
import { makeSiteKey, type RequestingPage } from '../../lambda/credentials/site-key';
import { createFakeApiKeys } from '../fakes/api-keys';
import { accountId } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { newSigner, newSiteKey } from '../fakes/key-records';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const ids = createFakeIds();

function start(change: Partial<KeyRecord> = {}) {
  const clock = createVirtualClock();
  const key = makeApiKey('live', ids.bytes);
  const record: KeyRecord = {
    keyId: 'key_1',
    hash: hashApiKey(key),
    mode: 'live',
    account: accountId('acc_1'),
    plan: 'pro',
    name: 'shop',
    createdAt: new Date(clock.nowMs()).toISOString(),
    createdBy: 'jane',
    ...change,
  };
  const apiKeys = createFakeApiKeys([record], clock);
  const telemetry = createRecordedTelemetry();
  const services = { ...apiKeys.services, telemetry, knownKeys: noKnownKeys() };
  const authorize = (credential: Credential) =>
    authorizeBy({ ...services, deadline: deadlineAt(Infinity) }, credential);
  const ask = (text = key) => authorize({ kind: 'key', from: 'header', key: text });
  const inMs = (ms: number) => new Date(clock.nowMs() + ms).toISOString();
  return { clock, key, record, apiKeys, telemetry, authorize, ask, inMs };
}

const admitted = {
  outcome: 'known',
  caller: { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'key_1' },
};
const refused = { outcome: 'refused', code: 'invalid_api_key' };

describe('authorising', () => {
  it('admits an anonymous caller without a database call', async () => {
    const { authorize, apiKeys } = start();
    expect(await authorize({ kind: 'none' })).toEqual({ outcome: 'known', caller: { kind: 'anonymous' } });
    expect(apiKeys.calls).toEqual([]);
  });

  it('resolves an issued key with one read', async () => {
    const { ask, apiKeys } = start();
    expect(await ask()).toEqual(admitted);
    expect(apiKeys.calls).toEqual(['find']);
  });

  it.each<[string, Credential]>([
    ['an authorization that is no bearer token', { kind: 'unreadable' }],
    ['a mistyped key', { kind: 'key', from: 'query', key: 'pk_live_abc' }],
    ['an invented key', { kind: 'key', from: 'header', key: `pk_live_${'a'.repeat(38)}` }],
    ['an empty key', { kind: 'key', from: 'header', key: '' }],
  ])('refuses %s without a question', async (_, credential) => {
    const { authorize, apiKeys } = start();
    expect(await authorize(credential)).toEqual(refused);
    expect(apiKeys.calls).toEqual([]);
  });

  it('remembers an issued key for 30 seconds and not longer', async () => {
    const { ask, apiKeys, clock } = start();
    await ask();
    await clock.advance(29_999);
    await ask();
    expect(apiKeys.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await ask()).toEqual(admitted);
    expect(apiKeys.calls).toHaveLength(2);
  });

  it('caches an unknown key for 5 seconds, then finds it once it is issued', async () => {
    const { ask, apiKeys, clock, record } = start();
    const fresh = makeApiKey('test', ids.bytes);
    expect(await ask(fresh)).toEqual(refused);
    await apiKeys.add({ ...record, keyId: 'key_2', mode: 'test', hash: hashApiKey(fresh) });
    await clock.advance(4_999);
    expect(await ask(fresh)).toEqual(refused);
    expect(apiKeys.calls.filter((call) => call === 'find')).toHaveLength(1);
    await clock.advance(1);
    expect(await ask(fresh)).toMatchObject({ outcome: 'known', caller: { kind: 'test', keyId: 'key_2' } });
  });

  it('refuses a revoked key within 60 seconds of the revocation', async () => {
    const { ask, apiKeys, clock, record } = start();
    await ask();
    await apiKeys.change(refOf(record), { revokedAt: new Date(clock.nowMs()).toISOString() });
    await clock.advance(30_000);
    expect(await ask()).toEqual(refused);
  });

  it('refuses a key the moment it expires, though it is remembered as issued', async () => {
    const { ask, apiKeys, clock, record, inMs } = start();
    await apiKeys.change(refOf(record), { expiresAt: inMs(10_000) });
    expect(await ask()).toEqual(admitted);
    await clock.advance(9_999);
    expect(await ask()).toEqual(admitted);
    await clock.advance(1);
    expect(await ask()).toEqual(refused);
    expect(apiKeys.calls.filter((call) => call === 'find')).toHaveLength(1);
  });

  it('admits a key whose end still lies ahead, and refuses one with an end that is past or unreadable', async () => {
    const nowMs = createVirtualClock().nowMs();
    const at = (ms: number) => new Date(nowMs + ms).toISOString();
    expect(await start({ expiresAt: at(1) }).ask()).toEqual(admitted);
    expect(await start({ revokedAt: at(1) }).ask()).toEqual(admitted);
    expect(await start({ expiresAt: at(0) }).ask()).toEqual(refused);
    expect(await start({ revokedAt: at(0) }).ask()).toEqual(refused);
    expect(await start({ revokedAt: at(0), expiresAt: at(99) }).ask()).toEqual(refused);
    expect(await start({ expiresAt: 'soon' }).ask()).toEqual(refused);
  });

  it('reports a table that does not respond as an outage, and retries with the next request', async () => {
    const { ask, apiKeys, telemetry, clock } = start();
    apiKeys.failWith(new Error('no answer'));
    expect(await ask()).toEqual({ outcome: 'outage' });
    expect(telemetry.errors).toHaveLength(1);
    apiKeys.failWith(undefined);
    await clock.advance(2_000);
    expect(await ask()).toEqual(admitted);
  });

  it('admits a cached key during an outage until its cache entry expires', async () => {
    const { ask, apiKeys, clock } = start();
    await ask();
    apiKeys.failWith(new Error('no answer'));
    await clock.advance(29_999);
    expect(await ask()).toEqual(admitted);
    await clock.advance(1);
    expect(await ask()).toEqual({ outcome: 'outage' });
  });
});

describe('authorising a signer', () => {
  const signer = (change: Partial<KeyRecord> = {}) => {
    const started = start();
    const record = newSigner({ account: accountId('acc_1'), plan: 'pro', ...change });
    const sign = (id = record.keyId) => started.authorize({ kind: 'signer', id });
    return { ...started, record, sign };
  };
  const unsigned = { outcome: 'refused', code: 'invalid_signature' };

  it('resolves its account and plan with one read, and remembers them for 30 seconds', async () => {
    const { sign, apiKeys, record, clock } = signer();
    await apiKeys.add(record);
    const expected = {
      kind: 'live',
      account: record.account,
      plan: 'pro',
      keyId: record.keyId,
      publishedAs: 'signer',
    };
    expect(await sign()).toEqual({ outcome: 'known', caller: expected });
    await clock.advance(29_999);
    await sign();
    expect(apiKeys.calls).toEqual(['add', 'find']);
  });

  it.each(['revokedAt', 'expiresAt'] as const)('refuses one whose %s is past', async (end) => {
    const { sign, apiKeys, record } = signer({ [end]: '2020-01-01T00:00:00.000Z' });
    await apiKeys.add(record);
    expect(await sign()).toEqual(unsigned);
  });

  it('refuses one that was never made, and reads nothing for what is no id', async () => {
    const { sign, apiKeys } = signer();
    expect(await sign()).toEqual(unsigned);
    expect(apiKeys.calls).toEqual(['find']);
    for (const id of ['', 'sg_live_short', 'pk_live_x']) expect(await sign(id)).toEqual(unsigned);
    expect(apiKeys.calls).toEqual(['find']);
  });

  it('forgets none that is in use for the sake of invented ones, of which it remembers 500', async () => {
    const { sign, apiKeys, record } = signer();
    await apiKeys.add(record);
    await sign();
    const invented = Array.from({ length: 6_000 }, () => makeSignerId('live', ids.bytes));
    for (const id of invented) await sign(id);
    const before = apiKeys.calls.length;
    expect(await sign()).toMatchObject({ outcome: 'known' });
    await sign(invented.at(-500));
    expect(apiKeys.calls).toHaveLength(before);
    await sign(invented.at(-501));
    expect(apiKeys.calls).toHaveLength(before + 1);
  });
});

describe('authorising a site key', () => {
  const site = (change: Partial<KeyRecord> = {}) => {
    const started = start();
    const key = makeSiteKey('live', ids.bytes);
    const record = newSiteKey({ hash: hashApiKey(key), account: accountId('acc_1'), ...change });
    const load = (page: RequestingPage, text = key) => started.authorize({ kind: 'site', key: text, page });
    return { ...started, record, load };
  };
  const from = (origin: string) => ({ origin, isImageLoad: true });

  it('resolves its account, plan and cap from a page of its own', async () => {
    const { load, apiKeys, record } = site();
    await apiKeys.add(record);
    const { account, plan, keyId } = record;
    const expected = { kind: 'live', account, plan, keyId, publishedAs: 'site', maxPerMonth: 500 };
    expect(await load(from('https://example.com'))).toEqual({ outcome: 'known', caller: expected });
    expect(await load(from('https://www.example.com'))).toEqual({ outcome: 'known', caller: expected });
    expect(await load({ isImageLoad: true })).toEqual({
      outcome: 'known',
      caller: { ...expected, isUnproven: true },
    });
    expect(apiKeys.calls).toEqual(['add', 'find']);
  });

  it('refuses another page, and a program', async () => {
    const { load, apiKeys, record } = site();
    await apiKeys.add(record);
    const refusedOrigin = { outcome: 'refused', code: 'origin_not_allowed' };
    expect(await load(from('https://evil.example'))).toEqual(refusedOrigin);
    expect(await load({ isImageLoad: false })).toEqual(refusedOrigin);
  });

  it('refuses a revoked key from every page alike, and a mistyped one without a question', async () => {
    const { load, apiKeys, record } = site({ revokedAt: '2020-01-01T00:00:00.000Z' });
    await apiKeys.add(record);
    for (const page of [from('https://example.com'), from('https://evil.example')])
      expect(await load(page)).toEqual({ outcome: 'refused', code: 'invalid_site_key' });
    const reads = apiKeys.calls.length;
    expect(await load(from('https://example.com'), 'site_live_x')).toMatchObject({
      code: 'invalid_site_key',
    });
    expect(apiKeys.calls).toHaveLength(reads);
  });
});

it('passes on the bound of an API key, and refuses credentials of two kinds', async () => {
  const bound = start({ maxPerMonth: 7 });
  expect(await bound.ask()).toMatchObject({ caller: { maxPerMonth: 7 } });
  expect(await bound.authorize({ kind: 'conflicting' })).toEqual({
    outcome: 'refused',
    code: 'conflicting_parameters',
  });
});
