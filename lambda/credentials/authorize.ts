/** Finds the caller of a credential: at most one read, and none for a key that was mistyped or invented. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import { readApiKey } from './api-key';
import type { ApiKeys, KeyRecord, KeyRef } from './api-keys';
import type { Admission, CredentialFault, KeyedCaller } from './caller';
import type { Credential } from './credential';
import { readSignerId } from './signer';
import { checkOrigin, readSiteKey } from './site-key';

/** How long an issued key is known without another read, in milliseconds: half of the time a revocation may take. */
const cachedForMs = 30_000;
/** How long a key that was never issued is refused without another read, in milliseconds; short, as it may be issued now. */
const unknownForMs = 5_000;
const keysRememberedMax = 5_000;
/** Apart from those that were issued, so that invented keys push none of them out. */
const unknownRememberedMax = 500;

interface AuthorizeDeps {
  readonly apiKeys: ApiKeys;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Resolves a credential to its caller; what is refused is a value, and an outage of the table is one too. */
export type Authorize = (credential: Credential) => Promise<Admission>;

/** Never throws: a table that does not answer is an `outage`, which the image handler turns into a card. */
export function createAuthorize({ apiKeys, clock, telemetry }: AuthorizeDeps): Authorize {
  const issued = createExpiringCache<KeyRecord>(keysRememberedMax);
  const unknown = createExpiringCache<true>(unknownRememberedMax);

  const recordOf = async (ref: KeyRef): Promise<KeyRecord | undefined> => {
    const cached = issued.get(ref, clock.nowMs());
    if (cached || unknown.get(ref, clock.nowMs())) return cached;
    const record = await apiKeys.find(ref);
    if (record) issued.set(ref, record, clock.nowMs() + cachedForMs);
    else unknown.set(ref, true, clock.nowMs() + unknownForMs);
    return record;
  };

  return async (credential) => {
    if (credential.kind === 'none') return { outcome: 'known', caller: { kind: 'anonymous' } };
    const { ref, fault } = lookupOf(credential);
    if (ref === undefined) return { outcome: 'refused', code: fault };
    try {
      const record = await recordOf(ref);
      if (!record || !isUsable(record, clock.nowMs())) return { outcome: 'refused', code: fault };
      const origin =
        credential.kind === 'site'
          ? checkOrigin(record.origins ?? [], credential.page, record.mode)
          : 'allowed';
      if (origin === 'refused') return { outcome: 'refused', code: 'origin_not_allowed' };
      return { outcome: 'known', caller: callerOf(record, origin === 'unproven') };
    } catch (error) {
      telemetry.error('The key table did not answer', error);
      return { outcome: 'outage' };
    }
  };
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
  { mode: kind, account, accountName, plan, keyId, publishedAs, maxPerMonth }: KeyRecord,
  isUnproven: boolean,
): KeyedCaller {
  return {
    kind,
    account,
    ...(accountName === undefined ? {} : { accountName }),
    plan,
    keyId,
    ...(publishedAs && { publishedAs }),
    ...(isUnproven && { isUnproven }),
    ...(maxPerMonth === undefined ? {} : { maxPerMonth }),
  };
}

/** Whether a key is neither revoked nor expired; a date in the future (an overlap) still lets it through. */
export function isUsable({ revokedAt, expiresAt }: KeyRecord, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
