/** Signers and site keys of an account: issued on its terms, rotated, revoked. */

import { hashApiKey, readApiKey } from '../../lambda/credentials/api-key';
import { refOf } from '../../lambda/credentials/api-keys';
import { isUsable } from '../../lambda/credentials/authorize';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { readSignerId } from '../../lambda/credentials/signer';
import { readSiteKey } from '../../lambda/credentials/site-key';
import { createFakeApiKeys } from '../fakes/api-keys';
import { bound, byKeyId } from '../fakes/bound';
import { allowedOrigin } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createVirtualClock } from '../fakes/virtual-clock';

async function start() {
  const clock = createVirtualClock();
  const register = createFakeApiKeys([], clock);
  const all = bound(
    { ...register.services, ids: createFakeIds(), readPrincipal: async () => 'jane' },
    { ...manageKeys, ...keyStore },
  );
  const keys = { ...all, ...byKeyId(all) };
  const { record } = await keys.issueKey({ mode: 'live', plan: 'pro', name: 'shop', accountName: 'Acme' });
  const order = { mode: 'live', plan: 'free', name: 'blog', account: record.account } as const;
  return { clock, register, keys, order, account: record.account };
}

describe('a signer', () => {
  it('is on the plan of its account, under its id, and its record holds no secret', async () => {
    const { keys, register, order, account } = await start();
    const record = await keys.issueSigner(order);
    expect(readSignerId(record.keyId)).toBe(record.keyId);
    expect(record).toEqual({
      keyId: record.keyId,
      publishedAs: 'signer',
      mode: 'live',
      account,
      accountName: 'Acme',
      plan: 'pro',
      name: 'blog',
      createdAt: record.createdAt,
      createdBy: 'jane',
    });
    expect(await register.find(refOf(record))).toEqual(record);
  });
});

describe('the signer of an account', () => {
  it('is not made again by a key or a rotation after it was revoked', async () => {
    const { keys, account } = await start();
    const [key, signer] = await keys.keysOf(account);
    await keys.revokeKey(signer?.keyId ?? '');
    expect(await keys.rotateKey(key?.keyId ?? '', 0)).not.toHaveProperty('signer');
  });
});

describe('a site key', () => {
  it('is stored by its hash, with its origins and cap', async () => {
    const { keys, register, order, account } = await start();
    const origins = [allowedOrigin('https://example.com')];
    const { key, record } = await keys.issueSiteKey({ ...order, origins, maxPerMonth: 500 });
    expect(readSiteKey(key)).toBe(record.hash);
    expect(readApiKey(key)).toBeUndefined();
    expect(record).toMatchObject({ account, plan: 'pro', publishedAs: 'site', origins, maxPerMonth: 500 });
    expect(JSON.stringify(await register.find(hashApiKey(key)))).not.toContain(key);
  });

  it('has a successor with its origins and cap, and goes on until the overlap ends', async () => {
    const { keys, order, clock } = await start();
    const origins = [allowedOrigin('https://example.com')];
    const { key, record: old } = await keys.issueSiteKey({ ...order, origins, maxPerMonth: 500 });
    const next = await keys.rotateKey(old.keyId, 60_000);
    expect(next?.key).not.toBe(key);
    expect(readSiteKey(next?.key ?? '')).toBe(next?.record.hash);
    const same = { name: 'blog', plan: 'pro', publishedAs: 'site', origins, maxPerMonth: 500 };
    expect(next?.record).toMatchObject(same);
    const ending = await keys.findByKeyId(old.keyId);
    expect(isUsable(ending ?? old, clock.nowMs() + 59_999)).toBe(true);
    expect(isUsable(ending ?? old, clock.nowMs() + 60_000)).toBe(false);
  });
});
