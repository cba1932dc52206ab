/** A cache that evicts entries when they expire and when it is full. */

import fc from 'fast-check';
import { createExpiringCache } from '../../lambda/base/expiring-cache';

test('an expiring cache returns the latest value until it expires or is deleted', () => {
  const cache = createExpiringCache<string>(10);
  expect(cache.get('__proto__', 0)).toBeUndefined();
  cache.set('a', 'one', 100);
  expect(cache.get('a', 99)).toBe('one');
  cache.set('a', 'two', 50);
  expect(cache.get('a', 49)).toBe('two');
  expect(cache.get('a', 50)).toBeUndefined();
  expect(cache.get('a', 49)).toBeUndefined();
  cache.set('a', 'one', 100);
  cache.delete('a');
  expect(cache.get('a', 0)).toBeUndefined();
});

test('a full expiring cache drops its oldest value', () => {
  const set = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat());
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(set), (entriesMax, sets) => {
      const cache = createExpiringCache<number>(entriesMax);
      for (const [key, value] of sets) cache.set(key, value, 1);
      const last = new Map(
        sets.toReversed().map(([key]) => [key, sets.findLast(([other]) => other === key)?.[1]]),
      );
      const newestEntries = [...last].slice(0, entriesMax);
      for (const [key, value] of newestEntries) expect(cache.get(key, 0)).toBe(value);
      const keptKeys = ['a', 'b', 'c', 'd', 'e', 'f'].filter((key) => cache.get(key, 0) !== undefined);
      expect(keptKeys.length).toBeLessThanOrEqual(entriesMax);
    }),
  );
});
