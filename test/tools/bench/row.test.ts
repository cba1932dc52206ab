/** How samples become a row and a row a verdict. */

import { rowOf, verdictOf } from '../../../tools/bench/row';
import { median, percentile, threeDigits } from '../../../tools/bench/statistics';

const named = { group: 'cold', name: 'a start', baseline: 'hand-written', unit: 'CPU ms' } as const;

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([10, 1, 2, 4])).toBe(3);
  expect(() => median([])).toThrow(RangeError);
});

test('a percentile is the smallest value that its share of the samples does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
  expect(() => percentile([], 0.5)).toThrow(RangeError);
});

test('the ratio is the median of the pairs, so that a slow moment of the machine cancels out', () => {
  const row = rowOf({ ...named, measured: [20, 200, 22], least: [10, 100, 10] });
  expect(row).toMatchObject({ measured: 22, least: 10, ratio: 2 });
});

test('samples that do not come in pairs are refused', () => {
  expect(() => rowOf({ ...named, measured: [1, 2], least: [1] })).toThrow(RangeError);
});

test('a ratio at its highest is still within target; without a target it is only stated', () => {
  expect(verdictOf({ ratio: 2.4, ratioMax: 2.4 })).toBe('within');
  expect(verdictOf({ ratio: 2.41, ratioMax: 2.4 })).toBe('above');
  expect(verdictOf({ ratio: 99 })).toBe('stated');
  expect(verdictOf({ ratio: 99, doesMore: true })).toBe('does more');
});

test('a throughput at its lowest is still within target', () => {
  expect(verdictOf({ ratio: 0.03, ratioMin: 0.03, doesMore: true })).toBe('within');
  expect(verdictOf({ ratio: 0.029, ratioMin: 0.03, doesMore: true })).toBe('below');
});

test.each([
  [0.03124, '0.0312'],
  [4.619, '4.62'],
  [334.6, '335'],
  [1_234, '1230'],
  [18_864, '18900'],
  [0, '0'],
])('%d is written with three digits that count', (value, text) => {
  expect(threeDigits(value)).toBe(text);
});
