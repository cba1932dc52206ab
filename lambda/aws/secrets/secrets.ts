/** Reads secrets, and remembers each for five minutes. One secret holds the keys of providers and models. */

import type { Clock } from '../../base/clock';
import { createSharedLoader } from '../../base/concurrency';
import { createDeadline, createSignal, type Deadline } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse';
import { awsTimes } from '../../contract/timeouts';

/** Time for which a secret is remembered, in milliseconds. A new value takes effect after that. */
const secretTtlMs = 300_000;

/** Reads the text of a secret. Throws if it does not exist, or without an answer in time. */
export type ReadSecret = (secretId: string, deadline?: Deadline) => Promise<string>;

/** Creates a reader that remembers each secret for `secretTtlMs`. */
export function createSecretReader(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const secrets = createExpiringCache<Promise<string>>(100);
  const connect = createSharedLoader(async () => (await import('./secrets-manager')).connectSecretsManager());
  return (secretId, deadline = createDeadline(Infinity)) => {
    const knownSecret = secrets.get(secretId, clock.nowMs());
    if (knownSecret) return knownSecret;
    const secret = connect().then((fetchSecret) =>
      fetchSecret(secretId, createSignal({ clock, deadline }, awsTimes.secretMs)),
    );
    secrets.set(secretId, secret, clock.nowMs() + secretTtlMs);
    secret.catch(() => secrets.delete(secretId));
    return secret;
  };
}

/** Reads a key by its name in the JSON object of the secret. A key that is an object is returned as JSON. */
export async function readProviderKey(
  readSecret: ReadSecret,
  secretId: string | undefined,
  name: string,
): Promise<string | undefined> {
  if (secretId === undefined) return undefined;
  const keys = parseJson(await readSecret(secretId));
  // The error repeats nothing of the secret.
  if (keys === undefined) throw new Error('The secret with the provider keys is no JSON');
  const key = (keys as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof key === 'object' && key !== null) return JSON.stringify(key);
  return typeof key === 'string' && key !== '' ? key : undefined;
}
