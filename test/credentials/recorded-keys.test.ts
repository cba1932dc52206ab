/** Each change of credentials has one entry in the log of changes, which holds no secret. */

import type { Change } from '../../lambda/base/change-log';
import { createManageKeys } from '../../lambda/credentials/manage-keys';
import { recordedKeys } from '../../lambda/credentials/recorded-keys';
import { createFakeApiKeys } from '../fakes/api-keys';
import { createFakeIds } from '../fakes/ids';
import { arrival } from '../fakes/observed';
import { createVirtualClock } from '../fakes/virtual-clock';

function start() {
  const changes: Change[] = [];
  const register = createFakeApiKeys();
  const manageKeys = createManageKeys({
    register,
    clock: createVirtualClock(),
    randomBytes: createFakeIds().bytes,
  });
  const keys = recordedKeys(manageKeys, async (change) => {
    await arrival();
    changes.push(change);
    return { ...change, at: '2026-11-21T12:00:00Z', principal: 'someone' };
  });
  return { keys, changes, bare: manageKeys, register };
}

const order = { mode: 'live', plan: 'free', name: 'shop' } as const;
const site = { origins: ['https://example.com'], maxPerMonth: 5 } as never as {
  origins: never;
  maxPerMonth: number;
};

test('issuing names the key and the signer that comes with the first one', async () => {
  const { keys, changes } = start();
  const { key, record, signer } = await keys.issue(order);
  const { account } = record;
  expect(changes).toEqual([
    { action: 'key.created', account, id: record.keyId, mode: 'live' },
    { action: 'signer.created', account, id: signer?.keyId, mode: 'live' },
  ]);
  expect(JSON.stringify(changes)).not.toContain(key);
  await keys.issue({ ...order, account });
  expect(changes.slice(2).map(({ action }) => action)).toEqual(['key.created']);
});

test('signers and site keys are named as what they are, and a rotation names its successor', async () => {
  const { keys, changes } = start();
  const { record } = await keys.issue(order);
  const { account } = record;
  changes.length = 0;
  const signer = await keys.issueSigner({ ...order, account, name: 'blog' });
  const siteKey = await keys.issueSiteKey({ ...order, ...site, account });
  const next = await keys.rotate(record.keyId, 0);
  const nextSigner = await keys.rotateSigner(signer.keyId, 0);
  const nextSite = await keys.rotateSiteKey(siteKey.record.keyId, 0);
  const about = { account, mode: 'live' };
  expect(changes).toEqual([
    { ...about, action: 'signer.created', id: signer.keyId },
    { ...about, action: 'site_key.created', id: siteKey.record.keyId },
    { ...about, action: 'key.rotated', id: record.keyId, successor: next?.record.keyId },
    { ...about, action: 'signer.rotated', id: signer.keyId, successor: nextSigner?.keyId },
    { ...about, action: 'site_key.rotated', id: siteKey.record.keyId, successor: nextSite?.record.keyId },
  ]);
});

test('revoking, a plan and a name are recorded, and what is unknown is not', async () => {
  const { keys, changes } = start();
  const { account, keyId } = (await keys.issue(order)).record;
  changes.length = 0;
  await keys.revoke(keyId);
  expect(changes).toHaveLength(1);
  expect(await keys.setPlan(account, 'pro')).toBe(1);
  expect(await keys.setName(account, 'Example Ltd')).toBe(1);
  await keys.revoke('key_none');
  await keys.rotate('key_none', 0);
  await keys.rotateSigner('sg_none', 0);
  await keys.rotateSiteKey('site_none', 0);
  expect(changes).toEqual([
    { action: 'key.revoked', account, id: keyId, mode: 'live' },
    { action: 'plan.changed', account, plan: 'pro' },
    { action: 'account.named', account, accountName: 'Example Ltd' },
  ]);
});
