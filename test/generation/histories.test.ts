/**
 * Plays random histories of AI images: requests, runs of the generator, faults, and clocks that differ.
 * `histories/promises.ts` has the promises that every history must keep. Other tests here put a mistake into
 * the code, and expect a history to find it.
 *
 * A failure prints its seed and path. `HISTORY_SEED=… npx jest histories` plays the same histories again.
 * `FC_NUM_RUNS` plays more of them. CI always plays the same ones.
 */

import fc from 'fast-check';
import type { Mistake } from '../fakes/faulty-world';
import type { Input } from '../fakes/memory-database';
import { histories } from './histories/history';
import { findBrokenPromises } from './histories/play';

const { CI, FC_NUM_RUNS = '800', HISTORY_SEED } = process.env;
const runs = Number(FC_NUM_RUNS);
jest.setTimeout(600_000 + runs * 30);
const seed = Number(HISTORY_SEED ?? (CI ? 1 : Date.now() % 2 ** 31));

const getValues = (input: Input) => input.ExpressionAttributeValues ?? {};
const getKey = ({ Key }: Input) => String(Key?.['pk']);

/**
 * Makes the mistake of leaving out a condition. It concerns the writes that have a value called `valueName`.
 * @param condition the part of the condition expression to leave out; by default all of it
 */
const leaveOut = (valueName: string, condition: string | RegExp = /.*/): Mistake => ({
  input(input) {
    if (!(valueName in getValues(input))) return input;
    const ConditionExpression = input.ConditionExpression?.replace(condition, '') || undefined;
    const expressions = `${input.UpdateExpression} ${ConditionExpression} `;
    // DynamoDB refuses values that no expression uses.
    const usedValues = Object.entries(getValues(input)).filter(([name]) =>
      new RegExp(`${name}\\b`).test(expressions),
    );
    return { ...input, ConditionExpression, ExpressionAttributeValues: Object.fromEntries(usedValues) };
  },
});

const isCharge = (input: Input) => ':one' in getValues(input) && getKey(input).startsWith('requests#live');
const isGivenBack = (input: Input) => ':minusOne' in getValues(input);
const isMonth = (input: Input) => /^generations#live#\w+#\d{4}-\d\d$/.test(getKey(input));
const countElsewhere = (input: Input) => (isMonth(input) ? { ...input, Key: { pk: 'elsewhere' } } : input);
const noRun = ' AND attribute_not_exists(run)';

/** Each seed finds a history soon, as long as the code makes its calls in the same order. */
test.each<[promise: string, mistakeText: string, mistake: Mistake, seed: number]>([
  ['limits', 'a unit is taken beyond its limit', leaveOut(':last'), 1],
  ['charge', 'a charge is sent again after a lost answer', { resends: isCharge }, 8],
  ['charge', 'a unit is given back again after a lost answer', { resends: isGivenBack }, 4],
  ['item', 'a lease is taken over before its end', leaveOut(':gone', 'untilMs <= :now AND '), 15],
  ['item', 'a ready image is made again', leaveOut(':gone', ' AND generationId = :gone'), 21],
  ['item', 'a generation finishes an image that it does not hold', leaveOut(':master'), 15],
  ['cost', 'two runs of one generation begin', leaveOut(':run', noRun), 2],
  ['cost', 'a generation is not counted in its month', { input: countElsewhere }, 1],
  ['cost', 'a generation with a run is ended as not started', leaveOut(':reason', noRun), 77],
  ['files', 'a master that is not shown stays', { keepsFiles: true }, 133],
])('a history finds a broken promise of %s if %s', async (promise, _, mistake, seedOfHistories) => {
  const isMissed = fc.asyncProperty(histories, async (history) => {
    const brokenPromises = await findBrokenPromises(history, mistake);
    return !brokenPromises.some((brokenPromise) => brokenPromise.startsWith(`${promise}:`));
  });
  const check = await fc.check(isMissed, { numRuns: 5_000, seed: seedOfHistories, endOnFailure: true });
  expect(check.failed).toBe(true);
});

test(`${runs} histories keep every promise (HISTORY_SEED=${seed})`, async () => {
  const isKept = fc.asyncProperty(histories, async (history) =>
    expect(await findBrokenPromises(history)).toEqual([]),
  );
  await fc.assert(isKept, { numRuns: runs, seed });
});
