/**
 * The life of keys and signers, as an operator and a caller see it. That the service forgets what it knows of
 * a key is asked of the authorizer alone.
 */

import { fixtureOf } from '../../fakes/fixture';
import { ask, header, imageBehind } from '../ask';
import type { Issued } from '../operator';
import { startOperation, withinOneHour } from './operation';

jest.setTimeout(120_000);

const operation = fixtureOf(startOperation);

const sea = '/api/image/320x200-sea';
const create = (plan: string) => operation.keys('create', '--plan', plan, '--name', 'my key');
const statusFor = async (key: string) => (await operation.get(key, sea)).status;

test('a key serves images; while it overlaps with its successor both spend what is the account’s', () =>
  withinOneHour(async () => {
    const first = await create('free');
    expect(first.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
    const answer = await operation.get(first.key, sea);
    expect([answer.status, header(answer, 'x-ratelimit-remaining')]).toEqual([302, '999']);
    expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });
    const second = await operation.keys('rotate', first.keyId, '--overlap', '1h');
    expect(second.key).not.toBe(first.key);
    for (const { key } of [first, second]) expect(await statusFor(key)).toBe(302);
    expect(await operation.usageOf(second.key)).toMatchObject({
      ...{ account: first.account, used: 3, remaining: 997 },
    });
  }));

test('a key that has ended is refused, and its successor is not', async () => {
  const { key, keyId } = await create('pro');
  const next = await operation.keys<Issued>('rotate', keyId, '--overlap', '0', '--yes');
  expect([await statusFor(key), await statusFor(next.key)]).toEqual([401, 302]);
});

test('a revoked key is refused, to image loads by a card', async () => {
  const { key, keyId } = await create('pro');
  expect(await operation.keys('revoke', keyId, '--yes')).toMatchObject({ state: 'revoked' });
  const { status, body } = await operation.get(key, '/api/usage');
  expect([status, JSON.parse(body)]).toMatchObject([401, { code: 'invalid_api_key' }]);
  const headers = { 'X-API-Key': key, 'Sec-Fetch-Dest': 'image' };
  const card = await ask(operation.url, { path: sea, headers });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([401, 'invalid_api_key']);
});

test('URLs of a revoked signer are refused, and those of another signer are not', async () => {
  const { account } = await create('pro');
  const [gone, kept] = [await operation.openSigner(account), await operation.openSigner(account)];
  await operation.keys('signer', 'revoke', gone.signerId, '--yes');
  const paths = await Promise.all([gone, kept].map(({ signer }) => signer.sign(sea)));
  const answers = await Promise.all(paths.map((path) => ask(operation.url, { path })));
  expect(answers.map(({ status }) => status)).toEqual([401, 302]);
});
