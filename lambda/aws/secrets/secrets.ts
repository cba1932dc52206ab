/** Reads secrets, and remembers each for five minutes. */

import type { Clock } from '../../base/clock';
import { loadOnce } from '../../base/concurrency';
import { createDeadline, type Deadline, signalWithin } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import { awsTimes } from '../../contract/timeouts';

/** Time for which a secret is remembered, in milliseconds; a replaced one takes effect after that. */
const secretTtlMs = 300_000;

/** Reads the text of a secret. Throws when there is none, or no answer in time. */
export type ReadSecret = (secretId: string, deadline?: Deadline) => Promise<string>;

/** Creates the reader of a process, which calls Secrets Manager once in five minutes for each secret. */
export function createSecretReader(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const secrets = createExpiringCache<Promise<string>>(100);
  const connecting = loadOnce(async () => (await import('./secrets-manager')).connectSecretsManager());
  return (secretId, deadline = createDeadline(Infinity)) => {
    const cached = secrets.get(secretId, clock.nowMs());
    if (cached) return cached;
    const secret = connecting().then((fetchSecret) =>
      fetchSecret(secretId, signalWithin({ clock, deadline }, awsTimes.secretMs)),
    );
    secrets.set(secretId, secret, clock.nowMs() + secretTtlMs);
    secret.catch(() => secrets.delete(secretId));
    return secret;
  };
}
