/** Keys, signers and site keys: managed by one operator, and by two at the same time. */

import { hashApiKey, readKey } from '../../lambda/credentials/api-key';
import { refOf } from '../../lambda/credentials/api-keys';
import { isUsable } from '../../lambda/credentials/authorize';
import type { AccountId } from '../../lambda/credentials/caller';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { readSignerId } from '../../lambda/credentials/signer';
import { createFakeApiKeys } from '../fakes/api-keys';
import { bound, byKeyId } from '../fakes/bound';
import { accountId, allowedOrigin } from '../fakes/branded';
import { breathe, createDeferred } from '../fakes/deferred';
import { createFakeIds } from '../fakes/ids';
import { createVirtualClock } from '../fakes/virtual-clock';

function start() {
  const clock = createVirtualClock();
  const operator = { name: 'jane' };
  const register = createFakeApiKeys([], clock);
  const all = bound(
    { ...register.services, ids: createFakeIds(), readPrincipal: async () => operator.name },
    { ...manageKeys, ...keyStore },
  );
  const keys = { ...all, ...byKeyId(all) };
  const order = { mode: 'live', plan: 'free', name: 'shop' } as const;
  const plansOf = async (account: AccountId) => (await keys.keysOf(account)).map(({ plan }) => plan);
  return { clock, operator, register, keys, order, plansOf };
}

const site = {
  publishedAs: 'site',
  origins: [allowedOrigin('https://example.com')],
  maxPerMonth: 5,
} as const;

/** Holds the first end of an operation until it is let go. */
function hold(register: ReturnType<typeof createFakeApiKeys>, held: string) {
  const gate = createDeferred<void>();
  let isUsed = false;
  register.after((operation) => {
    if (operation !== held || isUsed) return undefined;
    isUsed = true;
    return gate.promise;
  });
  return () => gate.resolve();
}

describe('issuing', () => {
  it('creates a key that can be resolved, and stores only its hash', async () => {
    const { keys, register, order, clock } = start();
    const { key, record } = await keys.issueKey(order);
    expect(readKey('pk', key)).toBe(record.hash);
    expect(await register.find(hashApiKey(key))).toEqual(record);
    expect(JSON.stringify(record)).not.toContain(key.slice(8));
    expect(record).toMatchObject({
      mode: 'live',
      plan: 'free',
      name: 'shop',
      createdAt: new Date(clock.nowMs()).toISOString(),
    });
    expect(record.account).toMatch(/^acc_[0-9a-f]{18}$/);
    expect(record.keyId).toMatch(/^key_[0-9a-f]{18}$/);
  });

  it('on an existing account takes the account’s plan', async () => {
    const { keys, order } = start();
    const { account } = (await keys.issueKey({ ...order, plan: 'pro' })).record;
    const second = await keys.issueKey({ ...order, mode: 'test', plan: 'enterprise', account });
    expect(second.record).toMatchObject({ account, plan: 'pro', mode: 'test' });
  });

  it('on an account whose keys are all revoked takes the plan of the newest', async () => {
    const { keys, order } = start();
    const { account } = (await keys.issueKey({ ...order, plan: 'pro' })).record;
    for (const { keyId } of await keys.keysOf(account)) await keys.revokeKey(keyId);
    expect((await keys.issueKey({ ...order, account })).record.plan).toBe('pro');
  });

  it('on an account does not take the plan of a revoked key while another can be used', async () => {
    const { keys, register, order, clock } = start();
    const first = await keys.issueKey({ ...order, account: accountId('acc_x') });
    await clock.advance(1_000);
    const second = await keys.issueKey({ ...order, account: accountId('acc_x') });
    await keys.revokeKey(second.record.keyId);
    await register.change(refOf(first.record), { plan: 'pro' });
    await register.change(refOf(first.signer ?? first.record), { plan: 'pro' });
    expect((await keys.issueKey({ ...order, account: accountId('acc_x') })).record.plan).toBe('pro');
  });
});

