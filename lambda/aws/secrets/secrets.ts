/** Secrets, kept for a while; the SDK's client is loaded with the first one. */

import type { Clock } from '../../base/clock';
import { type Deadline, deadlineAt, signalWithin } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import { lazily } from '../../base/lazily';
import { awsTimes } from '../../contract/timeouts';

/** How long a secret is kept in memory, in milliseconds: a replaced one takes effect after that. */
const keptForMs = 300_000;

/**
 * The text of a secret, read once in five minutes, whoever asks.
 * @throws when there is none, or Secrets Manager does not answer in time; the next caller asks again
 */
export type ReadSecret = (secretId: string, deadline?: Deadline) => Promise<string>;

/** Reads the secrets of a process that starts. */
export function secretReader(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const kept = createExpiringCache<Promise<string>>(100);
  const connecting = lazily(async () => (await import('./secrets-manager')).connectSecretsManager());
  return (secretId, deadline = deadlineAt(Infinity)) => {
    const known = kept.get(secretId, clock.nowMs());
    if (known) return known;
    const reading = connecting().then((fetchSecret) =>
      fetchSecret(secretId, signalWithin({ clock, deadline }, awsTimes.secretMs)),
    );
    kept.set(secretId, reading, clock.nowMs() + keptForMs);
    reading.catch(() => kept.delete(secretId));
    return reading;
  };
}
