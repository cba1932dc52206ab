/** Marks of paid images on a table in memory, with the calls that were made. */

import { createPaidImages, markIn } from '../../lambda/quota/dynamodb/paid-images';
import type { PaidImages, PaidMark } from '../../lambda/quota/paid-images';
import { observed, tablesInMemory } from './observed';

type Operation = keyof PaidImages;

export interface FakePaidImages extends PaidImages {
  /** The calls in order. */
  readonly calls: readonly Operation[];
  /** The mark under a key. */
  markOf(key: string): PaidMark;
  /** From now on these calls throw. */
  fail(...calls: readonly Operation[]): void;
}

export function createFakePaidImages(): FakePaidImages {
  const { memory, db } = tablesInMemory();
  const calls: Operation[] = [];
  let failing: readonly Operation[] = [];
  const paidImages = observed(createPaidImages(db, 'quotaCounters'), (operation) => {
    calls.push(operation);
    if (failing.includes(operation)) throw new Error(`The table did not answer ${operation}`);
  });
  return {
    ...paidImages,
    calls,
    markOf: (key) => markIn(memory.items('quotaCounters').get(key)),
    fail: (...names) => {
      failing = names;
    },
  };
}