describe('a signer', () => {
  it('comes with a first key under the name default, and one for live and one for test keys is enough', async () => {
    const { keys, order } = start();
    const first = await keys.issueKey(order);
    const { account } = first.record;
    expect(first.signer).toMatchObject({ account, mode: 'live', name: 'default', publishedAs: 'signer' });
    expect('signer' in (await keys.issueKey({ ...order, account }))).toBe(false);
    expect((await keys.issueKey({ ...order, account, mode: 'test' })).signer).toMatchObject({ mode: 'test' });
  });

  it('is on the plan of its account, under its id, and its record holds no secret', async () => {
    const { keys, register, order } = start();
    const { account } = (await keys.issueKey({ ...order, plan: 'pro', accountName: 'Acme' })).record;
    const { key, record } = await keys.issueKey({ ...order, account, publishedAs: 'signer' });
    const { keyId, createdAt } = record;
    expect([key, readSignerId(keyId)]).toEqual(['', keyId]);
    expect(record).toEqual({
      ...{ keyId, publishedAs: 'signer', mode: 'live', account, accountName: 'Acme', plan: 'pro' },
      ...{ name: 'shop', createdAt, createdBy: 'jane' },
    });
    expect(await register.find(refOf(record))).toEqual(record);
  });

  it('is not made again by a key or a rotation after it was revoked', async () => {
    const { keys, order } = start();
    const { record, signer } = await keys.issueKey(order);
    await keys.revokeKey(signer?.keyId ?? '');
    expect(await keys.rotateKey(record.keyId, 0)).not.toHaveProperty('signer');
  });
});

it('a site key is stored by its hash, with its origins and cap, which its successor has too', async () => {
  const { keys, register, order } = start();
  const { account } = (await keys.issueKey(order)).record;
  const { key, record } = await keys.issueKey({ ...order, ...site, account });
  expect(readKey('site', key)).toBe(record.hash);
  expect(record).toMatchObject({ ...site, account, plan: 'free', prefix: key.slice(0, 14) });
  expect(JSON.stringify(await register.find(hashApiKey(key)))).not.toContain(key);
  const next = await keys.rotateKey(record.keyId, 60_000);
  expect(next?.record).toMatchObject({ ...site, name: 'shop', hash: readKey('site', next?.key ?? '') });
  expect(next?.key).not.toBe(key);
});

describe('a limit of a credential', () => {
  it('is kept by its successor, and absent where there was none', async () => {
    const { keys, order } = start();
    const bounded = (await keys.issueKey({ ...order, maxPerMonth: 7 })).record;
    expect(bounded.maxPerMonth).toBe(7);
    expect((await keys.rotateKey(bounded.keyId, 0))?.record.maxPerMonth).toBe(7);
    const free = (await keys.issueKey(order)).record;
    expect('maxPerMonth' in free).toBe(false);
    expect('maxPerMonth' in ((await keys.rotateKey(free.keyId, 0))?.record ?? {})).toBe(false);
  });
});

