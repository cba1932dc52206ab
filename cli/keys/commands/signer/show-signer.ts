/** How a signer that was just made is shown: the one time its secret can be read. */

import type { KeyRecord } from '../../../../lambda/credentials/api-keys';
import { signerIdOf, signerSecretOf } from '../../../../lambda/credentials/signer';
import type { Output } from '../../../output';
import { facts } from '../../../table';

/**
 * @param master secret that the signer's own is derived from
 * @param more facts that only this command knows, as JSON and as lines
 */
export function showSigner(
  output: Output,
  { keyId, publishedAs: _kind, ...record }: KeyRecord,
  master: string,
  more: { readonly json?: object; readonly lines?: readonly (readonly [string, string])[] } = {},
): void {
  const secret = signerSecretOf(master, signerIdOf(keyId));
  output.result({ signerId: keyId, secret, ...record, ...more.json }, () =>
    facts([
      ['Signer id', keyId],
      ['Secret', secret],
      ['Name', record.name],
      ['Account', record.account],
      ['Account name', record.accountName],
      ['Plan', record.plan],
      ['Mode', record.mode],
      ...(more.lines ?? []),
    ]),
  );
  output.note(
    'Keep the secret now: it is stored nowhere and is not shown again. It belongs on a server or in a build step, never in a page.',
  );
}
