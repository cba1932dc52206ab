/** The secrets of a process. Each is remembered for five minutes. */

import type { Clock } from '../../base/clock';
import { loadOnce } from '../../base/concurrency';
import { createDeadline, type Deadline, signalWithin } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import { awsTimes } from '../../contract/timeouts';

/** Time for which a secret is remembered, in milliseconds. A new value takes effect after that. */
const secretTtlMs = 300_000;

/** Reads the text of a secret. Throws if it does not exist, or without an answer in time. */
export type ReadSecret = (secretId: string, deadline?: Deadline) => Promise<string>;

/** Creates the reader of a process. */
export function createSecretReader(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const secrets = createExpiringCache<Promise<string>>(100);
  const connect = loadOnce(async () => (await import('./secrets-manager')).connectSecretsManager());
  return (secretId, deadline = createDeadline(Infinity)) => {
    const knownSecret = secrets.get(secretId, clock.nowMs());
    if (knownSecret) return knownSecret;
    const secret = connect().then((fetchSecret) =>
      fetchSecret(secretId, signalWithin({ clock, deadline }, awsTimes.secretMs)),
    );
    secrets.set(secretId, secret, clock.nowMs() + secretTtlMs);
    secret.catch(() => secrets.delete(secretId));
    return secret;
  };
}
