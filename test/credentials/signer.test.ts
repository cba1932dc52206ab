/** The ids and secrets of signers: their form, and that every secret follows from the master and the id alone. */

import fc from 'fast-check';
import {
  makeSignerId,
  readSignerId,
  type SignerId,
  signerIdOf,
  signerKeyOf,
  signerSecretOf,
} from '../../lambda/credentials/signer';
import { master, signers } from '../../packages/client/test/vectors';
import { createFakeIds } from '../fakes/ids';

const { bytes } = createFakeIds();

it.each(['live', 'test'] as const)('makes %s ids that it reads', (mode) => {
  for (let i = 0; i < 100; i++) {
    const id = makeSignerId(mode, bytes);
    expect(id).toMatch(new RegExp(`^sg_${mode}_[0-9A-Za-z]{12}$`));
    expect(readSignerId(id)).toBe(id);
  }
});

it.each([
  '',
  'sg_live_',
  'sg_live_0123456789a',
  'sg_live_0123456789abc',
  'sg_prod_0123456789ab',
  'SG_live_0123456789ab',
  'sg_live_0123456789a_',
  'sg_live_0123456789ab\n',
])('reads no id in %j', (text) => expect(readSignerId(text)).toBeUndefined());

it.each(signers)('derives the secret of the test vectors for $id', ({ id, secret, keyHex }) => {
  expect(signerKeyOf(master, id as SignerId).toString('hex')).toBe(keyHex);
  expect(signerSecretOf(master, id as SignerId)).toBe(secret);
});

it('derives another key for every other master or id', () => {
  const text = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const id = makeSignerId('live', bytes);
      fc.pre(one !== other);
      expect(signerKeyOf(one, id)).not.toEqual(signerKeyOf(other, id));
      expect(signerKeyOf(one, id)).not.toEqual(signerKeyOf(one, makeSignerId('live', bytes)));
    }),
  );
});

test('an id that a record names is read, or refused', () => {
  expect(signerIdOf('sg_live_0123456789Ab')).toBe('sg_live_0123456789Ab');
  expect(() => signerIdOf('key_0123')).toThrow(RangeError);
});
