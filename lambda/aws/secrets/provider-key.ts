/** The keys of providers and models. One secret holds all of them. */

import { parseJson } from '../../base/parse';

/** Reads a key by its name in the JSON object of the secret. A key that is an object is returned as JSON. */
export async function readProviderKey(
  readSecret: (secretId: string) => Promise<string>,
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
