/** How a key that was just made is shown: the one time it can be read. */

import type { IssuedKey } from '../../lambda/credentials/manage-keys';
import type { Output } from '../output';
import { facts } from '../table';
import { boundOf } from './key-view';

/** @param more facts that only this command knows, as JSON and as lines */
export function showIssued(
  output: Output,
  { key, record }: IssuedKey,
  more: { readonly json?: object; readonly lines?: readonly (readonly [string, string])[] } = {},
): void {
  const { hash: _hash, ...rest } = record;
  output.result({ key, ...rest, ...more.json }, () =>
    facts([
      ['Key', key],
      ['Key id', rest.keyId],
      ['Name', rest.name],
      ['Account', rest.account],
      ['Account name', rest.accountName],
      ['Plan', rest.plan],
      ['Mode', rest.mode],
      ['At most', boundOf(rest)],
      ...(more.lines ?? []),
    ]),
  );
  output.note(
    'Keep the key now: it is stored as a hash only and cannot be shown again. It stays secret: on a public page, use a signer or a site key ("keys signer create", "keys site create").',
  );
}