describe('setting a plan', () => {
  it('puts every key of the account on it and no other key', async () => {
    const { keys, order, plansOf } = start();
    const { account } = (await keys.issueKey(order)).record;
    await keys.issueKey({ ...order, account });
    const other = await keys.issueKey(order);
    expect(await keys.setTerms(account, { plan: 'business' })).toBe(2);
    expect(await plansOf(account)).toEqual(Array(3).fill('business'));
    expect((await keys.findByKeyId(other.record.keyId))?.plan).toBe('free');
  });

  it('reaches a key that is being issued: set after the plan was read, before the key was added', async () => {
    const { keys, register, order, clock, plansOf } = start();
    const { account } = (await keys.issueKey(order)).record;
    await clock.advance(1_000);
    const letGo = hold(register, 'find');
    const issuing = keys.issueKey({ ...order, account });
    await breathe();
    await keys.setTerms(account, { plan: 'pro' });
    letGo();
    expect((await issuing).record.plan).toBe('pro');
    expect(await plansOf(account)).toEqual(Array(3).fill('pro'));
  });

  it('reaches a key that is added after the keys were listed, before they were changed', async () => {
    const { keys, register, order, plansOf } = start();
    const { account } = (await keys.issueKey(order)).record;
    const letGo = hold(register, 'ofAccount');
    const setting = keys.setTerms(account, { plan: 'pro' });
    await breathe();
    await keys.issueKey({ ...order, account });
    letGo();
    expect(await setting).toBe(2);
    expect(await plansOf(account)).toEqual(Array(3).fill('pro'));
  });

  it('reaches a key that is issued while the list of the keys lags behind, and comes to an end', async () => {
    const { keys, register, order } = start();
    const { account } = (await keys.issueKey(order)).record;
    const before = await register.ofAccount(account);
    await keys.setTerms(account, { plan: 'pro' });
    let reads = 0;
    register.listWith(() => {
      if (++reads > 5) throw new Error('It reads the list for ever');
      return before;
    });
    expect((await keys.issueKey({ ...order, account })).record.plan).toBe('pro');
    expect(await keys.setTerms(account, { plan: 'business' })).toBe(1);
  });

  it('reaches a key that is issued while the first key is being changed', async () => {
    const { keys, register, order, plansOf } = start();
    const { account } = (await keys.issueKey(order)).record;
    await keys.issueKey({ ...order, account });
    const letGo = hold(register, 'change');
    const setting = keys.setTerms(account, { plan: 'pro' });
    await breathe();
    const issuing = keys.issueKey({ ...order, account });
    await breathe();
    letGo();
    await Promise.all([setting, issuing]);
    expect(new Set(await plansOf(account))).toEqual(new Set(['pro']));
  });
});

describe('rotating', () => {
  it('creates a successor on the same account, and keeps the old key valid until the overlap ends', async () => {
    const { keys, order, clock } = start();
    const old = (await keys.issueKey({ ...order, mode: 'test', plan: 'pro' })).record;
    const next = await keys.rotateKey(old.keyId, 60_000);
    expect(next?.record).toMatchObject({ mode: 'test', plan: 'pro', name: 'shop', account: old.account });
    expect(next?.record.keyId).not.toBe(old.keyId);
    const ending = await keys.findByKeyId(old.keyId);
    if (!ending) throw new Error('The old key is gone.');
    expect(isUsable(ending, clock.nowMs() + 59_999)).toBe(true);
    expect(isUsable(ending, clock.nowMs() + 60_000)).toBe(false);
    expect(next && isUsable(next.record, clock.nowMs() + 60_000)).toBe(true);
  });

  it('does not lengthen the life of a key that ends sooner', async () => {
    const { keys, order } = start();
    const { record } = await keys.issueKey(order);
    await keys.rotateKey(record.keyId, 1_000);
    const sooner = (await keys.findByKeyId(record.keyId))?.expiresAt;
    await keys.rotateKey(record.keyId, 60_000);
    expect((await keys.findByKeyId(record.keyId))?.expiresAt).toBe(sooner);
  });

  it('shortens the life of a key that would end later', async () => {
    const { keys, order, clock } = start();
    const { record } = await keys.issueKey(order);
    await keys.rotateKey(record.keyId, 60_000);
    await keys.rotateKey(record.keyId, 0);
    expect((await keys.findByKeyId(record.keyId))?.expiresAt).toBe(new Date(clock.nowMs()).toISOString());
  });
});

describe('the name of an account', () => {
  const named = { mode: 'live', plan: 'pro', name: 'shop', accountName: 'Acme' } as const;

  it('is given with its first key, and stands on every later one', async () => {
    const { keys } = start();
    const first = (await keys.issueKey(named)).record;
    expect(first.accountName).toBe('Acme');
    const { account } = first;
    const second = (await keys.issueKey({ mode: 'test', plan: 'free', name: 'x', account })).record;
    const third = await keys.rotateKey(first.keyId, 1_000);
    for (const record of [second, third?.record])
      expect(record).toMatchObject({ account, accountName: 'Acme' });
  });

  it('is absent where there is none, whatever a later key is ordered with', async () => {
    const { keys, order } = start();
    const { record } = await keys.issueKey(order);
    expect(record).not.toHaveProperty('accountName');
    const later = await keys.issueKey({ ...named, account: record.account });
    expect(later.record).not.toHaveProperty('accountName');
  });

  it('is set on every key of the account and no other key, revoked ones included', async () => {
    const { keys, order } = start();
    const other = (await keys.issueKey(named)).record;
    const { account, keyId } = (await keys.issueKey(order)).record;
    await keys.issueKey({ ...order, account });
    await keys.revokeKey(keyId);
    expect(await keys.setTerms(account, { accountName: 'Zoë & Co' })).toBe(2);
    expect((await keys.keysOf(account)).map(({ accountName }) => accountName)).toEqual(
      Array(3).fill('Zoë & Co'),
    );
    expect((await keys.findByKeyId(other.keyId))?.accountName).toBe('Acme');
  });

  it('reaches a key that is issued at the same time', async () => {
    const { keys, register, order } = start();
    const { account } = (await keys.issueKey(order)).record;
    const letGo = hold(register, 'ofAccount');
    const issuing = keys.issueKey({ ...order, account });
    await breathe();
    await keys.setTerms(account, { accountName: 'Acme' });
    letGo();
    const { record } = await issuing;
    expect(record.accountName).toBe('Acme');
    expect(await register.find(refOf(record))).toEqual(record);
  });
});

