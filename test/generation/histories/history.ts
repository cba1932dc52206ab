/** A history of AI images: everything that decides what happens in it. fast-check draws it at random. */

import fc from 'fast-check';
import { faults } from '../../fakes/faulty-world';

const makeFate = (share: number) =>
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
      /** When it happens, from the start. */
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 600_000 })),
      does: fc.constantFrom('asks', 'asks', 'asks', 'asks', 'asks', 'asks', 'removes', 'loses the files'),
      wants: fc.constantFrom({}, {}, {}, { variation: 1 }, { alt: 1 }),
      account: fc.constantFrom('acc_1', 'acc_2'),
      query: fc.constantFrom('lake', 'sea'),
      visibility: fc.constantFrom('private', 'public'),
      /** How far the clock of its instance is ahead. */
      skewMs: fc.constantFrom(0, 0, -150_000, 150_000),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** The fault and delay of each call to a table, the image store, the renderer or the generator. */
  fates: fc
    .constantFrom(0, 5, 25)
    .chain((share) => fc.array(makeFate(share), { minLength: 8, maxLength: 60 })),
  /** The runs of the generator, in turn: their clocks, and the model's outcomes and times. */
  runs: fc.array(
    fc.record({
      skewMs: fc.constantFrom(0, 0, -150_000, 150_000),
      outcome: fc.constantFrom('image', 'image', 'image', 'refused', 'unbilled', 'billed', 'hangs'),
      tookMs: fc.constantFrom(1_000, 4_000, 30_000, 120_000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** The most units of each limit. */
  max: fc.record({ requests: limitMax, generations: limitMax, perDay: limitMax }),
});

export type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;
