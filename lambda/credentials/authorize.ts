/** Finds the caller of a credential, by one read of the key table or in the memory of the instance. */

import { dropUndefined } from '../base/drop-undefined';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import type { AuthorizerResult, KeyedCaller } from './caller';
import type { Credential } from './credential';
import { findKey, type KeyRecord, type KeyRef, type KeyServices } from './key-store';
import { checkOrigin } from './site-key';

/** Time for which a key is remembered, in milliseconds. A revocation takes twice as long at most. */
export const keyTtlMs = 30_000;
/** Time for which an unknown key is refused without a read. It is short, because the key may be issued meanwhile. */
const unknownKeyTtlMs = 5_000;

/** Creates the two memories of an instance of the authorizer. */
export const createKeyCaches = () => ({
  issued: createExpiringCache<KeyRecord>(5_000),
  // Unknown keys have their own memory, so that invented keys push no issued key out.
  unknown: createExpiringCache<true>(500),
});

export interface AuthorizeServices extends KeyServices {
  readonly keyCaches: ReturnType<typeof createKeyCaches>;
  readonly telemetry: Telemetry;
}

/** Finds the caller of a credential, or a refusal. Never throws: an outage of the table is a refusal too. */
export async function authorizeCredential(
  services: AuthorizeServices,
  credential: Credential | undefined,
): Promise<AuthorizerResult> {
  if (!credential) return { kind: 'anonymous' };
  const { ref, refusal, page } = credential;
  if (ref === undefined) return { refusal };
  try {
    const record = await findRememberedKey(services, ref);
    if (!record || !isUsable(record, services.clock.nowMs())) return { refusal };
    const origin = page ? checkOrigin(record.origins ?? [], page, record.mode) : 'allowed';
    if (origin === 'refused') return { refusal: 'origin_not_allowed' };
    return makeCaller(record, origin === 'unproven');
  } catch (error) {
    services.telemetry.error('The key table did not answer', error);
    return { refusal: 'service_unavailable' };
  }
}

async function findRememberedKey(services: AuthorizeServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const { clock, keyCaches } = services;
  const issuedKey = keyCaches.issued.get(ref, clock.nowMs());
  if (issuedKey || keyCaches.unknown.get(ref, clock.nowMs())) return issuedKey;
  const record = await findKey(services, ref);
  if (record) keyCaches.issued.set(ref, record, clock.nowMs() + keyTtlMs);
  else keyCaches.unknown.set(ref, true, clock.nowMs() + unknownKeyTtlMs);
  return record;
}

function makeCaller(record: KeyRecord, isUnproven: boolean): KeyedCaller {
  const { mode: kind, account, accountName, plan, keyId, role, publishedAs, maxPerMonth } = record;
  const caller = { kind, account, accountName, plan, keyId, role, publishedAs, maxPerMonth };
  return dropUndefined({ ...caller, ...(isUnproven && { isUnproven }) });
}

/** Returns true if a key works now. During a rotation, the old key has an end in the future. */
export function isUsable({ revokedAt, expiresAt }: KeyRecord, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