describe('revoking', () => {
  it('revokes a key at once, and keeps the date of the first revocation', async () => {
    const { keys, order, clock } = start();
    const { record } = await keys.issueKey(order);
    const first = await keys.revokeKey(record.keyId);
    expect(first && isUsable(first, clock.nowMs())).toBe(false);
    await clock.advance(5_000);
    expect(await keys.revokeKey(record.keyId)).toEqual(first);
    expect(await keys.findByKeyId(record.keyId)).toEqual(first);
  });
});

describe('who has made a key and who has changed it last', () => {
  it('stands on each key, signer and site key', async () => {
    const { clock, operator, keys, order } = start();
    const { record, signer } = await keys.issueKey(order);
    const { account, keyId } = record;
    const siteKey = await keys.issueKey({ ...order, ...site, account });
    for (const made of [record, signer, siteKey.record]) {
      expect(made).toMatchObject({ createdBy: 'jane' });
      expect(made).not.toHaveProperty('changedAt');
    }
    operator.name = 'john';
    await clock.advance(1_000);
    const changedAt = new Date(clock.nowMs()).toISOString();
    const next = await keys.rotateKey(keyId, 3_600_000);
    expect(next?.record).toMatchObject({ createdAt: changedAt, createdBy: 'john' });
    expect(await keys.findByKeyId(keyId)).toMatchObject({ createdBy: 'jane', changedAt, changedBy: 'john' });
    expect(await keys.revokeKey(siteKey.record.keyId)).toMatchObject({
      createdBy: 'jane',
      revokedAt: changedAt,
      changedAt,
      changedBy: 'john',
    });
  });

  it.each<[string, (keys: ReturnType<typeof start>['keys'], account: AccountId) => Promise<unknown>]>([
    ['a plan', (keys, account) => keys.setTerms(account, { plan: 'pro' })],
    ['a name', (keys, account) => keys.setTerms(account, { accountName: 'Acme' })],
  ])('is said by %s that is set, of the last change alone', async (_, set) => {
    const { clock, operator, keys, order } = start();
    const { account } = (await keys.issueKey(order)).record;
    await keys.setTerms(account, { accountName: 'Example' });
    operator.name = 'john';
    await clock.advance(1_000);
    await set(keys, account);
    const changedAt = new Date(clock.nowMs()).toISOString();
    for (const key of await keys.keysOf(account))
      expect(key).toMatchObject({ createdBy: 'jane', changedAt, changedBy: 'john' });
  });

  it('is known before anything is changed', async () => {
    const { keys, order, operator } = start();
    const { keyId } = (await keys.issueKey(order)).record;
    Object.defineProperty(operator, 'name', {
      get: () => {
        throw new Error('no identity');
      },
    });
    await expect(keys.revokeKey(keyId)).rejects.toThrow('no identity');
    await expect(keys.issueKey(order)).rejects.toThrow('no identity');
    expect(await keys.findByKeyId(keyId)).not.toHaveProperty('revokedAt');
    const all = [];
    for await (const key of keys.allKeys()) all.push(key);
    expect(all).toHaveLength(2);
  });
});
