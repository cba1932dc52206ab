/** Random numbers stay within their bounds, spread evenly, and are the same for the same key. */

import { createRandom } from '../src/random';

const times = Array.from({ length: 400 }, (_, i) => i);

test('every item of a list is picked', () => {
  const random = createRandom('key');
  expect(new Set(times.map(() => random.pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
});

test('numbers spread evenly between their bounds', () => {
  const random = createRandom('key');
  const numbers = times.map(() => random.between(10, 20));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...numbers)).toBeLessThan(20);
  expect(numbers.reduce((sum, each) => sum + each) / times.length).toBeCloseTo(15, 0);
});

test('equal keys give equal streams, also after a fork', () => {
  const [one, other] = [createRandom('key'), createRandom('key')];
  const next = times.map(() => one.next());
  expect(times.map(() => other.next())).toEqual(next);
  expect(one.fork('a').next()).toBe(createRandom('key').fork('a').next());
  const starts = [one.fork('a'), one.fork('b'), one, createRandom('kez')].map((each) => each.next());
  expect(new Set(starts).size).toBe(4);
});
