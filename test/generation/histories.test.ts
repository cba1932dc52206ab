/**
 * Random histories of requests, generators, faults and clocks: every promise holds in all of them, and
 * mistakes that the code might make are found. A failure prints its seed and path; `HISTORY_SEED=… npx jest
 * histories` plays it again, and `FC_NUM_RUNS` plays more.
 */

import fc from 'fast-check';
import type { Mistake } from '../fakes/faulty-world';
import type { Input } from '../fakes/memory-database';
import { histories } from './histories/history';
import { brokenPromises } from './histories/play';

const runs = Number(process.env['FC_NUM_RUNS'] ?? 800);
const seed = Number(process.env['HISTORY_SEED'] ?? Date.now() % 2 ** 31);

const valuesOf = (input: Input) => input.ExpressionAttributeValues ?? {};
const keyOf = ({ Key }: Input) => String(Key?.['pk']);

/** Commands with a value of this name lack a part of their condition, and the values of this part. */
const without = (name: string, part: string | RegExp = /.*/): Mistake => ({
  input(input) {
    if (!(name in valuesOf(input))) return input;
    const ConditionExpression = input.ConditionExpression?.replace(part, '') || undefined;
    const text = `${input.UpdateExpression} ${ConditionExpression} `;
    const used = Object.entries(valuesOf(input)).filter(([value]) => new RegExp(`${value}\\b`).test(text));
    return { ...input, ConditionExpression, ExpressionAttributeValues: Object.fromEntries(used) };
  },
});
const isCharge = (input: Input) => ':one' in valuesOf(input) && keyOf(input).startsWith('requests#live');
const isMonth = (input: Input) =>
  ':one' in valuesOf(input) && /^generations#live#\w+#\d{4}-\d\d$/.test(keyOf(input));

/** Each with the promise that it breaks, and a seed that finds it while calls keep their order. */
test.each<[what: string, mistake: Mistake, promise: RegExp, seed: number]>([
  ['the limit of a unit', without(':last'), /^limits: /, 1],
  ['that a charge is sent once', { resends: isCharge }, /^charge: /, 3],
  [
    'that a unit is given back once',
    { resends: (input) => ':minusOne' in valuesOf(input) },
    /comes back/,
    83,
  ],
  ['whether a lease is over', without(':gone', 'untilMs <= :now AND '), /^item: a lease/, 394],
  ['who has missed a master', without(':gone', ' AND generationId = :gone'), /^item: a whole image/, 440],
  ['who holds what it finishes', without(':master'), /^item: only its holder/, 195],
  ['that a run has begun', without(':run', ' AND attribute_not_exists(run)'), /^cost: a generation/, 9],
  ['to count a month', { drops: isMonth }, /^cost: what is asked for/, 1],
  ['that what it ends has begun', without(':reason', ' AND attribute_not_exists(run)'), /^cost: /, 45],
  ['to remove what nobody shows', { keepsFiles: true }, /^(files: a loser|take-down: no file)/, 2408],
])(
  'a history finds code that forgets %s',
  async (_, mistake, promise, from) => {
    const isMissed = fc.asyncProperty(histories, async (history) => {
      const found = await brokenPromises(history, mistake);
      return !found.some((broken) => promise.test(broken));
    });
    const found = await fc.check(isMissed, { numRuns: 5_000, seed: from, endOnFailure: true });
    expect(found.failed).toBe(true);
  },
  600_000,
);

test(
  `${runs} histories keep every promise`,
  async () => {
    const isKept = fc.asyncProperty(histories, async (history) =>
      expect(await brokenPromises(history)).toEqual([]),
    );
    await fc.assert(isKept, { numRuns: runs, seed });
  },
  600_000 + runs * 30,
);
