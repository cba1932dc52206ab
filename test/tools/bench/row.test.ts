/** How samples become a row, a row a verdict, and rows a table and a record. */

import { recordInto, resultCells } from '../../../tools/bench/record';
import { median, percentile, type Row, rowOf, verdictOf } from '../../../tools/bench/row';

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

test('a ratio at its highest is still within target', () => {
  expect(verdictOf({ ratio: 2.4, ratioMax: 2.4 })).toBe('within target');
  expect(verdictOf({ ratio: 2.41, ratioMax: 2.4 })).toBe('ABOVE TARGET');
});

test('a throughput at its lowest is still within target', () => {
  expect(verdictOf({ ratio: 0.03, ratioMin: 0.03 })).toBe('within target');
  expect(verdictOf({ ratio: 0.029, ratioMin: 0.03 })).toBe('BELOW TARGET');
});

const row: Row = { ...named, measured: 65.44, least: 26_178, ratio: 2.5, ratioMax: 2.4 };

test('a row states its ratio, its target and its verdict, with three digits that count', () => {
  const [, , ...cells] = resultCells(row);
  expect(cells).toEqual(['2.50 ×', '≤ 2.40 ×', 'ABOVE TARGET', '65.4', '26200', 'CPU ms']);
});

test('a record replaces the results of the page, states date and machine, and leaves the other text', () => {
  const page = ['run', 'results'].map((part) => `<!-- ${part} -->\nold\n<!-- /${part} -->`);
  const run = { machine: 'linux x64, 2 cores', date: '2026-11-21' };
  const record = recordInto(`By hand.\n${page.join('\n')}\nBelow.`, [row], run);
  expect(record).toMatch(/^By hand\.[\s\S]*Below\.$/);
  expect(record).not.toContain('old');
  expect(record).toContain('on 2026-11-21: linux x64, 2 cores');
  expect(record).toContain(`| ${resultCells(row).join(' | ')} |`);
  expect(() => recordInto('By hand.', [row], run)).toThrow('no part "run"');
});
