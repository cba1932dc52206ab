/** How a key is shown: everything about it but the key itself and its hash. */

import type { KeyRecord } from '../../lambda/ports/api-keys';
import { facts } from '../operator/table';

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

/** A key's facts below one another. */
export function describeKey(view: KeyView): string {
  return facts([
    ['Key id', view.keyId],
    ['Name', view.name],
    ['Account', view.account],
    ['Account name', view.accountName],
    ['Plan', view.plan],
    ['Mode', view.mode],
    ['State', view.state],
    ['Created', view.createdAt],
    ['Ends', view.expiresAt],
    ['Revoked', view.revokedAt],
  ]);
}
