/** `computeWaitingPlaces`: how many requests may wait for an AI image. */

import { computeWaitingPlaces } from '../../lambda/contract/plans';

test.each([
  [10, { total: 2, account: 2 }],
  [100, { total: 12, account: 6 }],
  [1_000, { total: 125, account: 31 }],
  [200, { total: 25, account: 12 }],
])('of %i executions, at most an eighth can wait, shared among the accounts', (executions, places) =>
  expect(computeWaitingPlaces(executions)).toEqual(places),
);
