/** A register of API keys in memory. */

import {
  type ApiKeyRegister,
  DuplicateKey,
  type KeyChange,
  type KeyRecord,
  refOf,
} from '../../lambda/credentials/api-keys';

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
  const byRef = new Map(records.map((record) => [refOf(record), record]));
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
    find: (ref) => run('find', () => byRef.get(ref)),
    add: (record) =>
      run('add', () => {
        const there = byRef.get(refOf(record));
        if (there && there.keyId !== record.keyId) throw new DuplicateKey('This key was issued before.');
        byRef.set(refOf(record), record);
      }),
    ofAccount: (account) =>
      run('ofAccount', () =>
        [...byRef.values()]
          .filter((record) => record.account === account)
          .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
      ),
    async *all() {
      yield* await run('all', () => [...byRef.values()]);
    },
    change: (ref, change: KeyChange) =>
      run('change', () => {
        const record = byRef.get(ref);
        if (!record) return false;
        byRef.set(ref, { ...record, ...change });
        return true;
      }),
  };
}
