/** What the authorizer believes of the headers of a distribution before the API. */

import { createHash } from 'node:crypto';
import { edgeHeaders } from '../../lambda/contract/edge';
import { readViewerIp } from '../../lambda/http/edge';

const proof = 'a secret of the distribution';
const hash = createHash('sha256').update(proof).digest('hex');

test.each([
  ['the proof', [proof], hash, '192.0.2.1'],
  ['another proof', ['guessed'], hash, undefined],
  ['two proofs', [proof, proof], hash, undefined],
  ['no proof', [], hash, undefined],
  ['the proof, where there is no distribution', [proof], undefined, undefined],
])('the address of a viewer is believed or not with %s', (_, proofs, edgeHash, ip) => {
  const headers: Readonly<Record<string, readonly string[]>> = {
    [edgeHeaders.proof]: proofs,
    [edgeHeaders.viewerIp]: ['192.0.2.1'],
  };
  expect(readViewerIp((name) => headers[name] ?? [], edgeHash)).toBe(ip);
});
