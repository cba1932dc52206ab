/** Reads secrets from AWS Secrets Manager and keeps them for a while; the SDK is loaded with the first one. */

import type { Clock } from '../../ports/clock';
import type { FetchSecret } from './secrets-manager';

/** How long a secret is kept in memory, in milliseconds: a replaced one takes effect after that. */
const keptForMs = 300_000;

/** The text of a secret. @throws when there is none, or Secrets Manager does not answer. */
export type ReadSecret = (secretId: string) => Promise<string>;

export function createReadSecret(clock: Pick<Clock, 'nowMs'>): ReadSecret {
  const kept = new Map<string, { readonly value: Promise<string>; readonly endsMs: number }>();
  let client: Promise<FetchSecret> | undefined;
  const fetchSecret = async (secretId: string): Promise<string> => {
    client ??= import('./secrets-manager').then(({ connectSecretsManager }) => connectSecretsManager());
    const value = await (await client)(secretId);
    if (value === undefined) throw new Error(`The secret ${secretId} holds no text`);
    return value;
  };
  return (secretId) => {
    const known = kept.get(secretId);
    if (known && known.endsMs > clock.nowMs()) return known.value;
    const value = fetchSecret(secretId);
    kept.set(secretId, { value, endsMs: clock.nowMs() + keptForMs });
    value.catch(() => kept.delete(secretId));
    return value;
  };
}
