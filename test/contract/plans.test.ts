/** How many requests may wait for AI images, by the executions of the account. */

import { waitingPlacesOf } from '../../lambda/contract/plans';

it.each([
  [10, { total: 2, account: 2 }],
  [100, { total: 12, account: 6 }],
  [1_000, { total: 125, account: 31 }],
  [200, { total: 25, account: 12 }],
])('of %i executions an eighth waits at most, and for one account a share of it', (executions, places) =>
  expect(waitingPlacesOf(executions)).toEqual(places),
);
