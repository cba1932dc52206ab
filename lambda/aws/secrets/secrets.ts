/** Secrets, kept for a while; the SDK's client is loaded with the first one. */

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../../base/clock';
import { type Deadline, deadlineAt, signalWithin } from '../../base/deadline';
import { createExpiringCache, type ExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse-json';
import { type Running, shareWork } from '../../base/single-flight';
import { secretTimeoutMs } from '../../contract/timeouts';

/** How long a secret is kept in memory, in milliseconds: a replaced one takes effect after that. */
const keptForMs = 300_000;
/** More than one function reads. */
const secretsMax = 100;

/** The secrets that a process has read. */
export interface Secrets {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly kept: ExpiringCache<string>;
  /** Concurrent reads of one secret. */
  readonly reading: Running<string>;
  /** Connected with the first one. */
  client?: SecretsManagerClient;
}

/** Those of a process that starts. */
export function noSecrets(clock: Pick<Clock, 'nowMs'>): Secrets {
  return { clock, kept: createExpiringCache(secretsMax), reading: new Map() };
}

/**
 * The text of a secret, read once in five minutes, whoever asks.
 * @throws when there is none, or Secrets Manager does not answer in time; the next caller asks again
 */
export async function readSecret(
  secrets: Secrets,
  secretId: string,
  deadline: Deadline = deadlineAt(Infinity),
): Promise<string> {
  const { clock, kept, reading } = secrets;
  const fetch = async () => {
    const { connectSecretsManager, fetchSecret } = await import('./secrets-manager');
    secrets.client ??= connectSecretsManager();
    const endsMs = clock.nowMs() + keptForMs;
    const signal = signalWithin({ clock, deadline }, secretTimeoutMs);
    const value = await fetchSecret(secrets.client, secretId, signal);
    if (value === undefined) throw new Error(`The secret ${secretId} holds no text`);
    kept.set(secretId, value, endsMs);
    return value;
  };
  return kept.get(secretId, clock.nowMs()) ?? shareWork(reading, secretId, fetch).result;
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
