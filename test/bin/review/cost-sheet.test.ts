/** The cost sheet is current, and within the promised costs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classes, costOf, costSheet } from '../../../bin/review/cost-sheet';

test('the committed cost sheet is current (else: npm run synth)', () => {
  expect(readFileSync(join(__dirname, '..', '..', '..', 'docs', 'cost.md'), 'utf8')).toBe(costSheet());
});

test('a million stock redirects of a known caller cost at most 4.75 dollars', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm');
  expect(costOf(warm ?? { name: '', functions: [], writes: 1e9, reads: 0 }) * 1e6).toBeLessThanOrEqual(4.75);
});

test('the cost of a request is the sum of its call, invocations, duration, reads and writes', () => {
  const functions = [{ memoryMb: 1_024, billedMs: 1_000 }];
  const usage = { name: 'any', functions, writes: 2, reads: 4, puts: 1, gets: 10 };
  const micro = 3.5 + 0.2 + 13.3334 + 2 * 0.625 + 4 * 0.125 + 5 + 4;
  expect(costOf(usage) * 1e6).toBeCloseTo(micro, 6);
});
