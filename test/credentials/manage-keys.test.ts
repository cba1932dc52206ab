/** Credentials are issued, rotated, revoked and renamed, also by two operators at the same time. */

import { hashApiKey, hashValidKey } from '../../lambda/credentials/api-key';
import { isUsable } from '../../lambda/credentials/authorize';
import type { AccountId } from '../../lambda/credentials/caller';
import * as keyStore from '../../lambda/credentials/key-store';
import { getKeyReference } from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { parseSignerId } from '../../lambda/credentials/signer';
import { createFakeApiKeys } from '../fakes/api-keys';
import { bindServices, createKeyEndings } from '../fakes/bound';
import { createDeferred, createVirtualClock, letOthersRun } from '../fakes/clock';
import { createFakeIds } from '../fakes/ids';
import { makeAccountId, makeAllowedOrigin } from '../fakes/values';

function start() {
  const clock = createVirtualClock();
  const operator = { name: 'jane' };
  const apiKeys = createFakeApiKeys([], clock);
  const keyCalls = bindServices(
    { ...apiKeys.services, ids: createFakeIds(), readPrincipal: async () => operator.name },
    { ...manageKeys, ...keyStore },
  );
  const order = { mode: 'live', plan: 'free', name: 'shop' } as const;
  /** A new key. */
  const make = async (changes: Partial<manageKeys.KeyRequest> = {}) =>
    (await keyCalls.issueKey({ ...order, ...changes })).key;
  const keys = { ...keyCalls, ...createKeyEndings(keyCalls), make };
  const readPlans = async (account: AccountId) =>
    (await keys.readAccountKeys(account)).map(({ plan }) => plan);
  return { clock, operator, apiKeys, keys, order, readPlans };
}

const site = {
  publishedAs: 'site',
  origins: [makeAllowedOrigin('https://example.com')],
  maxPerMonth: 5,
} as const;

/** Holds the first end of an operation until it is let go. */
function hold(apiKeys: ReturnType<typeof createFakeApiKeys>, operationToHold: string) {
  const gate = createDeferred<void>();
  let isUsed = false;
  apiKeys.pauseReadsAfter((operation) => {
    if (operation !== operationToHold || isUsed) return undefined;
    isUsed = true;
    return gate.promise;
  });
  return () => gate.resolve();
}

describe('issueKey', () => {
  test('a new key is stored only as a hash, by which it is found', async () => {
    const { keys, apiKeys, order, clock } = start();
    const { secret, key } = await keys.issueKey(order);
    expect(hashValidKey('pk', secret)).toBe(key.hash);
    expect(await apiKeys.store.findKey(hashApiKey(secret))).toEqual(key);
    expect(JSON.stringify(key)).not.toContain(secret.slice(8));
    expect(key).toMatchObject({
      mode: 'live',
      plan: 'free',
      name: 'shop',
      createdAt: new Date(clock.nowMs()).toISOString(),
    });
    expect(key.account).toMatch(/^acc_[0-9a-f]{18}$/);
    expect(key.keyId).toMatch(/^key_[0-9a-f]{18}$/);
  });

  test('a new key gets the plan of its account even if all other keys are revoked', async () => {
    const { keys } = start();
    const { account } = await keys.make({ plan: 'pro' });
    const second = await keys.make({ mode: 'test', plan: 'enterprise', account });
    expect(second).toMatchObject({ account, plan: 'pro', mode: 'test' });
    for (const { keyId } of await keys.readAccountKeys(account)) await keys.revokeKey(keyId);
    expect(await keys.make({ account })).toMatchObject({ plan: 'pro' });
  });

  test('a new key gets the plan of a usable key before that of a revoked key', async () => {
    const { keys, apiKeys, order, clock } = start();
    const account = makeAccountId('acc_x');
    const first = await keys.issueKey({ ...order, account });
    await clock.advance(1_000);
    await keys.revokeKey((await keys.make({ account })).keyId);
    for (const key of [first.key, first.signer ?? first.key])
      await apiKeys.store.changeKey(getKeyReference(key), { plan: 'pro' });
    expect(await keys.make({ account })).toMatchObject({ plan: 'pro' });
  });
});

