/** Validates the request of an owner for a new credential, and shows credentials to the owner. */

import type { ParameterFault } from '../problems/problem';
import { writeReceived } from '../problems/received';
import type { StoredKey } from './key-store';
import type { KeyRequest } from './manage-keys';
import { type NewKey, type OwnKey, originsBounds } from './own-keys';
import { type AllowedOrigin, originForm, parseAllowedOrigin } from './site-key';

/** Makes the form in which an owner sees a credential. */
export function makeOwnKey(key: StoredKey, lastUsedOn: string | null = null): OwnKey {
  const { keyId, name, publishedAs, mode, role, prefix, createdAt } = key;
  return {
    id: keyId,
    name,
    kind: publishedAs ?? 'api',
    mode,
    role: publishedAs ? null : (role ?? 'member'),
    prefix: prefix ?? keyId,
    createdAt,
    lastUsedOn,
    revokedAt: key.revokedAt ?? null,
    expiresAt: key.expiresAt ?? null,
    origins: key.origins ? [...key.origins] : null,
    maxPerMonth: key.maxPerMonth ?? null,
  };
}

/** Validates a request for a credential. A fault names a field that is missing, or that this kind of credential does not have. */
export function validateNewKey({ kind, origins = [], ...fields }: NewKey): NewKeyResult {
  const { mode, role, maxPerMonth } = fields;
  const publishedAs = kind === 'api' ? undefined : kind;
  if (role === 'owner' && (publishedAs || mode === 'test'))
    return refuseField('role', 'member, but for live API keys', role);
  if (kind === 'signer' && maxPerMonth !== undefined)
    return refuseField('maxPerMonth', 'absent for signers', String(maxPerMonth));
  if (kind !== 'site' && origins.length > 0) return refuseField('origins', 'absent, but for site keys');
  if (kind !== 'site') return { request: { ...fields, publishedAs } };
  if (origins.length === 0) return refuseField('origins', originsBounds);
  if (maxPerMonth === undefined) return refuseField('maxPerMonth', 'required for site keys');
  const allowedOrigins: AllowedOrigin[] = [];
  for (const [i, text] of origins.entries()) {
    const origin = parseAllowedOrigin(text, mode);
    if (origin === undefined) return refuseField(`origins[${i}]`, originForm, writeReceived(text));
    allowedOrigins.push(origin);
  }
  return { request: { ...fields, publishedAs, origins: allowedOrigins } };
}

type NewKeyResult = { readonly request: Omit<KeyRequest, 'plan'> } | { readonly fault: ParameterFault };

const refuseField = (parameter: string, bounds: string, received?: string): NewKeyResult => ({
  fault: { parameter, bounds, ...(received !== undefined && { received }) },
});
