/** The lifecycle of keys and signers, as an operator and a caller see it. */

import type { PlanName } from '../../../lambda/contract/plans';
import { type Answer, ask, header, imageBehind } from '../ask';
import type { Issued } from '../operator';
import { readUntil } from '../read-until';
import { type Operation, startOperation, withinOneHour } from './operation';

jest.setTimeout(180_000);

let operation: Operation;
beforeAll(async () => {
  operation = await startOperation();
});
afterAll(() => operation?.close());

const keys: Operation['keys'] = (...args) => operation.keys(...args);
const create = (plan: PlanName, name: string) => keys('create', '--plan', plan, '--name', name);
const get: Operation['get'] = (key, path) => operation.get(key, path);
const usageOf: Operation['usageOf'] = (key) => operation.usageOf(key);

/** Repeats a request, which is accepted with a status, until it is answered 401 within a minute; returns that answer. */
async function untilRefused(send: () => Promise<Answer>, accepted: number): Promise<Answer> {
  const checked = async () => {
    const answer = await send();
    expect([accepted, 401]).toContain(answer.status);
    return answer;
  };
  const last = await readUntil(checked, ({ status }) => status === 401, { withinMs: 60_000, pauseMs: 2_500 });
  expect(last.status).toBe(401);
  return last;
}

async function untilKeyIsRefused(key: string): Promise<void> {
  const { body } = await untilRefused(() => get(key, '/api/usage'), 200);
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_api_key' });
}

/** Creates a key, uses it, rotates it, and waits for the end of the overlap. */
async function rotation(): Promise<void> {
  const first = await create('free', 'my key');
  expect(first.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  const answer = await get(first.key, '/api/image/320x200-sea');
  expect([answer.status, header(answer, 'x-ratelimit-remaining')]).toEqual([302, '999']);
  expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });

  const overlapMs = 20_000;
  const rotatedMs = Date.now();
  const second = await keys<Issued & { readonly replaces: { readonly expiresAt: string } }>(
    'rotate',
    first.keyId,
    '--overlap',
    `${overlapMs / 1_000}s`,
  );
  expect(second.key).not.toBe(first.key);
  const endsMs = Date.parse(second.replaces.expiresAt);
  expect(endsMs).toBeGreaterThanOrEqual(rotatedMs + overlapMs);

  for (const { key } of [first, second]) {
    expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
    expect(Date.now()).toBeLessThan(endsMs);
  }
  // Both spend what is the account's.
  expect(await usageOf(second.key)).toMatchObject({ account: first.account, used: 3, remaining: 997 });

  // The function may have the previous key cached, for at most half a minute.
  await untilKeyIsRefused(first.key);
  expect(Date.now()).toBeGreaterThanOrEqual(endsMs);
  expect((await get(second.key, '/api/image/320x200-sea')).status).toBe(302);
  expect(await usageOf(second.key)).toMatchObject({ used: 4 });
}

/** Revokes a key in the middle of its use. */
async function revocation(): Promise<void> {
  const { key, keyId } = await create('pro', 'leaked');
  expect((await get(key, '/api/image/320x200-sea')).status).toBe(302);
  const { state } = await keys<Readonly<Record<string, string>>>('revoke', keyId, '--yes');
  expect(state).toBe('revoked');
  await untilKeyIsRefused(key);
  const card = await ask(operation.url, {
    path: '/api/image/320x200-sea',
    headers: { 'X-API-Key': key, 'Sec-Fetch-Dest': 'image' },
  });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([401, 'invalid_api_key']);
}

/** Revokes a signer while the images that it signed are being shown. */
async function revocationOfSigner(): Promise<void> {
  const { account } = await create('pro', 'shop');
  const { signerId, signer } = await operation.openSigner(account);
  const path = await signer.sign('/api/image/320x200-sea');
  const load = () => ask(operation.url, { path });
  expect((await load()).status).toBe(302);
  await keys('signer', 'revoke', signerId, '--yes');
  await untilRefused(load, 302);
}

describe('the life of a key', () => {
  // Together, because all wait until the service looks at a key again.
  test('a rotated key works until its overlap ends, its successor on; a revoked one is refused within 60 seconds, and so is what a revoked signer signed', async () => {
    await Promise.all([
      withinOneHour(rotation),
      withinOneHour(revocation),
      withinOneHour(revocationOfSigner),
    ]);
  });
});
