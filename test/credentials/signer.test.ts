/** The id of a signer has a fixed form. Its secret depends only on the master secret and the id. */

import { deriveSignerKey, parseSignerId, writeSignerSecret } from '../../lambda/credentials/signer';
import { master, signers } from '../../packages/client/test/vectors';

test.each([
  '',
  'sg_live_',
  'sg_live_0123456789a',
  'sg_live_0123456789abc',
  'sg_prod_0123456789ab',
  'SG_live_0123456789ab',
  'sg_live_0123456789a_',
  'sg_live_0123456789ab\n',
])('%j is read as no signer id', (text) => expect(parseSignerId(text)).toBeUndefined());

test.each(signers)('the derived secret of $id is that of the test vectors', ({ id, secret, keyHex }) => {
  expect(deriveSignerKey(master, id).toString('hex')).toBe(keyHex);
  expect(writeSignerSecret(master, id)).toBe(secret);
});
