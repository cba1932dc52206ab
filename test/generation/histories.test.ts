/**
 * Random histories of requests, generators, faults and clocks: every promise holds in all of them, and mistakes that the
 * code might make are found. A failure prints its seed and path; `HISTORY_SEED=… npx jest histories` plays it again,
 * and `FC_NUM_RUNS` plays more.
 */

import fc from 'fast-check';
import { type Act, broken, type Drawn, type History, promises } from './histories/play';
import type { Fate, Fault, Mistake } from './histories/world';

const runs = Number(process.env['FC_NUM_RUNS'] ?? 2_000);
const seed = Number(process.env['HISTORY_SEED'] ?? Date.now() % 2 ** 31);

const faults: readonly Fault[] = [
  ...['throttled', 'request lost', 'answer lost', 'late', 'late', 'dies before', 'dies after', 'slow'],
] as never;
const fate = (share: number): fc.Arbitrary<Fate> =>
  fc.record({
    fault: fc.oneof(
      { weight: 100 - share, arbitrary: fc.constant(undefined) },
      { weight: share, arbitrary: fc.constantFrom(...faults) },
    ),
    delay: fc.integer({ min: 0, max: 99 }).map((hundredths) => hundredths / 100),
  });
const act: fc.Arbitrary<Act> = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 600_000 })),
  does: fc.constantFrom(
    ...(['asks', 'asks', 'asks', 'asks for a variation', 'asks for an alternative'] as const),
    ...(['asks', 'asks', 'takes down', 'loses the master'] as const),
  ),
  account: fc.integer({ min: 1, max: 2 }),
  image: fc.integer({ min: 0, max: 1 }),
  isPublic: fc.boolean(),
  instance: fc.integer({ min: 0, max: 3 }),
});
const drawn: fc.Arbitrary<Drawn> = fc.record({
  outcome: fc.constantFrom('image', 'image', 'image', 'refused', 'unbilled', 'billed', 'hangs'),
  tookMs: fc.constantFrom(1_000, 4_000, 30_000, 120_000),
});
const small = fc.constantFrom(1, 2, 3, 1_000);
const history: fc.Arbitrary<History> = fc.record({
  // In the middle of a day, and just before the end of a month.
  startMs: fc.constantFrom(Date.UTC(2026, 10, 21, 12), Date.UTC(2026, 11, 1) - 8_000),
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  fates: fc.constantFrom(0, 5, 25).chain((share) => fc.array(fate(share), { minLength: 8, maxLength: 60 })),
  drawn: fc.array(drawn, { minLength: 1, maxLength: 4 }),
  skewsMs: fc.array(fc.constantFrom(0, 0, -150_000, 150_000), { minLength: 1, maxLength: 4 }),
  max: fc.record({
    requests: small,
    ofKey: small,
    generations: small,
    perDay: small,
    executions: fc.constantFrom(8, 32, 1_000),
  }),
});

// Calls have time-outs in real time, which the world decides about.
const { setTimeout: realTimeout } = globalThis;
beforeAll(() => {
  globalThis.setTimeout = (() => 0) as never;
});
afterAll(() => {
  globalThis.setTimeout = realTimeout;
});

const after = (input: Parameters<NonNullable<Mistake['input']>>[0], from: string, to: string) => ({
  ...input,
  ConditionExpression: input.ConditionExpression?.replace(from, to),
});
const has = (input: { readonly ExpressionAttributeValues?: object | undefined }, name: string) =>
  name in (input.ExpressionAttributeValues ?? {});
/** Without the name and value that no expression uses any more. */
const without = <
  Given extends { readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined },
>(
  input: Given,
  ...names: readonly string[]
): Given => ({
  ...input,
  ExpressionAttributeValues: Object.fromEntries(
    Object.entries(input.ExpressionAttributeValues ?? {}).filter(([name]) => !names.includes(name)),
  ),
});

const mistakes: readonly (readonly [title: string, mistake: Mistake, promise: RegExp])[] = [
  [
    'a unit is taken without the condition of its limit',
    {
      input: (input) =>
        has(input, ':last') ? { ...without(input, ':last'), ConditionExpression: undefined } : input,
    },
    /^limits: no counter passes its limit/,
  ],
  [
    'a charge is sent again when no answer comes',
    { resends: (input) => has(input, ':one') && String(input.Key?.['pk']).startsWith('requests#live') },
    /^charge: /,
  ],
  [
    'a unit is given back again when no answer comes',
    { resends: (input) => has(input, ':minusOne') },
    /^charge: a request gives a unit back at most once/,
  ],
  [
    'an image is acquired though its lease is not over',
    {
      input: (input) =>
        has(input, ':gone') ? without(after(input, '#until <= :now AND ', ''), ':now') : input,
    },
    /^item: a lease or pause is taken over only when/,
  ],
  [
    'an image that is ready is acquired, whoever has missed its master',
    {
      input: (input) =>
        has(input, ':gone')
          ? without(after(input, '#state = :ready AND execution = :gone', '#state = :ready'), ':gone')
          : input,
    },
    /^item: a whole image is never given up/,
  ],
  [
    'an execution finishes an image that it does not hold',
    {
      input: (input) =>
        has(input, ':master')
          ? {
              ...without(input, ':making'),
              ConditionExpression: 'execution <> :execution OR execution = :execution',
            }
          : input,
    },
    /^item: only the execution that holds it finishes/,
  ],
  [
    'a run does not ask whether another has begun',
    { input: (input) => (has(input, ':run') ? after(input, ' AND attribute_not_exists(run)', '') : input) },
    /^cost: the model is asked at most once/,
  ],
  [
    'a generation is begun without being counted in its month',
    {
      drops: (input) =>
        has(input, ':one') && /^generations#live#acc_\d#\d{4}-\d\d$/.test(String(input.Key?.['pk'])),
    },
    /^cost: the model is asked only for an execution that month/,
  ],
  [
    'a request ends its execution though a run has begun it',
    {
      input: (input) => (has(input, ':failed') ? after(input, ' AND attribute_not_exists(run)', '') : input),
    },
    /^cost: /,
  ],
  [
    'what nobody shows is not removed',
    { keepsFiles: true },
    /^(files: a loser’s file stays|take-down: no file stays)/,
  ],
];

test.each(mistakes)('finds that %s', async (_, mistake, promise) => {
  const found = async (each: History) => (await broken(each, mistake)).some((one) => promise.test(one));
  const run = await fc.check(
    fc.asyncProperty(history, async (each) => !(await found(each))),
    { numRuns: 5_000, seed: 54, endOnFailure: true },
  );
  expect(run.failed).toBe(true);
});

describe(`in ${runs} histories`, () => {
  let report: string | undefined;
  let last: readonly string[] = [];
  beforeAll(
    async () => {
      const details = await fc.check(
        fc.asyncProperty(history, async (each) => expect(await broken(each)).toEqual([])),
        { numRuns: runs, seed },
      );
      report = await fc.asyncDefaultReportMessage(details);
      if (details.failed) last = await broken((details.counterexample as readonly [History])[0]);
    },
    60_000 + runs * 30,
  );

  test.each(promises)('%s', (promise) => {
    if (last.includes(promise)) throw new Error(report);
  });

  test('no history fails in another way', () =>
    expect(last.length === 0 ? report : undefined).toBeUndefined());
});
