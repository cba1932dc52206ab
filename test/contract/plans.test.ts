/** The plans of the specification and their limits. */

import { defaultPlans, planNames, unlimitedRequests } from '../../lambda/contract/plans';

describe('the plans', () => {
  it.each([
    ['free', 1_000, 10, 25, 600, 'totals'],
    ['pro', 50_000, 25, 500, 3_000, 'by-day'],
    ['business', 500_000, 100, 4_000, 15_000, 'by-key'],
    ['enterprise', unlimitedRequests, 200, 20_000, 60_000, 'by-key'],
  ] as const)(
    '%s: %d requests, %d images at once, %d a month, %d free deliveries an hour, %s',
    (name, monthlyRequests, generationsAtOnce, generationsPerMonth, freeDeliveriesPerHour, analytics) => {
      expect(defaultPlans[name]).toEqual({
        name,
        monthlyRequests,
        generationsAtOnce,
        generationsPerMonth,
        freeDeliveriesPerHour,
        analytics,
      });
    },
  );

  it('are these four and no others', () => {
    expect([...planNames]).toEqual(Object.keys(defaultPlans));
  });

  it('write unlimited as the largest number that 32 bits with a sign hold', () =>
    expect(unlimitedRequests).toBe(2 ** 31 - 1));
});