describe('issueKey with a signer', () => {
  test('the signer `default` comes with the first key of each mode', async () => {
    const { keys, order } = start();
    const first = await keys.issueKey(order);
    const { account } = first.key;
    expect(first.signer).toMatchObject({ account, mode: 'live', name: 'default', publishedAs: 'signer' });
    expect('signer' in (await keys.issueKey({ ...order, account }))).toBe(false);
    expect((await keys.issueKey({ ...order, account, mode: 'test' })).signer).toMatchObject({ mode: 'test' });
  });

  test('a signer has the plan of its account and no secret', async () => {
    const { keys, apiKeys, order } = start();
    const { account } = (await keys.issueKey({ ...order, plan: 'pro', accountName: 'Acme' })).key;
    const { secret, key } = await keys.issueKey({ ...order, account, publishedAs: 'signer' });
    const { keyId, createdAt } = key;
    expect([secret, parseSignerId(keyId)]).toEqual(['', keyId]);
    expect(key).toEqual({
      ...{ keyId, publishedAs: 'signer', mode: 'live', account, accountName: 'Acme', plan: 'pro' },
      ...{ name: 'shop', createdAt, createdBy: 'jane' },
    });
    expect(await apiKeys.store.findKey(getKeyReference(key))).toEqual(key);
  });

  test('a signer has the name of a new account before the list shows the first key', async () => {
    const { keys, apiKeys, order } = start();
    apiKeys.listWith(() => []);
    const profile = { plan: 'pro', accountName: 'Acme' } as const;
    expect((await keys.issueKey({ ...order, ...profile })).signer).toMatchObject(profile);
  });

  test('after a signer is revoked, a new key or a rotation brings no other', async () => {
    const { keys, order } = start();
    const { key, signer } = await keys.issueKey(order);
    await keys.revokeKey(signer?.keyId ?? '');
    expect(await keys.rotateKey(key.keyId, 0)).not.toHaveProperty('signer');
  });
});

test('the successor of a site key has its origins and cap', async () => {
  const { keys, apiKeys, order } = start();
  const { account } = (await keys.issueKey(order)).key;
  const { secret, key } = await keys.issueKey({ ...order, ...site, account });
  expect(hashValidKey('site', secret)).toBe(key.hash);
  expect(key).toMatchObject({ ...site, account, plan: 'free', prefix: secret.slice(0, 14) });
  expect(JSON.stringify(await apiKeys.store.findKey(hashApiKey(secret)))).not.toContain(secret);
  const successor = await keys.rotateKey(key.keyId, 60_000);
  expect(successor?.key).toMatchObject({
    ...site,
    name: 'shop',
    hash: hashValidKey('site', successor?.secret ?? ''),
  });
  expect(successor?.secret).not.toBe(secret);
});

test('the successor of a key keeps its limit', async () => {
  const { keys } = start();
  for (const [maxPerMonth, expected] of [
    [7, { maxPerMonth: 7 }],
    [undefined, expect.not.objectContaining({ maxPerMonth: expect.anything() })],
  ] as const) {
    const limitedKey = await keys.make({ maxPerMonth });
    expect(limitedKey).toMatchObject(expected);
    expect((await keys.rotateKey(limitedKey.keyId, 0))?.key).toMatchObject(expected);
  }
});

describe('setAccountProfile with a plan', () => {
  test('plan and name are set on exactly the keys of the account, revoked ones included', async () => {
    const { keys } = start();
    const { account, keyId } = await keys.make();
    await keys.make({ account });
    await keys.revokeKey(keyId);
    const otherKey = await keys.make();
    const profile = { plan: 'business', accountName: 'Zoë & Co' } as const;
    expect(await keys.setAccountProfile(account, profile)).toBe(2);
    expect(await keys.readAccountKeys(account)).toMatchObject(Array(3).fill(profile));
    expect(await keys.findKeyById(otherKey.keyId)).toEqual(otherKey);
  });

  test.each<[string, string, 'issuing' | 'setting']>([
    ['is being issued: set after the plan was read, before the key was added', 'Get', 'issuing'],
    ['is being issued: set after the keys were listed', 'Query', 'issuing'],
    ['is added after the keys were listed, before they were changed', 'Query', 'setting'],
    ['is issued while the first key is being changed', 'Update', 'setting'],
  ])('setting a plan reaches a key that %s', async (_, operationToHold, first) => {
    const { keys, apiKeys, clock, readPlans } = start();
    const { account } = await keys.make();
    await clock.advance(1_000);
    const release = hold(apiKeys, operationToHold);
    const set = () => keys.setAccountProfile(account, { plan: 'pro', accountName: 'Acme' });
    const issue = () => keys.make({ account });
    const changes = [first === 'issuing' ? issue() : set()];
    await letOthersRun();
    changes.push(first === 'issuing' ? set() : issue());
    await letOthersRun();
    release();
    await Promise.all(changes);
    expect(await readPlans(account)).toEqual(Array(3).fill('pro'));
    for (const key of await keys.readAccountKeys(account)) expect(key.accountName).toBe('Acme');
  });

  test('setting a plan passes over a key that was deleted after the keys were listed', async () => {
    const { keys, apiKeys } = start();
    const { account, keyId } = await keys.make();
    const deleted = { ...(await keys.make({ account })), hash: hashApiKey('deleted'), keyId: 'key_deleted' };
    const listed = [deleted, ...(await apiKeys.store.readAccountKeys(account))];
    apiKeys.listWith(() => listed);
    await keys.setAccountProfile(account, { plan: 'pro' });
    expect(await keys.findKeyById(keyId)).toMatchObject({ plan: 'pro' });
  });

  test('setting a plan reaches a key that is issued while the list lags behind', async () => {
    const { keys, apiKeys } = start();
    const { account } = await keys.make();
    const laggingKeys = await apiKeys.store.readAccountKeys(account);
    await keys.setAccountProfile(account, { plan: 'pro' });
    let reads = 0;
    apiKeys.listWith(() => {
      if (++reads > 5) throw new Error('It reads the list for ever');
      return laggingKeys;
    });
    expect(await keys.make({ account })).toMatchObject({ plan: 'pro' });
    expect(await keys.setAccountProfile(account, { plan: 'business' })).toBe(1);
  });
});

