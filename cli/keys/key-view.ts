/** How a key, signer or site key is shown: everything about it but what is secret, and its hash. */

import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { facts } from '../table';

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

export interface KeyView extends Omit<KeyRecord, 'hash'> {
  readonly state: KeyState;
}

export function keyView({ hash: _hash, ...record }: KeyRecord, nowMs: number): KeyView {
  return { ...record, state: stateOf(record, nowMs) };
}

export function stateOf({ revokedAt, expiresAt }: Omit<KeyRecord, 'hash'>, nowMs: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'active';
  return Date.parse(expiresAt) > nowMs ? 'expiring' : 'expired';
}

const idTitles = { key: 'Key id', signer: 'Signer id', site: 'Site key id' } as const;

/** The monthly bound of its own, in words; `undefined` without one. */
export function boundOf({ maxPerMonth }: Pick<KeyRecord, 'maxPerMonth'>): string | undefined {
  return maxPerMonth === undefined ? undefined : `${maxPerMonth.toLocaleString('en')} per month`;
}

/** A key's facts below one another. */
export function describeKey(view: KeyView): string {
  return facts([
    [idTitles[view.publishedAs ?? 'key'], view.keyId],
    ['Name', view.name],
    ['Account', view.account],
    ['Account name', view.accountName],
    ['Plan', view.plan],
    ['Mode', view.mode],
    ['State', view.state],
    ['Created', view.createdAt],
    ['Origins', view.origins?.join(', ')],
    ['At most', boundOf(view)],
    ['Ends', view.expiresAt],
    ['Revoked', view.revokedAt],
  ]);
}
