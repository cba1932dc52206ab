/** Secrets, kept for a while; the SDK's client is loaded with the first one. */

import type { Clock } from '../../base/clock';
import { type Deadline, deadlineAt, signalWithin } from '../../base/deadline';
import { createExpiringCache, type ExpiringCache } from '../../base/expiring-cache';
import { awsTimes } from '../../contract/timeouts';

/** How long a secret is kept in memory, in milliseconds: a replaced one takes effect after that. */
const keptForMs = 300_000;

/** The secrets that a process has read, or is reading. */
export interface Secrets {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly kept: ExpiringCache<Promise<string>>;
}

/** Those of a process that starts. */
export function noSecrets(clock: Pick<Clock, 'nowMs'>): Secrets {
  return { clock, kept: createExpiringCache(100) };
}

/**
 * The text of a secret, read once in five minutes, whoever asks.
 * @throws when there is none, or Secrets Manager does not answer in time; the next caller asks again
 */
export function readSecret(
  { clock, kept }: Secrets,
  secretId: string,
  deadline: Deadline = deadlineAt(Infinity),
): Promise<string> {
  const known = kept.get(secretId, clock.nowMs());
  if (known) return known;
  const reading = import('./secrets-manager').then(({ fetchSecret }) =>
    fetchSecret(secretId, signalWithin({ clock, deadline }, awsTimes.secretMs)),
  );
  kept.set(secretId, reading, clock.nowMs() + keptForMs);
  reading.catch(() => kept.delete(secretId));
  return reading;
}
