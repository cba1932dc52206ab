/** Months of a history, and the thresholds of a quota. */

import fc from 'fast-check';
import { thresholdsReachedBy } from '../../../lambda/quota/quota';
import { daysOfMonth, lastMonths } from '../../../lambda/quota/usage/usage';

describe('the last months', () => {
  it('end with the running one and go back over the turn of the year', () => {
    expect(lastMonths(Date.UTC(2026, 1, 28), 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  });

  it('skip no month on the 31st', () => {
    expect(lastMonths(Date.UTC(2026, 2, 31, 23, 59), 2)).toEqual(['2026-02', '2026-03']);
  });
});

test.each([
  ['2026-01', 31],
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-11', 30],
  ['2026-12', 31],
])('%s has %i days', (month, days) => {
  const labels = daysOfMonth(month);
  expect([labels.length, labels[0], labels.at(-1)]).toEqual([days, `${month}-01`, `${month}-${days}`]);
});

describe('the thresholds of a quota', () => {
  it('are each reached by exactly one value on the way to the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), (limit) => {
        const reached = Array.from({ length: limit }, (_, i) => thresholdsReachedBy(i + 1, limit)).flat();
        expect(reached).toEqual([80, 100]);
      }),
    );
  });

  it.each([
    [799, 1_000, []],
    [800, 1_000, [80]],
    [801, 1_000, []],
    [1_000, 1_000, [100]],
    [4, 5, [80]],
    [3, 3, [80, 100]],
  ])('used %d of %d: %j', (used, limit, expected) => {
    expect(thresholdsReachedBy(used, limit)).toEqual(expected);
  });
});
