/** A register of API keys in memory. */

import {
  type ApiKeyRegister,
  DuplicateKey,
  type KeyChange,
  type KeyRecord,
} from '../../lambda/ports/api-keys';

type Operation = 'find' | 'add' | 'ofAccount' | 'all' | 'change';

/** A register that counts its calls, fails on demand, and can be paused in the middle of an operation. */
export interface FakeApiKeys extends ApiKeyRegister {
  readonly calls: readonly Operation[];
  /** Makes every operation fail with this error from now on, or work again. */
  failWith(error: Error | undefined): void;
  /** Awaited after an operation has taken effect and before it returns. */
  after(pause: (operation: Operation) => Promise<void> | undefined): void;
}

export function createFakeApiKeys(records: readonly KeyRecord[] = []): FakeApiKeys {
  const byHash = new Map(records.map((record) => [record.hash, record]));
  const calls: Operation[] = [];
  let failure: Error | undefined;
  let pauseAfter: (operation: Operation) => Promise<void> | undefined = () => undefined;

  const run = async <T>(operation: Operation, work: () => T): Promise<T> => {
    calls.push(operation);
    if (failure) throw failure;
    const result = work();
    await pauseAfter(operation);
    return result;
  };

  return {
    calls,
    failWith: (error) => {
      failure = error;
    },
    after: (pause) => {
      pauseAfter = pause;
    },
    find: (hash) => run('find', () => byHash.get(hash)),
    add: (record) =>
      run('add', () => {
        const there = byHash.get(record.hash);
        if (there && there.keyId !== record.keyId) throw new DuplicateKey('This key was issued before.');
        byHash.set(record.hash, record);
      }),
    ofAccount: (account) =>
      run('ofAccount', () =>
        [...byHash.values()]
          .filter((record) => record.account === account)
          .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
      ),
    async *all() {
      yield* await run('all', () => [...byHash.values()]);
    },
    change: (hash, change: KeyChange) =>
      run('change', () => {
        const record = byHash.get(hash);
        if (!record) return false;
        byHash.set(hash, { ...record, ...change });
        return true;
      }),
  };
}
