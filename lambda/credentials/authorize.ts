/** Finds the caller of a credential: at most one read, and none for a key that was mistyped or invented. */

import { createExpiringCache, type ExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import { readApiKey } from './api-key';
import type { KeyRecord, KeyRef } from './api-keys';
import type { Admission, CredentialFault, KeyedCaller } from './caller';
import type { Credential } from './credential';
import { findKey, type KeyServices } from './key-store';
import { readSignerId } from './signer';
import { checkOrigin, readSiteKey } from './site-key';

/** How long an issued key is known without another read, in milliseconds: half of the time a revocation may take. */
const cachedForMs = 30_000;
/** How long a key that was never issued is refused without another read, in milliseconds; short, as it may be issued now. */
const unknownForMs = 5_000;
const keysRememberedMax = 5_000;
/** Apart from those that were issued, so that invented keys push none of them out. */
const unknownRememberedMax = 500;

/** What one instance of the authorizer knows of keys for a while. */
export interface KnownKeys {
  readonly issued: ExpiringCache<KeyRecord>;
  readonly unknown: ExpiringCache<true>;
}

/** An instance that knows none yet. */
export function noKnownKeys(): KnownKeys {
  return {
    issued: createExpiringCache(keysRememberedMax),
    unknown: createExpiringCache(unknownRememberedMax),
  };
}

/** What authorizing needs of the services of the authorizer. */
export interface AuthorizeServices extends KeyServices {
  readonly knownKeys: KnownKeys;
  readonly telemetry: Telemetry;
}

/**
 * Resolves a credential to its caller; what is refused is a value. Never throws: a table that does not answer is an
 * `outage`, which the image handler turns into a card.
 */
export async function authorize(services: AuthorizeServices, credential: Credential): Promise<Admission> {
  if (credential.kind === 'none') return { outcome: 'known', caller: { kind: 'anonymous' } };
  const { ref, fault } = lookupOf(credential);
  if (ref === undefined) return { outcome: 'refused', code: fault };
  try {
    const record = await knownKey(services, ref);
    if (!record || !isUsable(record, services.clock.nowMs())) return { outcome: 'refused', code: fault };
    const origin =
      credential.kind === 'site'
        ? checkOrigin(record.origins ?? [], credential.page, record.mode)
        : 'allowed';
    if (origin === 'refused') return { outcome: 'refused', code: 'origin_not_allowed' };
    return { outcome: 'known', caller: callerOf(record, origin === 'unproven') };
  } catch (error) {
    services.telemetry.error('The key table did not answer', error);
    return { outcome: 'outage' };
  }
}

/** A key as this instance knows it, or else as the table does. */
async function knownKey(services: AuthorizeServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const { clock, knownKeys } = services;
  const issued = knownKeys.issued.get(ref, clock.nowMs());
  if (issued || knownKeys.unknown.get(ref, clock.nowMs())) return issued;
  const record = await findKey(services, ref);
  if (record) knownKeys.issued.set(ref, record, clock.nowMs() + cachedForMs);
  else knownKeys.unknown.set(ref, true, clock.nowMs() + unknownForMs);
  return record;
}

/** Where the record of a credential is, if it is well formed, and what its refusal is called. */
function lookupOf(credential: Exclude<Credential, { kind: 'none' }>): {
  readonly ref?: KeyRef | undefined;
  readonly fault: CredentialFault;
} {
  switch (credential.kind) {
    case 'key':
      return { ref: readApiKey(credential.key)?.hash, fault: 'invalid_api_key' };
    case 'signer':
      return { ref: readSignerId(credential.id), fault: 'invalid_signature' };
    case 'site':
      return { ref: readSiteKey(credential.key), fault: 'invalid_site_key' };
    case 'unreadable':
      return { fault: 'invalid_api_key' };
    case 'conflicting':
      return { fault: 'conflicting_parameters' };
  }
}

function callerOf(
  { mode: kind, account, accountName, plan, keyId, role, publishedAs, maxPerMonth }: KeyRecord,
  isUnproven: boolean,
): KeyedCaller {
  return {
    kind,
    account,
    ...(accountName === undefined ? {} : { accountName }),
    plan,
    keyId,
    ...(role && { role }),
    ...(publishedAs && { publishedAs }),
    ...(isUnproven && { isUnproven }),
    ...(maxPerMonth === undefined ? {} : { maxPerMonth }),
  };
}

/** Whether a key is neither revoked nor expired; a date in the future (an overlap) still lets it through. */
export function isUsable({ revokedAt, expiresAt }: KeyRecord, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
