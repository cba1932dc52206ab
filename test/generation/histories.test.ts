/**
 * Plays random histories of AI images. A history has requests, runs of the generator, faults, and clocks that
 * differ. `histories/breaches.ts` has the promises that every history must keep. Other tests here put a mistake
 * into the code, and expect a history to find it.
 *
 * A failure prints its seed and path. `HISTORY_SEED=… npx jest histories` plays the same histories again.
 * `FC_NUM_RUNS` plays more of them. CI always plays the same ones.
 */

import fc from 'fast-check';
import type { Mistake } from '../fakes/faulty-world';
import type { Input } from '../fakes/memory-database';
import { histories } from './histories/history';
import { findBrokenPromises } from './histories/play';

jest.mock('../../lambda/services/load-image-code', () => jest.requireActual('../fakes/load-ai-code'));

const { CI, FC_NUM_RUNS = '800', HISTORY_SEED } = process.env;
const runs = Number(FC_NUM_RUNS);
const seed = Number(HISTORY_SEED ?? (CI ? 1 : Date.now() % 2 ** 31));

const valuesOf = (input: Input) => input.ExpressionAttributeValues ?? {};
const keyOf = ({ Key }: Input) => String(Key?.['pk']);

/**
 * Makes the mistake of leaving out a condition. It concerns the writes that have a value called `valueName`.
 * @param condition the part of the condition expression to leave out; by default all of it
 */
const leaveOut = (valueName: string, condition: string | RegExp = /.*/): Mistake => ({
  input(input) {
    if (!(valueName in valuesOf(input))) return input;
    const ConditionExpression = input.ConditionExpression?.replace(condition, '') || undefined;
    const expressions = `${input.UpdateExpression} ${ConditionExpression} `;
    // DynamoDB refuses values that no expression uses.
    const values = Object.entries(valuesOf(input)).filter(([name]) =>
      new RegExp(`${name}\\b`).test(expressions),
    );
    return { ...input, ConditionExpression, ExpressionAttributeValues: Object.fromEntries(values) };
  },
});

const isCharge = (input: Input) => ':one' in valuesOf(input) && keyOf(input).startsWith('requests#live');
const isGivenBack = (input: Input) => ':minusOne' in valuesOf(input);
const isMonth = (input: Input) =>
  ':one' in valuesOf(input) && /^generations#live#\w+#\d{4}-\d\d$/.test(keyOf(input));

interface Example {
  /** The mistake in words. */
  readonly text: string;
  readonly mistake: Mistake;
  /** The promise that it breaks. */
  readonly promise: RegExp;
  /** A seed that finds it soon, as long as the code makes its calls in the same order. */
  readonly from: number;
}

test.each<Example>([
  {
    text: 'a unit is taken beyond its limit',
    mistake: leaveOut(':last'),
    promise: /^limits: /,
    from: 1,
  },
  {
    text: 'a charge is sent again after a lost answer',
    mistake: { resends: isCharge },
    promise: /^charge: /,
    from: 3,
  },
  {
    text: 'a unit is given back again after a lost answer',
    mistake: { resends: isGivenBack },
    promise: /comes back/,
    from: 83,
  },
  {
    text: 'a lease is taken over before its end',
    mistake: leaveOut(':gone', 'untilMs <= :now AND '),
    promise: /^item: a lease/,
    from: 394,
  },
  {
    text: 'a ready image with its master is made again',
    mistake: leaveOut(':gone', ' AND generationId = :gone'),
    promise: /^item: a whole image/,
    from: 440,
  },
  {
    text: 'a generation finishes an image that it does not hold',
    mistake: leaveOut(':master'),
    promise: /^item: only its holder/,
    from: 195,
  },
  {
    text: 'two runs of one generation begin',
    mistake: leaveOut(':run', ' AND attribute_not_exists(run)'),
    promise: /^cost: a generation/,
    from: 9,
  },
  {
    text: 'a generation is not counted in its month',
    mistake: { drops: isMonth },
    promise: /^cost: a generation is counted/,
    from: 1,
  },
  {
    text: 'a generation with a run is ended as not started',
    mistake: leaveOut(':reason', ' AND attribute_not_exists(run)'),
    promise: /^cost: /,
    from: 45,
  },
  {
    text: 'a master that is not shown stays in the image store',
    mistake: { keepsFiles: true },
    promise: /^(files: a master that|take-down: no file)/,
    from: 2408,
  },
])(
  'a history finds the mistake that $text',
  async ({ mistake, promise, from }) => {
    const isMissed = fc.asyncProperty(histories, async (history) => {
      const brokenPromises = await findBrokenPromises(history, mistake);
      return !brokenPromises.some((brokenPromise) => promise.test(brokenPromise));
    });
    const check = await fc.check(isMissed, { numRuns: 5_000, seed: from, endOnFailure: true });
    expect(check.failed).toBe(true);
  },
  600_000,
);

test(
  `${runs} histories keep every promise (HISTORY_SEED=${seed})`,
  async () => {
    const isKept = fc.asyncProperty(histories, async (history) =>
      expect(await findBrokenPromises(history)).toEqual([]),
    );
    await fc.assert(isKept, { numRuns: runs, seed });
  },
  600_000 + runs * 30,
);
