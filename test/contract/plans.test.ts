/** The default plans and their limits. */

import { defaultPlans, unlimitedRequests, waitingPlacesOf } from '../../lambda/contract/plans';

describe('the plans', () => {
  it.each([
    ['free', 1_000, 25, 'totals'],
    ['pro', 50_000, 500, 'by-day'],
    ['business', 500_000, 4_000, 'by-key'],
    ['enterprise', unlimitedRequests, 20_000, 'by-key'],
  ] as const)(
    'grant on %s %d requests and %d AI images a month, and a report of usage with %s',
    (name, monthlyRequests, generationsPerMonth, analytics) =>
      expect(defaultPlans[name]).toEqual({ name, monthlyRequests, generationsPerMonth, analytics }),
  );

  it.each([
    [10, { total: 2, account: 2 }],
    [100, { total: 12, account: 6 }],
    [1_000, { total: 125, account: 31 }],
    [200, { total: 25, account: 12 }],
  ])(
    'let an eighth of %i executions wait at most, and a share of these for one account',
    (executions, places) => expect(waitingPlacesOf(executions)).toEqual(places),
  );
});
