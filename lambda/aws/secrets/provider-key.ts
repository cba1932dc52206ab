/** Reads the keys of providers and models, which stand together in one secret. */

import { parseJson } from '../../base/parse';

/**
 * Reads the key of a provider or a model, by its name in a secret that is a JSON object. A key that is an
 * object itself is returned as JSON; `undefined` if the operator has set none.
 * @param secretId absent if no bound provider needs a key
 * @throws when the secret cannot be read; the error repeats nothing of its text
 */
export async function readProviderKey(
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