describe('rotateKey', () => {
  test('a rotated key is valid until its overlap ends', async () => {
    const { keys, order, clock } = start();
    const old = (await keys.issueKey({ ...order, mode: 'test', plan: 'pro' })).key;
    const successor = await keys.rotateKey(old.keyId, 60_000);
    expect(successor?.key).toMatchObject({ mode: 'test', plan: 'pro', name: 'shop', account: old.account });
    expect(successor?.key.keyId).not.toBe(old.keyId);
    const ending = await keys.findKeyById(old.keyId);
    if (!ending) throw new Error('The old key is gone.');
    expect(isUsable(ending, clock.nowMs() + 59_999)).toBe(true);
    expect(isUsable(ending, clock.nowMs() + 60_000)).toBe(false);
    expect(successor && isUsable(successor.key, clock.nowMs() + 60_000)).toBe(true);
  });

  test('a rotation never extends the life of a key', async () => {
    const { keys, clock } = start();
    const { keyId } = await keys.make();
    const computeMsLeft = async (overlapMs: number) => {
      await keys.rotateKey(keyId, overlapMs);
      return Date.parse((await keys.findKeyById(keyId))?.expiresAt ?? '') - clock.nowMs();
    };
    expect([await computeMsLeft(1_000), await computeMsLeft(60_000), await computeMsLeft(0)]).toEqual([
      1_000, 1_000, 0,
    ]);
  });
});

describe('setAccountProfile with a name', () => {
  const named = { plan: 'pro', accountName: 'Acme' } as const;

  test('later keys of an account take the name that its first key was given', async () => {
    const { keys } = start();
    const { account, keyId } = await keys.make(named);
    const second = await keys.make({ mode: 'test', account });
    const third = await keys.rotateKey(keyId, 1_000);
    for (const key of [second, third?.key]) expect(key).toMatchObject({ account, accountName: 'Acme' });
  });

  test('a later key does not name its account', async () => {
    const { keys } = start();
    const key = await keys.make();
    const later = await keys.make({ ...named, account: key.account });
    for (const issued of [key, later]) expect(issued).not.toHaveProperty('accountName');
  });
});

test('a revoked key keeps the date of its first revocation', async () => {
  const { keys, clock } = start();
  const { keyId } = await keys.make();
  const first = await keys.revokeKey(keyId);
  expect(first && isUsable(first, clock.nowMs())).toBe(false);
  await clock.advance(5_000);
  expect(await keys.revokeKey(keyId)).toEqual(first);
  expect(await keys.findKeyById(keyId)).toEqual(first);
});

describe('the principal of a change', () => {
  test('each credential names who made it and who changed it last', async () => {
    const { clock, operator, keys, order } = start();
    const { key, signer } = await keys.issueKey(order);
    const { account, keyId } = key;
    const siteKey = await keys.issueKey({ ...order, ...site, account });
    for (const credential of [key, signer, siteKey.key]) {
      expect(credential).toMatchObject({ createdBy: 'jane' });
      expect(credential).not.toHaveProperty('changedAt');
    }
    operator.name = 'john';
    await clock.advance(1_000);
    const changedAt = new Date(clock.nowMs()).toISOString();
    const successor = await keys.rotateKey(keyId, 3_600_000);
    expect(successor?.key).toMatchObject({ createdAt: changedAt, createdBy: 'john' });
    expect(await keys.findKeyById(keyId)).toMatchObject({ createdBy: 'jane', changedAt, changedBy: 'john' });
    expect(await keys.revokeKey(siteKey.key.keyId)).toMatchObject({
      createdBy: 'jane',
      revokedAt: changedAt,
      changedAt,
      changedBy: 'john',
    });
  });

  test('a key names who changed its plan last', async () => {
    const { clock, operator, keys } = start();
    const { account } = await keys.make();
    await keys.setAccountProfile(account, { accountName: 'Example' });
    operator.name = 'john';
    await clock.advance(1_000);
    await keys.setAccountProfile(account, { plan: 'pro' });
    const changedAt = new Date(clock.nowMs()).toISOString();
    for (const key of await keys.readAccountKeys(account))
      expect(key).toMatchObject({ createdBy: 'jane', changedAt, changedBy: 'john' });
  });

  test('nothing is changed while the principal is unknown', async () => {
    const { keys, order, operator } = start();
    const { keyId } = (await keys.issueKey(order)).key;
    Object.defineProperty(operator, 'name', {
      get: () => {
        throw new Error('no identity');
      },
    });
    await expect(keys.revokeKey(keyId)).rejects.toThrow('no identity');
    await expect(keys.issueKey(order)).rejects.toThrow('no identity');
    expect(await keys.findKeyById(keyId)).not.toHaveProperty('revokedAt');
    const storedKeys = [];
    for await (const key of keys.readAllKeys()) storedKeys.push(key);
    expect(storedKeys).toHaveLength(2);
  });
});
