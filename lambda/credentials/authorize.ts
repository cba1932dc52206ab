/** Resolves a credential to its caller, by one read of the key table or from the memory of the instance. */

import { dropUndefined } from '../base/drop-undefined';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import type { AuthorizerResult, KeyedCaller } from './caller';
import type { Credential } from './credential';
import { findKey, type KeyRecord, type KeyRef, type KeyServices } from './key-store';
import { checkOrigin } from './site-key';

/** Time for which a key is remembered, in milliseconds: half of the longest time that a revocation takes. */
export const keyTtlMs = 30_000;
/** Time for which an unknown key is refused without another read: short, as it may be issued meanwhile. */
const unknownKeyTtlMs = 5_000;
const keysRememberedMax = 5_000;
/** Unknown keys are remembered apart, so that invented keys push out none that was issued. */
const unknownRememberedMax = 500;

/** Creates the empty caches of issued and unknown keys of an instance of the authorizer. */
export const createKeyCaches = () => ({
  issued: createExpiringCache<KeyRecord>(keysRememberedMax),
  unknown: createExpiringCache<true>(unknownRememberedMax),
});

export interface AuthorizeServices extends KeyServices {
  readonly keyCaches: ReturnType<typeof createKeyCaches>;
  readonly telemetry: Telemetry;
}

/** Resolves a credential to its caller or a refusal, also when the table does not answer. Never throws. */
export async function authorizeCredential(
  services: AuthorizeServices,
  credential: Credential | undefined,
): Promise<AuthorizerResult> {
  if (!credential) return { kind: 'anonymous' };
  const { ref, refusal, page } = credential;
  if (ref === undefined) return { refusal };
  try {
    const record = await readKey(services, ref);
    if (!record || !isUsable(record, services.clock.nowMs())) return { refusal };
    const origin = page ? checkOrigin(record.origins ?? [], page, record.mode) : 'allowed';
    if (origin === 'refused') return { refusal: 'origin_not_allowed' };
    return makeCaller(record, origin === 'unproven');
  } catch (error) {
    services.telemetry.error('The key table did not answer', error);
    return { refusal: 'service_unavailable' };
  }
}

async function readKey(services: AuthorizeServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const { clock, keyCaches } = services;
  const issued = keyCaches.issued.get(ref, clock.nowMs());
  if (issued || keyCaches.unknown.get(ref, clock.nowMs())) return issued;
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

/** Tells whether a key works: a date in the future, as in an overlap, still lets it through. */
export function isUsable({ revokedAt, expiresAt }: KeyRecord, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
