/** Windows of a minute, an hour, a day and a month: UTC, without gaps or overlaps. */

import fc from 'fast-check';
import {
  computeDayWindow,
  computeHourWindow,
  computeMinuteWindow,
  computeMonthWindow,
  computeSecondsUntil,
  listDaysOfMonth,
} from '../../lambda/base/window';

const parseMs = (iso: string) => Date.parse(iso);
const moment = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2199, 11) });
const anyWindow = fc.constantFrom(
  computeMinuteWindow,
  computeHourWindow,
  computeDayWindow,
  computeMonthWindow,
);

describe('computeMonthWindow', () => {
  test.each([
    ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01', 31],
    ['2026-02-28T23:59:59.999Z', '2026-02', '2026-03-01', 28],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01', 29],
    ['2100-02-28T23:59:59.999Z', '2100-02', '2100-03-01', 28],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01', 31],
    ['2026-12-31T23:30:00.000-02:00', '2027-01', '2027-02-01', 31],
  ])('the month of %s is %s and ends on %s', (iso, label, end, days) => {
    const window = computeMonthWindow(parseMs(iso));
    expect(window).toMatchObject({ kind: 'month', label, endsMs: parseMs(end) });
    expect(window.endsMs - window.startMs).toBe(days * 86_400_000);
    const labels = listDaysOfMonth(label);
    expect([labels.length, labels[0], labels.at(-1)]).toEqual([days, `${label}-01`, `${label}-${days}`]);
  });
});

test('a window contains its moment until the next window begins', () => {
  fc.assert(
    fc.property(moment, anyWindow, (now, computeWindow) => {
      const window = computeWindow(now);
      expect(window.startMs).toBeLessThanOrEqual(now);
      expect(window.endsMs).toBeGreaterThan(now);
      const nextWindow = computeWindow(window.endsMs);
      expect(nextWindow.startMs).toBe(window.endsMs);
      expect(nextWindow.label > window.label).toBe(true);
    }),
  );
});

test.each([
  [3_600_000, 3_600],
  [3_599_999, 3_600],
  [3_599_000, 3_599],
  [1, 1],
  [0, 1],
  [-5_000, 1],
])('%d ms before a moment, a client waits for %d s', (leftMs, seconds) =>
  expect(computeSecondsUntil(10_000_000, 10_000_000 - leftMs)).toBe(seconds),
);
