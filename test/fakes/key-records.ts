/** Records of keys that no other test has. */

import { randomBytes } from 'node:crypto';
import type { KeyHash } from '../../lambda/credentials/api-key';
import type { KeyRecord } from '../../lambda/credentials/key-store';
import { makeSignerId } from '../../lambda/credentials/signer';
import { accountId, allowedOrigin, keyHash } from './branded';

type HashedRecord = KeyRecord & { readonly hash: KeyHash };

/** A new, unique record of an API key. */
export function newRecord(change: Partial<HashedRecord> = {}): HashedRecord {
  return {
    keyId: `key_${randomBytes(6).toString('hex')}`,
    hash: keyHash(randomBytes(32).toString('hex')),
    mode: 'live',
    account: accountId(`acc_${randomBytes(6).toString('hex')}`),
    plan: 'free',
    name: 'Ærø “shop” 🌊',
    createdAt: '2026-11-21T12:00:00.000Z',
    createdBy: 'jane',
    ...change,
  };
}

/** A new, unique record of a signer. */
export function newSigner(change: Partial<KeyRecord> = {}): KeyRecord {
  const { hash: _hash, ...record } = newRecord();
  return { ...record, keyId: makeSignerId('live', randomBytes), publishedAs: 'signer', ...change };
}

/** A new, unique record of a site key. */
export function newSiteKey(change: Partial<HashedRecord> = {}): HashedRecord {
  return newRecord({
    publishedAs: 'site',
    origins: [allowedOrigin('https://example.com'), allowedOrigin('https://*.example.com')],
    maxPerMonth: 500,
    ...change,
  });
}
