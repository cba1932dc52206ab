/** Secrets, kept for a while; the SDK's client is loaded with the first one. */

import type { Clock } from '../../base/clock';
import { type Deadline, deadlineAt, signalWithin } from '../../base/deadline';
import { createExpiringCache, type ExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse-json';
import { secretTimeoutMs } from '../../contract/timeouts';

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
    fetchSecret(secretId, signalWithin({ clock, deadline }, secretTimeoutMs)),
  );
  kept.set(secretId, reading, clock.nowMs() + keptForMs);
  reading.catch(() => kept.delete(secretId));
  return reading;
}

/**
 * The key of a provider or a model, of those that are kept together in one secret: a JSON object from name to key, a text or
 * an object, which is given as JSON. `undefined` when the operator has set none.
 * @param secretId absent when nothing that is bound needs a key
 * @throws when the secret cannot be read; the error repeats nothing of its text, which holds keys
 */
export async function readKeyOf(
  readSecret: (secretId: string) => Promise<string>,
  secretId: string | undefined,
  name: string,
): Promise<string | undefined> {
  if (secretId === undefined) return undefined;
  const keys = parseJson(await readSecret(secretId));
  if (keys === undefined) throw new Error('The secret with the provider keys is no JSON');
  const key = (keys as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof key === 'object' && key !== null) return JSON.stringify(key);
  return typeof key === 'string' && key !== '' ? key : undefined;
}
