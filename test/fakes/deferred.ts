/** A promise that a test settles itself, to pause work at a defined point. */

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

export function createDeferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as unknown as Pick<Deferred<T>, 'resolve' | 'reject'>) };
}

/** Lets everything happen that waits for nothing. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whether a promise is settled once everything has happened that waits for nothing. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await breathe();
  return settled;
}
