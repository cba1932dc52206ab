/** The keys of providers and generators, kept together in one secret: a JSON object from name to key, a text or an object. */

import type { ReadSecret } from './read-secret';

/** The key of a name, one that is an object as JSON; or `undefined` when the operator has set none. @throws when the secret cannot be read. */
export type ReadKey = (name: string) => Promise<string | undefined>;

/** @param secretId absent when nothing that is bound needs a key */
export function createReadKey(readSecret: ReadSecret, secretId: string | undefined): ReadKey {
  return async (name) => {
    if (secretId === undefined) return undefined;
    let keys: unknown;
    try {
      keys = JSON.parse(await readSecret(secretId));
    } catch (error) {
      // The parser's message would repeat the text, which holds keys.
      if (error instanceof SyntaxError) throw new Error('The secret with the provider keys is no JSON');
      throw error;
    }
    const key = (keys as Readonly<Record<string, unknown>> | null)?.[name];
    if (typeof key === 'object' && key !== null) return JSON.stringify(key);
    return typeof key === 'string' && key !== '' ? key : undefined;
  };
}
