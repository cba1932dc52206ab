/** How many requests may wait follows from the executions of the account. */

import { ampleExecutions, newAccountExecutions, waitingRequestsMax } from '../../lambda/contract/executions';
import { waitingBoundOf } from '../../lambda/generation/admit-waiting';

test.each([
  [0, 1],
  [1, 1],
  [newAccountExecutions, 3],
  [50, 15],
  [99, 29],
  [ampleExecutions, undefined],
  [1_000, undefined],
])('of %d unreserved executions, %p may wait', (unreserved, bound) => {
  expect(waitingBoundOf(unreserved)).toBe(bound);
});

test('each waiting request and its generator fit in, and a third of the executions is left over', () => {
  for (let unreserved = newAccountExecutions; unreserved < ampleExecutions; unreserved++)
    expect(2 * (waitingBoundOf(unreserved) ?? 0)).toBeLessThanOrEqual((unreserved * 2) / 3);
});

test('the places fit into one item', () => {
  expect(waitingBoundOf(ampleExecutions - 1)).toBeLessThanOrEqual(waitingRequestsMax);
});
