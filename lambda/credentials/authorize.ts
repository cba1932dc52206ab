/** Finds the caller of a credential, by one read of the key table or in the memory of the instance. */

import { dropUndefined } from '../base/drop-undefined';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import type { AuthorizerResult, KeyedCaller } from './caller';
import type { Credential } from './credential';
import { findKey, type KeyServices, type StoredKey } from './key-store';
import { checkOrigin } from './site-key';

/** Time for which a key is remembered, in milliseconds. A revocation takes twice as long at most. */
export const keyTtlMs = 30_000;
/** Time for which an unknown key is refused without a read. It is short, because the key may be issued meanwhile. */
const unknownKeyTtlMs = 5_000;

/** Creates the two memories of an instance of the authorizer. */
export const createKeyCaches = () => ({
  issued: createExpiringCache<StoredKey>(5_000),
  // Unknown keys have their own memory, so that invented keys push no issued key out.
  unknown: createExpiringCache<true>(500),
});

export interface CredentialServices extends KeyServices {
  readonly keyCaches: ReturnType<typeof createKeyCaches>;
  readonly telemetry: Telemetry;
}

/** Finds the caller of a credential, or a refusal. It never throws: an outage of the table is a refusal too. */
export async function authorizeCredential(
  services: CredentialServices,
  credential: Credential | undefined,
): Promise<AuthorizerResult> {
  if (!credential) return { kind: 'anonymous' };
  const { reference, refusal, page } = credential;
  if (reference === undefined) return { refusal };
  try {
    const key = await findRememberedKey(services, reference);
    if (!key || !isUsable(key, services.clock.nowMs())) return { refusal };
    const origin = page ? checkOrigin(key.origins ?? [], page, key.mode) : 'allowed';
    if (origin === 'refused') return { refusal: 'origin_not_allowed' };
    return makeCaller(key, origin === 'unproven');
  } catch (error) {
    services.telemetry.error('The key table did not answer', error);
    return { refusal: 'service_unavailable' };
  }
}

async function findRememberedKey(services: CredentialServices, reference: string) {
  const { clock, keyCaches } = services;
  const issuedKey = keyCaches.issued.get(reference, clock.nowMs());
  if (issuedKey || keyCaches.unknown.get(reference, clock.nowMs())) return issuedKey;
  const key = await findKey(services, reference);
  if (key) keyCaches.issued.set(reference, key, clock.nowMs() + keyTtlMs);
  else keyCaches.unknown.set(reference, true, clock.nowMs() + unknownKeyTtlMs);
  return key;
}

function makeCaller(key: StoredKey, isUnproven: boolean): KeyedCaller {
  const { mode: kind, account, accountName, plan, keyId, role, publishedAs, maxPerMonth } = key;
  const caller = { kind, account, accountName, plan, keyId, role, publishedAs, maxPerMonth };
  return dropUndefined({ ...caller, ...(isUnproven && { isUnproven }) });
}

/** Checks that a key is neither revoked nor past its end. During a rotation, the end of the old key is in the future. */
export function isUsable({ revokedAt, expiresAt }: StoredKey, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
