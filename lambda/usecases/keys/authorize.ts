/** Finds the caller of a credential: at most one read, and none for a key that was mistyped or invented. */

import { type KeyHash, readApiKey } from '../../domain/caller/api-key';
import type { Admission } from '../../domain/caller/caller';
import type { Credential } from '../../domain/caller/credential';
import { createExpiringCache } from '../../domain/expiring-cache';
import type { ApiKeys, KeyRecord } from '../../ports/api-keys';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';

/** How long an issued key is known without another read, in milliseconds: half of the time a revocation may take. */
const knownForMs = 30_000;
/** How long a key that was never issued is refused without another read, in milliseconds; short, as it may be issued now. */
const unknownForMs = 5_000;
const keysRememberedMax = 5_000;

export interface AuthorizeDeps {
  readonly apiKeys: ApiKeys;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type Authorize = (credential: Credential) => Promise<Admission>;

/** Never throws: a table that does not answer is an `outage`, which the image handler turns into a card. */
export function createAuthorize({ apiKeys, clock, telemetry }: AuthorizeDeps): Authorize {
  const remembered = createExpiringCache<{ readonly record: KeyRecord | undefined }>(keysRememberedMax);

  const recordOf = async (hash: KeyHash): Promise<KeyRecord | undefined> => {
    const known = remembered.get(hash, clock.nowMs());
    if (known) return known.record;
    const record = await apiKeys.find(hash);
    remembered.set(hash, { record }, clock.nowMs() + (record ? knownForMs : unknownForMs));
    return record;
  };

  return async (credential) => {
    if (credential.kind === 'none') return { outcome: 'known', caller: { kind: 'anonymous' } };
    const key = credential.kind === 'key' ? readApiKey(credential.key) : undefined;
    if (!key) return { outcome: 'refused' };
    try {
      const record = await recordOf(key.hash);
      if (!record || !isUsable(record, clock.nowMs())) return { outcome: 'refused' };
      const { mode: kind, account, accountName, plan, keyId } = record;
      const name = accountName === undefined ? {} : { accountName };
      return { outcome: 'known', caller: { kind, account, ...name, plan, keyId } };
    } catch (error) {
      telemetry.error('The key table did not answer', error);
      return { outcome: 'outage' };
    }
  };
}

/** Whether a key is neither revoked nor expired; a date in the future (an overlap) still lets it through. */
export function isUsable({ revokedAt, expiresAt }: KeyRecord, nowMs: number): boolean {
  return [revokedAt, expiresAt].every((date) => date === undefined || Date.parse(date) > nowMs);
}
