/** Loaded before each test file where `FC_NUM_RUNS` is set: the least number of inputs of properties. */

import type * as FastCheck from 'fast-check';

jest.mock('fast-check', () => {
  const actual = jest.requireActual<typeof FastCheck>('fast-check');
  const numRunsMin = Number(process.env['FC_NUM_RUNS']);
  const assert = (
    property: FastCheck.IRawProperty<unknown>,
    parameters: FastCheck.Parameters<unknown> = {},
  ) => actual.assert(property, { ...parameters, numRuns: Math.max(numRunsMin, parameters.numRuns ?? 100) });
  return { __esModule: true, ...actual, default: { ...actual.default, assert } };
});
