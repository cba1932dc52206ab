/** Reads secrets from AWS Secrets Manager and keeps them for a while; the SDK is loaded with the first one. */

import type { Clock } from '../../base/clock';
import { createExpiringCache } from '../../base/expiring-cache';
import { lazily } from '../../base/lazily';
import { createSingleFlight } from '../../base/single-flight';

/** How long a secret is kept in memory, in milliseconds: a replaced one takes effect after that. */
const keptForMs = 300_000;
/** More than one function reads. */
const secretsMax = 100;

/** The text of a secret. @throws when there is none, or Secrets Manager does not answer. */
export type ReadSecret = (secretId: string) => Promise<string>;

/** Reads a secret once in five minutes, whoever asks; a failed read is repeated by the next caller. */
export function createReadSecret(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const kept = createExpiringCache<string>(secretsMax);
  const fetchOnce = createSingleFlight<string>();
  const loadFetch = lazily(async () => (await import('./secrets-manager')).connectSecretsManager());
  const fetchSecret = async (secretId: string): Promise<string> => {
    const fetch = await loadFetch();
    const endsMs = clock.nowMs() + keptForMs;
    const value = await fetch(secretId);
    if (value === undefined) throw new Error(`The secret ${secretId} holds no text`);
    kept.set(secretId, value, endsMs);
    return value;
  };
  return async (secretId) =>
    kept.get(secretId, clock.nowMs()) ?? fetchOnce(secretId, () => fetchSecret(secretId)).result;
}
