/** The keys of providers and generators, kept together in one secret: a JSON object from name to key. */

import type { ReadSecret } from './read-secret';

/** The key of a name, or `undefined` when the operator has set none. @throws when the secret cannot be read. */
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
    return typeof key === 'string' && key !== '' ? key : undefined;
  };
}
