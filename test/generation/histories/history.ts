/** A history of AI images: everything that decides what happens in it. fast-check draws it at random. */

import fc from 'fast-check';
import { faults } from '../../fakes/faulty-world';

const fate = (share: number) =>
  fc.record({
    fault: fc.oneof(
      { weight: 100 - share, arbitrary: fc.constant(undefined) },
      { weight: share, arbitrary: fc.constantFrom(...faults) },
    ),
    delay: fc.integer({ min: 0, max: 99 }).map((hundredths) => hundredths / 100),
  });
const limitMax = fc.constantFrom(1, 2, 3, 1_000);

export const histories = fc.record({
  // The middle of a day, and the last seconds of a month.
  startMs: fc.constantFrom(Date.UTC(2026, 10, 21, 12), Date.UTC(2026, 11, 1) - 8_000),
  acts: fc.array(
    fc.record({
      /** When it happens, in milliseconds from the start. */
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 600_000 })),
      does: fc.constantFrom(
        ...(['asks', 'asks', 'asks', 'asks for a variation', 'asks for an alternative'] as const),
        ...(['asks', 'asks', 'takes down', 'loses the master'] as const),
      ),
      account: fc.integer({ min: 1, max: 2 }),
      query: fc.constantFrom('lake', 'sea'),
      visibility: fc.constantFrom('private', 'public'),
      /** Index of the instance that serves the request; instances have different clocks. */
      instance: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** The fault and delay of each call to a table, the renderer or the generator. */
  fates: fc.constantFrom(0, 5, 25).chain((share) => fc.array(fate(share), { minLength: 8, maxLength: 60 })),
  /** The outcomes of the model, one for each time that it is asked, and how long it takes (milliseconds). */
  drawn: fc.array(
    fc.record({
      outcome: fc.constantFrom('image', 'image', 'image', 'refused', 'unbilled', 'billed', 'hangs'),
      tookMs: fc.constantFrom(1_000, 4_000, 30_000, 120_000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** How far the clock of each instance is ahead, in milliseconds. */
  skewsMs: fc.array(fc.constantFrom(0, 0, -150_000, 150_000), { minLength: 1, maxLength: 4 }),
  /** The most units of each limit. */
  max: fc.record({
    ...{ requests: limitMax, ofKey: limitMax, generations: limitMax, perDay: limitMax },
    executions: fc.constantFrom(8, 32, 1_000),
  }),
});

export type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;
export type Act = History['acts'][number];
