/** How a site key that was just made is shown: the one time it can be read. */

import type { IssuedKey } from '../../../../lambda/credentials/manage-keys';
import type { Output } from '../../../output';
import { facts } from '../../../table';
import { boundOf } from '../../key-view';

/** @param more facts that only this command knows, as JSON and as lines */
export function showSiteKey(
  output: Output,
  { key, record }: IssuedKey,
  more: { readonly json?: object; readonly lines?: readonly (readonly [string, string])[] } = {},
): void {
  const { hash: _hash, publishedAs: _kind, keyId: siteKeyId, ...rest } = record;
  output.result({ siteKey: key, siteKeyId, ...rest, ...more.json }, () =>
    facts([
      ['Site key', key],
      ['Site key id', siteKeyId],
      ['Name', rest.name],
      ['Account', rest.account],
      ['Account name', rest.accountName],
      ['Plan', rest.plan],
      ['Mode', rest.mode],
      ['Origins', rest.origins?.join(', ')],
      ['At most', boundOf(rest)],
      ...(more.lines ?? []),
    ]),
  );
  output.note(
    'A site key may be published. Programs can send any origin, so what bounds its cost is the monthly cap.',
  );
}
