/** Use this where a test calls many functions of a module with the same services. */

import type { StoredKey } from '../../lambda/credentials/key-store';
import type * as manageKeys from '../../lambda/credentials/manage-keys';

export type Bound<M> = {
  readonly [N in keyof M as M[N] extends (services: never, ...rest: never) => unknown
    ? N
    : never]: M[N] extends (services: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** A module’s functions with their first argument given. @param module as by `import * as keys from …` */
export function bindServices<M extends object>(services: object, module: M): Bound<M> {
  const functions = Object.entries(module).flatMap(([name, member]) =>
    typeof member === 'function'
      ? [[name, (...parameters: unknown[]) => member(services, ...parameters)]]
      : [],
  );
  return Object.fromEntries(functions) as Bound<M>;
}

/** What ends a key, by its public handle: `undefined` when there is no such key. */
export function createKeyEndings({ findKeyById, rotateKey, revokeKey }: Bound<typeof manageKeys>) {
  const findAndEnd = async <T>(keyId: string, act: (key: StoredKey) => Promise<T>) => {
    const key = await findKeyById(keyId);
    return key && act(key);
  };
  return {
    rotateKey: (keyId: string, overlapMs: number) => findAndEnd(keyId, (key) => rotateKey(key, overlapMs)),
    revokeKey: (keyId: string) => findAndEnd(keyId, revokeKey),
  };
}
