/** A signed URL is verified or refused. */

import { createDeadline } from '../../lambda/base/deadline';
import type { Caller } from '../../lambda/credentials/caller';
import { type RequestTexts, readParameters } from '../../lambda/requests/parse-request';
import { verifyRequest } from '../../lambda/requests/verify-request';
import { createSigner } from '../../packages/client/src/client';
import { getSecret, master, signers } from '../../packages/client/test/vectors';
import { createVirtualClock } from '../fakes/clock';
import { makeAccountId } from '../fakes/values';
import { makeRawRequest } from './raw-request';

const [{ id, keyHex }] = signers as [(typeof signers)[number]];
const nowS = 1_790_000_000;
const caller: Caller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'free', keyId: id };
const readMaster = jest.fn(async () => master);
const services = { readMaster, clock: createVirtualClock(nowS * 1_000), deadline: createDeadline(Infinity) };
const verify = (texts: RequestTexts, urlCaller: Caller) =>
  verifyRequest(services, readParameters(texts), urlCaller);

/** A request for a lake, signed by the first signer of the vectors. */
async function signRequest(form = 'image?query=lake', expires?: number): Promise<string> {
  const signer = createSigner({ id, secret: getSecret(id) });
  const url = await signer.sign(`https://img.example/api/${form}`, expires === undefined ? {} : { expires });
  return url.replace(/.*\/api\/image\/?/, '');
}

test.each([
  ['image?query=lake', undefined],
  ['image/800x600-mountain-lake.webp?seed=2', nowS + 1],
  ['image?query=lake', 999_999_999_999],
  // No white space but what stands for a hyphen is trimmed, by a signer neither.
  ['image/800x600-%C2%A0lake%09', undefined],
])(
  'the request of a verified URL of %s keeps its signature for the URLs of its record',
  async (form, expires) => {
    expect(await verify(makeRawRequest(await signRequest(form, expires)), caller)).toStrictEqual({
      signerId: id,
      key: Buffer.from(keyHex, 'hex'),
      ...(expires && { expires: String(expires) }),
    });
  },
);

test.each<[string, (url: string) => string | Promise<string>, Caller, string]>([
  ['without a signature', (url) => url.replace(/&signature=.*/, ''), caller, 'invalid_signature'],
  ['without a signer', (url) => url.replace(/&signer=[^&]*/, ''), caller, 'invalid_signature'],
  ['of no known signer', (url) => url, { kind: 'anonymous' }, 'invalid_signature'],
  ['of another signer', (url) => url, { ...caller, keyId: 'sg_live_0AbCdEfGhIjK' }, 'invalid_signature'],
  ['changed', (url) => url.replace('lake', 'sea'), caller, 'invalid_signature'],
  ['in a path that is none', (url) => url.replace('?query=lake&', 'lake?'), caller, 'invalid_signature'],
  [
    'in a path that is none, by the signature of its pick',
    () => signRequest(`image?pick=${'0'.repeat(20)}`).then((url) => `lake${url}`),
    caller,
    'invalid_signature',
  ],
  ['that ends now', () => signRequest(undefined, nowS), caller, 'link_expired'],
  ['that states a parameter twice', (url) => `${url}&signature=x`, caller, 'invalid_parameter'],
  [
    'that states its size twice',
    () => signRequest('image/800x600-lake').then((url) => `${url}&width=9`),
    caller,
    'conflicting_parameters',
  ],
  ['that ends at 13 digits', (url) => `${url}&expires=1000000000000`, caller, 'invalid_parameter'],
  ['that ends at no number', (url) => `${url}&expires=1e9`, caller, 'invalid_parameter'],
])('a URL %s is refused', async (_, changeUrl, urlCaller, code) => {
  const verified = await verify(makeRawRequest(await changeUrl(await signRequest())), urlCaller);
  expect(verified).toMatchObject({ refusal: { code } });
});

test('a refusal of a URL with two signatures repeats neither of them', async () => {
  const verified = await verify(makeRawRequest(`${await signRequest()}&signature=another`), caller);
  expect(verified).toMatchObject({ refusal: { faults: [{ parameter: 'signature' }] } });
  expect(JSON.stringify(verified)).not.toContain('another');
});

test('a URL with half a surrogate pair is refused', async () => {
  const query = { query: ['a\ud800'], signer: [id], signature: ['x'] };
  expect(await verify({ query }, caller)).toMatchObject({ refusal: { code: 'invalid_signature' } });
});

test('the secret is read only for a URL that a signer can have signed', async () => {
  readMaster.mockClear();
  await verify(makeRawRequest('?query=lake&signature=x'), caller);
  await verify(makeRawRequest((await signRequest()).replace('?query=lake', 'lake?seed=1')), {
    kind: 'anonymous',
  });
  expect(readMaster).not.toHaveBeenCalled();
});
