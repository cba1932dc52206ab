/** Loaded before each test file by `npm run verify -- --fuzz`: every property is tried for `FUZZ_MS` milliseconds, and the number of its inputs written to `FUZZ_COUNTS`. */

import { appendFileSync } from 'node:fs';
import type * as FastCheck from 'fast-check';

jest.mock('fast-check', () => {
  const actual = jest.requireActual<typeof FastCheck>('fast-check');
  const { FUZZ_MS, FUZZ_COUNTS = '' } = process.env;

  function report(details: FastCheck.RunDetails<unknown>): void {
    appendFileSync(FUZZ_COUNTS, `${details.numRuns}\n`);
    // One that the time did not suffice for has no counterexample.
    if (details.counterexample !== null) throw new Error(actual.defaultReportMessage(details));
  }

  /** As `assert`, for a time in place of a number of inputs. */
  function assert(property: FastCheck.IRawProperty<unknown>, parameters: FastCheck.Parameters<unknown> = {}) {
    const details = actual.check(property, {
      ...parameters,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: Number(FUZZ_MS),
      markInterruptAsFailure: false,
    }) as FastCheck.RunDetails<unknown> | Promise<FastCheck.RunDetails<unknown>>;
    return details instanceof Promise ? details.then(report) : report(details);
  }

  return { __esModule: true, ...actual, default: { ...actual.default, assert } };
});
